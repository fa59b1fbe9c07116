import type { Clock } from '../clock.ts'
import type { Account } from '../model/accounts.ts'
import { ApiError } from '../model/errors.ts'
import { isPlanSlug, type PlanSlug, priceUsdOf } from '../plans/plans.ts'
import type { Subscription } from '../store/billing/subscriptions.ts'
import type { Store } from '../store/store.ts'
import { withAccountLease } from './account-lease.ts'
import type { Fulfilment } from './fulfilment.ts'
import { creditsOfChange, subscriptionInForce } from './plan-rules.ts'
import { PaymentDeclined, type PaymentProcessor, PlanMoved } from './processor.ts'

/** What a change of plan means; a preview says the same without doing it. */
export interface PlanChange {
  planSlug: PlanSlug
  /** At once, or when the month that is paid ends. */
  effectiveAt: number
  amountDueUsdCents: number
  credits: number
}

/** Changes the plan of a subscription, or ends it. */
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
    const subscription = await this.#current(account)
    return { subscription, change: await this.#judge(account, subscription, planSlug) }
  }

  /** A dearer plan is in force and paid at once, a cheaper one follows the month that is paid. */
  change(account: Account, planSlug: PlanSlug): Promise<{ subscription: Subscription; change: PlanChange }> {
    return withAccountLease(this.#store, account.id, () => this.#change(account, planSlug))
  }

  /** The plan stays until the month that is paid ends. */
  cancel(account: Account): Promise<Subscription> {
    return withAccountLease(this.#store, account.id, () => this.#cancel(account))
  }

  async #change(account: Account, planSlug: PlanSlug): Promise<{ subscription: Subscription; change: PlanChange }> {
    const { subscription, change } = await this.preview(account, planSlug)
    const { id } = subscription
    const price = priceUsdOf(planSlug) - priceUsdOf(subscription.planSlug)
    if (price > 0) change.amountDueUsdCents = (await this.#upgrade(subscription, planSlug)) ?? change.amountDueUsdCents
    else if (price < 0) await this.#processor.downgrade(id, planSlug)
    else await this.#processor.keep(id)
    return { subscription: await this.#lookAgain(subscription), change }
  }

  async #cancel(account: Account): Promise<Subscription> {
    const subscription = await this.#current(account)
    if (!subscription.cancelAtPeriodEnd) await this.#processor.cancelAtPeriodEnd(subscription.id)
    return this.#lookAgain(subscription)
  }

  /** As the processor has it: it may have ended or changed there, and nobody has told of it yet. */
  async #current(account: Account): Promise<Subscription> {
    const { id } = await this.#known(account)
    await this.#fulfilment.subscription(id)
    return this.#known(account)
  }

  async #known(account: Account): Promise<Subscription> {
    const subscriptions = await this.#store.subscriptions.list(account.id)
    const subscription = subscriptionInForce(subscriptions, this.#clock.now())
    if (subscription !== undefined) return subscription
    if (subscriptions.some(({ status }) => status === 'incomplete')) {
      throw new ApiError(
        'BAD_REQUEST',
        'The first payment is on its way; what follows can be chosen when it has arrived',
      )
    }
    throw new ApiError('NOT_FOUND', 'This account has no subscription')
  }

  async #judge(account: Account, subscription: Subscription, planSlug: PlanSlug): Promise<PlanChange> {
    if (subscription.status === 'past_due') {
      throw new ApiError('BAD_REQUEST', 'The last payment failed; pay it under POST /billing/portal first')
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
      throw ApiError.invalid([{ field: 'planSlug', message: 'is the plan of the subscription already' }])
    }
    return { planSlug, effectiveAt: now, amountDueUsdCents: 0, credits: 0 }
  }

  /** Gives what was paid; undefined while the payment is on its way. */
  async #upgrade(subscription: Subscription, planSlug: PlanSlug): Promise<number | undefined> {
    try {
      const invoiceId = await this.#processor.upgrade(subscription.id, subscription.planSlug, planSlug)
      if (invoiceId === undefined) return 0
      await this.#fulfilment.invoice(invoiceId)
      return (await this.#store.purchases.find(invoiceId))?.amountUsdCents
    } catch (error) {
      await this.#restorePending(subscription)
      await this.#fulfilment.subscription(subscription.id)
      if (error instanceof PlanMoved) {
        throw new ApiError(
          'BAD_REQUEST',
          'The plan was changed from elsewhere at the same moment; look at it and try again',
        )
      }
      if (!(error instanceof PaymentDeclined)) throw error
      throw new ApiError('BAD_REQUEST', `The payment was declined, so the plan stays as it is: ${error.message}`)
    }
  }

  /** For an upgrade, what was to come at the end of the month is taken away; not if it then fails. */
  async #restorePending({ id, planSlug, pendingPlanSlug }: Subscription): Promise<void> {
    if (pendingPlanSlug === null || !isPlanSlug(pendingPlanSlug)) return
    const found = await this.#processor.findSubscription(id)
    if (found?.planSlug === planSlug && found.pendingPlanSlug === null)
      await this.#processor.downgrade(id, pendingPlanSlug)
  }

  async #lookAgain({ id }: Subscription): Promise<Subscription> {
    await this.#fulfilment.subscription(id)
    const subscription = await this.#store.subscriptions.find(id)
    if (subscription === undefined) throw new Error(`subscription ${id} is gone`)
    return subscription
  }
}
