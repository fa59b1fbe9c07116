import type { CreditPack } from '../plans/packs.ts'
import type { PlanSlug } from '../plans/plans.ts'
import type { CheckoutStatus } from '../store/billing/checkouts.ts'
import type { ReceivedEvent } from '../store/billing/processor-events.ts'

/** A pack, bought once, or a plan, paid every month. */
export type Product = { pack: CreditPack } | { planSlug: PlanSlug }

export type Order = Product & { accountId: string }

/** The state of a checkout session. */
export interface CheckoutState {
  id: string
  accountId: string
  status: CheckoutStatus
  packageId: string | null
  credits: number
  amountUsdCents: number
  paymentId: string | null
  subscriptionId: string | null
}

/** An invoice of a subscription: for a month, or after an upgrade for the rest of one. */
export interface InvoiceState {
  id: string
  accountId: string
  subscriptionId: string
  isPaid: boolean
  amountUsdCents: number
  paymentId: string | null
  planSlug: PlanSlug
  /** After an upgrade, the plan before it. */
  previousPlanSlug: PlanSlug | null
  periodEnd: number
}

export interface SubscriptionState {
  id: string
  accountId: string
  /** Undefined if its price belongs to none of our plans. */
  planSlug: PlanSlug | undefined
  status: string
  anchor: number
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  pendingPlanSlug: PlanSlug | null
  createdAt: number
  latestInvoice: { id: string; createdAt: number } | null
  /** Whether the first month was paid. */
  isEverPaid: boolean
}

export interface ReversalState {
  id: string
  kind: 'refund' | 'dispute'
  amountUsdCents: number
  createdAt: number
  /** Whether the money was paid back or is withheld. */
  isInForce: boolean
}

/** The buyer's bank refused the payment. The message may be shown. */
export class PaymentDeclined extends Error {}

/** The subscription is no longer on the plan that the change starts from. */
export class PlanConflict extends Error {}

/** A webhook request that is not from the processor or not of a handled type. The message may be shown. */
export class WebhookRejected extends Error {}

/** The processor does not know the customer: it has been replaced by another, or its data removed. */
export class UnknownCustomer extends Error {}

/**
 * Sells plans and packs. `find…` returns the current state of an object, or undefined if it does not exist or is not
 * ours; every other failure is thrown.
 */
export interface PaymentProcessor {
  /** Identifies the processor and our account there. */
  readonly name: string

  createCustomer(account: { id: string; email: string | null; name: string | null }): Promise<string>
  /** Succeeds if there is no such customer. The processor keeps the payments. */
  deleteCustomer(customerId: string): Promise<void>

  /** `key` is the idempotency key: repeated requests return the same session. */
  createCheckout(order: Order, customerId: string, key: string): Promise<{ sessionId: string; url: string }>
  /** Returns false if the session was completed before it could expire. */
  expireCheckout(sessionId: string): Promise<boolean>
  createPortal(customerId: string): Promise<string>

  findCheckout(sessionId: string): Promise<CheckoutState | undefined>
  findInvoice(invoiceId: string): Promise<InvoiceState | undefined>
  findSubscription(subscriptionId: string): Promise<SubscriptionState | undefined>
  /** Returns the checkout session or invoice that a payment paid. */
  findCheckoutOrInvoice(paymentId: string): Promise<{ kind: 'checkout' | 'invoice'; id: string } | undefined>
  listReversals(paymentId: string): Promise<ReversalState[]>

  /** Returns the amount due at once, in cents. */
  previewUpgrade(subscriptionId: string, planSlug: PlanSlug): Promise<number>
  /** Changes the plan and charges it at once, or throws: PlanConflict if the plan is not `from`. Returns the invoice. */
  upgrade(subscriptionId: string, from: string, to: PlanSlug): Promise<string | undefined>
  /** Schedules the change for the end of the month that is paid. */
  downgrade(subscriptionId: string, planSlug: PlanSlug): Promise<void>
  /** Removes a scheduled change or cancellation. */
  clearPendingChanges(subscriptionId: string): Promise<void>
  cancelAtPeriodEnd(subscriptionId: string): Promise<void>
  cancelNow(subscriptionId: string): Promise<void>

  /** Parses a webhook request; undefined if it names no object. Throws WebhookRejected. */
  readEvent(body: string, signature: string | undefined, now: number): Promise<ReceivedEvent | undefined>
  /** Lists events since a time, oldest first. */
  listEvents(since: number): Promise<ReceivedEvent[]>
}
