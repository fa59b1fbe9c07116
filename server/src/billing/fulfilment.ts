import type { Clock } from '../clock.ts'
import { DAY } from '../model/time.ts'
import { PLANS } from '../plans/plans.ts'
import type { CheckoutStatus } from '../store/billing/checkouts.ts'
import type { EventSubject } from '../store/billing/events.ts'
import type { StoredPurchase } from '../store/billing/purchases.ts'
import { isLive, type Subscription } from '../store/billing/subscriptions.ts'
import type { Store } from '../store/store.ts'
import { creditsOfChange, subscriptionRules } from './plan-rules.ts'
import type { CheckoutState, InvoiceState, PaymentProcessor, SubscriptionState } from './processor.ts'
import { reversalsInForce } from './reversal-rule.ts'

/** After a payment for the next month has failed, the plan stays in force for so long. */
export const GRACE_MS = 7 * DAY

/**
 * Brings what we keep up to what the processor says now. Events, the page after a payment, the sweeper and our own calls
 * all end here: each only names an object, which is asked for anew. So it does not matter how often, in which order or
 * from where something is told, or whether it broke off in between.
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
    /** The balance, the plan or the keys of the account may be others now. */
    onChanged: (accountId: string) => Promise<void>
  }) {
    this.#store = deps.store
    this.#processor = deps.processor
    this.#clock = deps.clock
    this.#onChanged = deps.onChanged
  }

  async lookAt({ kind, id }: EventSubject): Promise<void> {
    switch (kind) {
      case 'checkout':
        await this.checkout(id)
        return
      case 'invoice':
        await this.invoice(id)
        return
      case 'subscription':
        await this.subscription(id)
        return
      case 'payment':
        await this.payment(id)
    }
  }

  /** What a session has come to; undefined when it is none of ours. */
  async checkout(sessionId: string): Promise<CheckoutState | undefined> {
    const session = await this.#processor.findCheckout(sessionId)
    if (session === undefined || !(await this.#isOurs(session))) return undefined
    let { status } = session
    if (session.subscriptionId !== null) {
      const subscription = await this.subscription(session.subscriptionId)
      if (status === 'processing') status = firstPayment(subscription)
    } else if (status === 'paid') {
      await this.#sell(session)
    }
    // Last, because whoever finds it settled looks no further.
    const begun = await this.#store.checkouts.findBySession(sessionId)
    if (begun !== undefined) await this.#store.checkouts.settle(begun.id, status, this.#clock.now())
    return { ...session, status }
  }

  async invoice(invoiceId: string): Promise<void> {
    const invoice = await this.#processor.findInvoice(invoiceId)
    if (invoice === undefined || !(await this.#isOurs(invoice))) return
    // First, because whether there is a subscription decides on months that are over.
    await this.#applySubscription(invoice.subscriptionId)
    await this.#grantMonth(invoice)
  }

  /** With its last bill, should nobody have told of that. */
  async subscription(subscriptionId: string): Promise<SubscriptionState | undefined> {
    const subscription = await this.#applySubscription(subscriptionId)
    const latest = subscription?.latestInvoice
    const invoice = latest && (await this.#processor.findInvoice(latest.id))
    if (invoice != null) await this.#grantMonth(invoice)
    return subscription
  }

  /** The refunds and disputes of a payment. What was paid for is seen to first, if nobody has told of it yet. */
  async payment(paymentId: string): Promise<void> {
    const purchase = (await this.#store.purchases.findByPayment(paymentId)) ?? (await this.#findPurchase(paymentId))
    if (purchase === undefined) return
    const read = await this.#store.readOrder.next(paymentId)
    const reversals = reversalsInForce(purchase, await this.#processor.listReversals(paymentId))
    await this.#store.reversals.apply(purchase, reversals, read, this.#clock.now())
    await this.#onChanged(purchase.accountId)
  }

  async #findPurchase(paymentId: string): Promise<StoredPurchase | undefined> {
    const paid = await this.#processor.findPaid(paymentId)
    if (paid === undefined) return undefined
    await this.lookAt(paid)
    return this.#store.purchases.findByPayment(paymentId)
  }

  async #sell(session: CheckoutState): Promise<void> {
    const { id, accountId, paymentId, credits, amountUsdCents, packageId } = session
    await this.#store.purchases.fulfil(
      { id, accountId, paymentId, credits, amountUsdCents, periodEnd: null },
      `${credits.toLocaleString('en-US')} credits`,
      { packageId, sessionId: id },
      this.#clock.now(),
    )
    await this.#onChanged(accountId)
  }

  /** A month of a plan brings its credits; the rest of a month on a dearer plan what that brings more. */
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
    const subscription = found === undefined ? known && ended(known) : toKept(found, known)
    if (subscription === undefined || !(await this.#isOurs(subscription))) return undefined
    await this.#store.subscriptions.apply(subscription, read, subscriptionRules(this.#clock.now()))
    await this.#onChanged(subscription.accountId)
    return found
  }

  async #isOurs({ accountId }: { accountId: string }): Promise<boolean> {
    return (await this.#store.accounts.find(accountId)) !== undefined
  }
}

/** Undefined when its price is none of ours and never was. Whoever gives it another price does not change the plan. */
function toKept(found: SubscriptionState, known: Subscription | undefined): Subscription | undefined {
  const { latestInvoice, isEverPaid, ...state } = found
  const planSlug = state.planSlug ?? known?.planSlug
  if (planSlug === undefined) return undefined
  const failedAt = latestInvoice?.createdAt ?? state.periodStart
  if (state.status === 'past_due') {
    // There is no grace for what was never paid.
    return { ...state, planSlug, graceUntil: isEverPaid ? failedAt + GRACE_MS : failedAt }
  }
  // The processor lets it begin while the first payment is still on its way.
  return { ...state, planSlug, status: isEverPaid ? state.status : unpaidStatus(state.status), graceUntil: null }
}

/** How the first payment of a subscription stands that was on its way when the buyer was done. */
function firstPayment(subscription: SubscriptionState | undefined): CheckoutStatus {
  if (subscription?.isEverPaid) return 'paid'
  return subscription === undefined || subscription.status === 'canceled' ? 'failed' : 'processing'
}

const unpaidStatus = (status: string) => (isLive(status) ? 'incomplete' : status)

/** One that we know and the processor does not: the processor was changed, or its data removed. */
const ended = (known: Subscription): Subscription => ({
  ...known,
  status: 'canceled',
  pendingPlanSlug: null,
  graceUntil: null,
})
