import type { Clock } from '../clock.ts'
import { creditsText } from '../model/credits-text.ts'
import { DAY } from '../model/time.ts'
import { PLANS } from '../plans/plans.ts'
import type { CheckoutStatus } from '../store/billing/checkouts.ts'
import type { EventSubject } from '../store/billing/processor-events.ts'
import type { StoredPurchase } from '../store/billing/purchases.ts'
import { isLive, type Subscription } from '../store/billing/subscriptions.ts'
import type { Store } from '../store/store.ts'
import { creditsOfChange, subscriptionRules } from './plan-rules.ts'
import type { CheckoutState, InvoiceState, PaymentProcessor, SubscriptionState } from './processor.ts'
import { reversalsInForce } from './reversal-rule.ts'

/** How long the plan stays in force after the payment for the next month has failed. */
export const GRACE_MS = 7 * DAY

/**
 * Updates the store to the current state at the processor. Webhook events, the page after a payment, the sweeper and
 * our own requests all end here. Each only names an object, which is then fetched, so duplicates, wrong order, missing
 * events and crashes in between do not matter.
 */
export class Fulfilment {
  readonly #store: Store
  readonly #processor: PaymentProcessor
  readonly #clock: Clock
  readonly #onChanged: (accountId: string) => Promise<void>

  constructor(deps: {
    store: Store
    processor: PaymentProcessor
    clock: Clock
    /** Called after the balance, plan or keys of an account may have changed. */
    onChanged: (accountId: string) => Promise<void>
  }) {
    this.#store = deps.store
    this.#processor = deps.processor
    this.#clock = deps.clock
    this.#onChanged = deps.onChanged
  }

  async sync({ kind, id }: EventSubject): Promise<void> {
    switch (kind) {
      case 'checkout':
        await this.syncCheckout(id)
        return
      case 'invoice':
        await this.syncInvoice(id)
        return
      case 'subscription':
        await this.syncSubscription(id)
        return
      case 'payment':
        await this.syncPayment(id)
    }
  }

