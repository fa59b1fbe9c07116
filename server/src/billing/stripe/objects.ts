import type { Stripe } from 'stripe'
import { SECOND } from '../../model/time.ts'
import type { PlanSlug } from '../../plans/plans.ts'
import type { CheckoutState, InvoiceState, ReversalState, SubscriptionState } from '../processor.ts'

interface Plans {
  planOf(priceId: string): Promise<PlanSlug | undefined>
}

/** Returns the id of a field that may be expanded into the object. */
export const toId = (value: string | { id: string }) => (typeof value === 'string' ? value : value.id)

const toIdOrNull = (value: string | { id: string } | null | undefined) => (value == null ? null : toId(value))

export function readCheckout(session: Stripe.Checkout.Session): CheckoutState | undefined {
  const metadata = session.metadata ?? {}
  if (metadata.mintick_account === undefined) return undefined
  return {
    id: session.id,
    accountId: metadata.mintick_account,
    status: checkoutStatus(session),
    packageId: metadata.mintick_package ?? null,
    credits: Number(metadata.mintick_credits ?? 0),
    amountUsdCents: session.amount_total ?? 0,
    paymentId: toIdOrNull(session.payment_intent),
    subscriptionId: toIdOrNull(session.subscription),
  }
}

/**
 * Returns the status of a checkout. A session is complete when the buyer has finished; the payment may still be
 * processing, or have failed since. For a plan, only the subscription tells which (fulfilment.ts).
 */
function checkoutStatus(session: Stripe.Checkout.Session): CheckoutState['status'] {
  const { status, payment_status: payment, payment_intent: intent } = session
  if (status === 'expired') return 'expired'
  if (status !== 'complete') return 'open'
  if (payment !== 'unpaid') return 'paid'
  const state = intent === null || typeof intent === 'string' ? undefined : intent.status
  return state === 'requires_payment_method' || state === 'canceled' ? 'failed' : 'processing'
}

/** Returns undefined if the invoice is not for one of our plans. */
export async function readInvoice(invoice: Stripe.Invoice, plans: Plans): Promise<InvoiceState | undefined> {
  const details = invoice.parent?.subscription_details
  const accountId = details?.metadata?.mintick_account
  if (details == null || accountId === undefined) return undefined
  const lines: PlanLine[] = []
  for (const line of invoice.lines.data) {
    const price = line.pricing?.price_details?.price
    const planSlug = price === undefined ? undefined : await plans.planOf(toId(price))
    if (planSlug !== undefined) lines.push({ line, planSlug })
  }
  const paid = lines.find(({ line }) => !isProration(line)) ?? lines.findLast(({ line }) => !isCredit(line))
  if (paid === undefined) return undefined
  // An upgrade credits the old plan. On the invoice of a whole month, prorations of the previous month are only money.
  const isChange = isProration(paid.line)
  const previous = isChange
    ? lines.find(({ line, planSlug }) => isCredit(line) || planSlug !== paid.planSlug)
    : undefined
  return {
    id: invoice.id,
    accountId,
    subscriptionId: toId(details.subscription),
    isPaid: invoice.status === 'paid',
    amountUsdCents: invoice.amount_paid,
    paymentId: paymentOf(invoice),
    planSlug: paid.planSlug,
    previousPlanSlug: previous?.planSlug ?? null,
    periodEnd: paid.line.period.end * SECOND,
  }
}

interface PlanLine {
  line: Stripe.InvoiceLineItem
  planSlug: PlanSlug
}

function isProration({ parent }: Stripe.InvoiceLineItem): boolean {
  return detailsOf(parent)?.proration ?? false
}

/** Returns whether the line credits the unused part of the old plan. The amount may round to zero. */
function isCredit({ parent, amount }: Stripe.InvoiceLineItem): boolean {
  return amount < 0 || detailsOf(parent)?.proration_details?.credited_items != null
}

const detailsOf = (parent: Stripe.InvoiceLineItem['parent']) =>
  parent?.subscription_item_details ?? parent?.invoice_item_details

function paymentOf({ payments }: Stripe.Invoice): string | null {
  const paid = payments?.data.find(({ status }) => status === 'paid')
  return toIdOrNull(paid?.payment.payment_intent)
}

export async function readSubscription(
  subscription: Stripe.Subscription,
  plans: Plans,
): Promise<SubscriptionState | undefined> {
  const accountId = subscription.metadata.mintick_account
  const item = subscription.items.data[0]
  if (accountId === undefined || item === undefined) return undefined
  const { latest_invoice: latest } = subscription
  const invoice = typeof latest === 'string' ? null : latest
  return {
    id: subscription.id,
    accountId,
    planSlug: await plans.planOf(item.price.id),
    // Stripe can be set up to report a failed payment as `unpaid` after its retries.
    status: subscription.status === 'unpaid' ? 'past_due' : subscription.status,
    anchor: subscription.billing_cycle_anchor * SECOND,
    periodStart: item.current_period_start * SECOND,
    periodEnd: item.current_period_end * SECOND,
    cancelAtPeriodEnd: isEnding(subscription),
    pendingPlanSlug: (await pendingPlan(subscription, plans)) ?? null,
    createdAt: subscription.created * SECOND,
    latestInvoice: invoice && { id: invoice.id, createdAt: invoice.created * SECOND },
    isEverPaid: invoice?.billing_reason !== 'subscription_create' || invoice.status === 'paid',
  }
}

/** Returns whether it ends with its month, or on a day chosen in the dashboard. */
export function isEnding(subscription: Stripe.Subscription): boolean {
  return subscription.cancel_at_period_end || subscription.cancel_at !== null
}

/** Returns the plan of the phase after the current one. */
async function pendingPlan({ schedule }: Stripe.Subscription, plans: Plans): Promise<PlanSlug | undefined> {
  if (schedule === null || typeof schedule === 'string') return undefined
  const { current_phase: current, phases } = schedule
  const next = current && phases.find((phase) => phase.start_date >= current.end_date)
  const price = next?.items[0]?.price
  return price === undefined ? undefined : plans.planOf(toId(price))
}

/** A refund counts unless it failed. A dispute counts while money is withheld, which inquiries do not do. */
export function readReversals(refunds: readonly Stripe.Refund[], disputes: readonly Stripe.Dispute[]): ReversalState[] {
  return [
    ...refunds.map((refund) => ({
      id: refund.id,
      kind: 'refund' as const,
      amountUsdCents: refund.amount,
      createdAt: refund.created * SECOND,
      isInForce: refund.status !== 'failed' && refund.status !== 'canceled',
    })),
    ...disputes.map((dispute) => ({
      id: dispute.id,
      kind: 'dispute' as const,
      amountUsdCents: dispute.amount,
      createdAt: dispute.created * SECOND,
      isInForce: !DISPUTES_NOT_WITHHELD.has(dispute.status),
    })),
  ]
}

const DISPUTES_NOT_WITHHELD = new Set([
  'won',
  'prevented',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
])
