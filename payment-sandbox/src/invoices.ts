import type Stripe from 'stripe'
import type { BillingPeriod } from './billing-period.ts'
import { completeList, newId, objectId } from './objects.ts'
import { PAGE_PARAMS, type ParamsOf, param, required } from './params.ts'
import { MINIMUM_CHARGE_CENTS } from './payments.ts'
import type { ObjectPage, SandboxTransaction } from './transaction.ts'

export interface InvoiceOrder {
  subscription: Stripe.Subscription
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
  lines: Stripe.InvoiceLineItem[]
  period: BillingPeriod
}

/** Adds an open invoice, reduced by the customer's credit. The caller has to collect it. */
export async function addInvoice(tx: SandboxTransaction, order: InvoiceOrder): Promise<Stripe.Invoice> {
  const customer = await tx.get('customer', objectId(order.subscription.customer))
  const invoice = newInvoice(tx, order, customer, newId('in'))
  const number = customer.next_invoice_sequence ?? 1
  invoice.number = `${customer.invoice_prefix}-${String(number).padStart(4, '0')}`
  invoice.status = 'open'
  invoice.effective_at = tx.now
  invoice.status_transitions.finalized_at = tx.now
  for (const line of invoice.lines.data) line.invoice = invoice.id
  customer.next_invoice_sequence = number + 1
  customer.balance = invoice.ending_balance ?? 0
  return tx.add(invoice)
}

export const LIST_INVOICE_PAYMENTS = {
  ...PAGE_PARAMS,
  invoice: param.string,
  payment: param.object({ type: required(param.enum('payment_intent')), payment_intent: required(param.string) }),
}

export function listInvoicePayments(
  tx: SandboxTransaction,
  params: ParamsOf<typeof LIST_INVOICE_PAYMENTS>,
): Promise<ObjectPage<Stripe.InvoicePayment>> {
  const { invoice, payment } = params
  return tx.list('invoice_payment', { invoice, payment_intent: payment?.payment_intent }, params)
}

export async function paymentsOfInvoice(
  tx: SandboxTransaction,
  id: string,
): Promise<Stripe.ApiList<Stripe.InvoicePayment>> {
  return completeList(await tx.listAll('invoice_payment', { invoice: id }), '/v1/invoice_payments')
}

export function newInvoice(
  tx: SandboxTransaction,
  order: InvoiceOrder,
  customer: Stripe.Customer,
  id: string,
): Stripe.Invoice {
  const { subscription, lines, period } = order
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const { due, left } = settle(total, customer.balance)
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: order.reason,
    collection_method: 'charge_automatically',
    created: tx.now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: left,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: completeList(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  }
}

/**
 * Returns the amount due and the customer's new balance, which is negative for credit. An amount below the minimum charge
 * is carried over to the next invoice.
 */
function settle(total: number, balance: number): { due: number; left: number } {
  const sum = total + balance
  return sum >= MINIMUM_CHARGE_CENTS ? { due: sum, left: 0 } : { due: 0, left: sum }
}