  /** Returns the state of the session; undefined if it does not belong to one of our accounts. */
  async syncCheckout(sessionId: string): Promise<CheckoutState | undefined> {
    const session = await this.#processor.findCheckout(sessionId)
    if (session === undefined || !(await this.#isOurs(session))) return undefined
    let { status } = session
    if (session.subscriptionId !== null) {
      const subscription = await this.syncSubscription(session.subscriptionId)
      if (status === 'processing') status = firstPaymentStatus(subscription)
    } else if (status === 'paid') {
      await this.#grantPack(session)
    }
    // Last: a settled checkout is never checked again, so after a crash it must still be unsettled.
    const begun = await this.#store.checkouts.findBySession(sessionId)
    if (begun !== undefined) await this.#store.checkouts.settle(begun.id, status, this.#clock.now())
    return { ...session, status }
  }

  async syncInvoice(invoiceId: string): Promise<void> {
    const invoice = await this.#processor.findInvoice(invoiceId)
    if (invoice === undefined || !(await this.#isOurs(invoice))) return
    // First: credits of a month that is over expire at once unless the account has a subscription.
    await this.#applySubscription(invoice.subscriptionId)
    await this.#grantMonth(invoice)
  }

  /** Includes the latest invoice, whose own event may be missing. */
  async syncSubscription(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const subscription = await this.#applySubscription(subscriptionId)
    const latest = subscription?.latestInvoice
    const invoice = latest && (await this.#processor.findInvoice(latest.id))
    if (invoice != null) await this.#grantMonth(invoice)
    return subscription
  }

  /** Applies the refunds and disputes of a payment, after the purchase itself if that is not in the store yet. */
  async syncPayment(paymentId: string): Promise<void> {
    const purchase = (await this.#store.purchases.findByPayment(paymentId)) ?? (await this.#findPurchase(paymentId))
    if (purchase === undefined) return
    const read = await this.#store.readOrder.next(paymentId)
    const reversals = reversalsInForce(purchase, await this.#processor.listReversals(paymentId))
    await this.#store.reversals.apply(purchase, reversals, read, this.#clock.now())
    await this.#onChanged(purchase.accountId)
  }

  async #findPurchase(paymentId: string): Promise<StoredPurchase | undefined> {
    const paid = await this.#processor.findCheckoutOrInvoice(paymentId)
    if (paid === undefined) return undefined
    await this.sync(paid)
    return this.#store.purchases.findByPayment(paymentId)
  }

  async #grantPack(session: CheckoutState): Promise<void> {
    const { id, accountId, paymentId, credits, amountUsdCents, packageId } = session
    await this.#store.purchases.fulfil(
      { id, accountId, paymentId, credits, amountUsdCents, periodEnd: null },
      creditsText(credits),
      { packageId, sessionId: id },
      this.#clock.now(),
    )
    await this.#onChanged(accountId)
  }

  /** Grants the credits of a month; after an upgrade, the difference between the two plans. */
  async #grantMonth(invoice: InvoiceState): Promise<void> {
    if (!invoice.isPaid) return
    const { id, accountId, paymentId, amountUsdCents, planSlug, previousPlanSlug, periodEnd } = invoice
    const account = await this.#store.accounts.find(accountId)
    if (account === undefined) return
    const credits = creditsOfChange(account, planSlug, previousPlanSlug)
    const { name } = PLANS[planSlug]
    await this.#store.purchases.fulfil(
      { id, accountId, paymentId, credits, amountUsdCents, periodEnd },
      previousPlanSlug === null ? `Month of the ${name} plan` : `Change to the ${name} plan, for the rest of the month`,
      { planSlug },
      this.#clock.now(),
    )
    await this.#onChanged(accountId)
  }

  async #applySubscription(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const read = await this.#store.readOrder.next(subscriptionId)
    const found = await this.#processor.findSubscription(subscriptionId)
    const known = await this.#store.subscriptions.find(subscriptionId)
    const subscription = found === undefined ? known && ended(known) : toStored(found, known)
    if (subscription === undefined || !(await this.#isOurs(subscription))) return undefined
    await this.#store.subscriptions.apply(subscription, read, subscriptionRules(this.#clock.now()))
    await this.#onChanged(subscription.accountId)
    return found
  }

  async #isOurs({ accountId }: { accountId: string }): Promise<boolean> {
    return (await this.#store.accounts.find(accountId)) !== undefined
  }
}

/**
 * Returns undefined if the subscription never had a price of ours. A foreign price that is set later, at the processor,
 * does not change the plan.
 */
function toStored(found: SubscriptionState, known: Subscription | undefined): Subscription | undefined {
  const { latestInvoice, isEverPaid, ...state } = found
  const planSlug = state.planSlug ?? known?.planSlug
  if (planSlug === undefined) return undefined
  const failedAt = latestInvoice?.createdAt ?? state.periodStart
  if (state.status === 'past_due') {
    // A first payment that fails has no grace period.
    return { ...state, planSlug, graceUntil: isEverPaid ? failedAt + GRACE_MS : failedAt }
  }
  // At the processor, a subscription can be active while its first payment is still processing.
  return { ...state, planSlug, status: isEverPaid ? state.status : unpaidStatus(state.status), graceUntil: null }
}

/** Returns the status of a checkout whose first payment was still processing when the buyer left it. */
function firstPaymentStatus(subscription: SubscriptionState | undefined): CheckoutStatus {
  if (subscription?.isEverPaid) return 'paid'
  return subscription === undefined || subscription.status === 'canceled' ? 'failed' : 'processing'
}

const unpaidStatus = (status: string) => (isLive(status) ? 'incomplete' : status)

/** The state of a subscription that the processor does not know: its data is gone, or the processor was replaced. */
const ended = (known: Subscription): Subscription => ({
  ...known,
  status: 'canceled',
  pendingPlanSlug: null,
  graceUntil: null,
})
