import type { Clock } from '../clock.ts'
import type { Account } from '../model/accounts.ts'
import { ApiError } from '../model/errors.ts'
import { isPlanSlug, type PlanSlug, priceUsdOf } from '../plans/plans.ts'
import type { Subscription } from '../store/billing/subscriptions.ts'
import type { Store } from '../store/store.ts'
import { withAccountLease } from './account-lease.ts'
import type { Fulfilment } from './fulfilment.ts'
import { creditsOfChange, subscriptionInForce } from './plan-rules.ts'
import { PaymentDeclined, type PaymentProcessor, PlanConflict } from './processor.ts'

/** The effect of a change of plan, done or previewed. */
interface PlanChange {
  planSlug: PlanSlug
  /** Now, or the end of the month that is paid. */
  effectiveAt: number
  amountDueUsdCents: number
  credits: number
}

/** Changes the plan of a subscription, or cancels it. */
export class PlanChanges {
  readonly #store: Store
  readonly #processor: PaymentProcessor
  readonly #fulfilment: Fulfilment
  readonly #clock: Clock

  constructor(deps: {
    store: Store
    processor: PaymentProcessor
    fulfilment: Fulfilment
    clock: Clock
  }) {
    this.#store = deps.store
    this.#processor = deps.processor
    this.#fulfilment = deps.fulfilment
    this.#clock = deps.clock
  }

  async preview(account: Account, planSlug: PlanSlug): Promise<{ subscription: Subscription; change: PlanChange }> {
    const subscription = await this.#refreshInForce(account)
    return { subscription, change: await this.#describe(account, subscription, planSlug) }
  }

  /** Upgrades take effect and are paid at once; downgrades follow when the month that is paid ends. */
  change(account: Account, planSlug: PlanSlug): Promise<{ subscription: Subscription; change: PlanChange }> {
    return withAccountLease(this.#store, account.id, () => this.#change(account, planSlug))
  }

  /** Cancels with the end of the month that is paid. */
  cancel(account: Account): Promise<Subscription> {
    return withAccountLease(this.#store, account.id, () => this.#cancel(account))
  }

  async #change(account: Account, planSlug: PlanSlug): Promise<{ subscription: Subscription; change: PlanChange }> {
    const { subscription, change } = await this.preview(account, planSlug)
    const { id } = subscription
    const price = priceUsdOf(planSlug) - priceUsdOf(subscription.planSlug)
    if (price > 0) change.amountDueUsdCents = (await this.#upgrade(subscription, planSlug)) ?? change.amountDueUsdCents
    else if (price < 0) await this.#processor.downgrade(id, planSlug)
    else await this.#processor.clearPendingChanges(id)
    return { subscription: await this.#refresh(subscription), change }
  }

  async #cancel(account: Account): Promise<Subscription> {
    const subscription = await this.#refreshInForce(account)
    if (!subscription.cancelAtPeriodEnd) await this.#processor.cancelAtPeriodEnd(subscription.id)
    return this.#refresh(subscription)
  }

  /** Returns the subscription as it is at the processor, where it may have changed without an event yet. */
  async #refreshInForce(account: Account): Promise<Subscription> {
    const { id } = await this.#findInForce(account)
    await this.#fulfilment.syncSubscription(id)
    return this.#findInForce(account)
  }

  async #findInForce(account: Account): Promise<Subscription> {
    const subscriptions = await this.#store.subscriptions.list(account.id)
    const subscription = subscriptionInForce(subscriptions, this.#clock.now())
    if (subscription !== undefined) return subscription
    if (subscriptions.some(({ status }) => status === 'incomplete')) {
      throw new ApiError(
        'BAD_REQUEST',
        'The first payment is still being processed; the plan can be changed once it is complete',
      )
    }
    throw new ApiError('NOT_FOUND', 'This account has no subscription')
  }

  async #describe(account: Account, subscription: Subscription, planSlug: PlanSlug): Promise<PlanChange> {
    if (subscription.status === 'past_due') {
      throw new ApiError('BAD_REQUEST', 'The last payment failed; pay it through POST /billing/portal first')
    }
    const now = this.#clock.now()
    if (priceUsdOf(planSlug) > priceUsdOf(subscription.planSlug)) {
      const amountDueUsdCents = await this.#processor.previewUpgrade(subscription.id, planSlug)
      const credits = creditsOfChange(account, planSlug, subscription.planSlug)
      return { planSlug, effectiveAt: now, amountDueUsdCents, credits }
    }
    if (planSlug !== subscription.planSlug) {
      return { planSlug, effectiveAt: subscription.periodEnd, amountDueUsdCents: 0, credits: 0 }
    }
    if (!subscription.cancelAtPeriodEnd && subscription.pendingPlanSlug === null) {
      throw ApiError.invalid([{ field: 'planSlug', message: 'is already the plan of the subscription' }])
    }
    return { planSlug, effectiveAt: now, amountDueUsdCents: 0, credits: 0 }
  }

  /** Returns the amount paid; undefined while the payment is being processed. */
  async #upgrade(subscription: Subscription, planSlug: PlanSlug): Promise<number | undefined> {
    try {
      const invoiceId = await this.#processor.upgrade(subscription.id, subscription.planSlug, planSlug)
      if (invoiceId === undefined) return 0
      await this.#fulfilment.syncInvoice(invoiceId)
      return (await this.#store.purchases.find(invoiceId))?.amountUsdCents
    } catch (error) {
      await this.#restorePending(subscription)
      await this.#fulfilment.syncSubscription(subscription.id)
      if (error instanceof PlanConflict) {
        throw new ApiError(
          'BAD_REQUEST',
          'The plan was changed by another request at the same time; check it and try again',
        )
      }
      if (!(error instanceof PaymentDeclined)) throw error
      throw new ApiError('BAD_REQUEST', `The payment was declined, so the plan stays as it is: ${error.message}`)
    }
  }

  /** An upgrade first removes the pending downgrade; if it fails, the downgrade is scheduled again. */
  async #restorePending({ id, planSlug, pendingPlanSlug }: Subscription): Promise<void> {
    if (pendingPlanSlug === null || !isPlanSlug(pendingPlanSlug)) return
    const found = await this.#processor.findSubscription(id)
    if (found?.planSlug === planSlug && found.pendingPlanSlug === null)
      await this.#processor.downgrade(id, pendingPlanSlug)
  }

  async #refresh({ id }: Subscription): Promise<Subscription> {
    await this.#fulfilment.syncSubscription(id)
    const subscription = await this.#store.subscriptions.find(id)
    if (subscription === undefined) throw new Error(`subscription ${id} is not in the store`)
    return subscription
  }
}
