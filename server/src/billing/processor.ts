import type { CreditPack } from '../plans/packs.ts'
import type { PlanSlug } from '../plans/plans.ts'
import type { CheckoutStatus } from '../store/billing/checkouts.ts'
import type { ReceivedEvent } from '../store/billing/events.ts'

/** What can be bought: a pack once, or a plan every month. */
export type Sold = { pack: CreditPack } | { planSlug: PlanSlug }

export type Order = Sold & { accountId: string }

/** A session at the processor's own page, as it stands. */
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

/** A bill of a subscription: for a month, or for the rest of one after a change to a dearer plan. */
export interface InvoiceState {
  id: string
  accountId: string
  subscriptionId: string
  isPaid: boolean
  amountUsdCents: number
  paymentId: string | null
  planSlug: PlanSlug
  /** The plan that was paid for until then. */
  previousPlanSlug: PlanSlug | null
  periodEnd: number
}

export interface SubscriptionState {
  id: string
  accountId: string
  /** Undefined when its price is none of our plans'. */
  planSlug: PlanSlug | undefined
  status: string
  anchor: number
  periodStart: number
  periodEnd: number
  cancelAtPeriodEnd: boolean
  pendingPlanSlug: PlanSlug | null
  createdAt: number
  latestInvoice: { id: string; createdAt: number } | null
  /** The first month, at least. */
  isEverPaid: boolean
}

export interface ReversalState {
  id: string
  kind: 'refund' | 'dispute'
  amountUsdCents: number
  createdAt: number
  /** Money has been paid back for it, or is held back. */
  isInForce: boolean
}

/** The payment was refused: a matter between the buyer and their bank. */
export class PaymentDeclined extends Error {}

/** Somebody else has changed the plan meanwhile. */
export class PlanMoved extends Error {}

/** A message that is not from the processor, or not what it was to send. Its text may be shown. */
export class MessageRefused extends Error {}

/** The processor knows no such customer: it was changed, or its data removed. */
export class UnknownCustomer extends Error {}

/**
 * Who takes the money. What it says of an object is as of now; undefined means that there is no such object, or that it
 * is none of ours. Every other failure is thrown.
 */
export interface PaymentProcessor {
  /** Tells it from another, or from another account there. */
  readonly name: string

  createCustomer(account: { id: string; email: string | null; name: string | null }): Promise<string>

  /** `key` names the order: however often it is asked for, there is one session. */
  createCheckout(order: Order, customerId: string, key: string): Promise<{ sessionId: string; url: string }>
  /** False when it is too late: it was completed or has expired. */
  expireCheckout(sessionId: string): Promise<boolean>
  createPortal(customerId: string): Promise<string>

  findCheckout(sessionId: string): Promise<CheckoutState | undefined>
  findInvoice(invoiceId: string): Promise<InvoiceState | undefined>
  findSubscription(subscriptionId: string): Promise<SubscriptionState | undefined>
  /** What a payment was for. */
  findPaid(paymentId: string): Promise<{ kind: 'checkout' | 'invoice'; id: string } | undefined>
  listReversals(paymentId: string): Promise<ReversalState[]>

  /** What has to be paid at once for the change. */
  previewUpgrade(subscriptionId: string, planSlug: PlanSlug): Promise<number>
  /** At once and paid at once, or not at all; throws PlanMoved if the plan is not `from` any more. Gives the bill. */
  upgrade(subscriptionId: string, from: string, to: PlanSlug): Promise<string | undefined>
  /** With the end of the month that is paid. */
  downgrade(subscriptionId: string, planSlug: PlanSlug): Promise<void>
  /** The subscription goes on as it is: nothing is pending, nothing ends. */
  keep(subscriptionId: string): Promise<void>
  cancelAtPeriodEnd(subscriptionId: string): Promise<void>
  cancelNow(subscriptionId: string): Promise<void>

  /** What a message of the processor says; undefined when it is about nothing of ours. Throws MessageRefused. */
  readEvent(body: string, signature: string | undefined, now: number): Promise<ReceivedEvent | undefined>
  /** Events since a time, the oldest first. */
  listEvents(since: number): Promise<ReceivedEvent[]>
}
