import type Stripe from 'stripe'
import { monthAt } from './billing-period.ts'
import { collectInvoice, subscriptionOfInvoice } from './invoice-collection.ts'
import { itemOf, monthLine } from './invoice-lines.ts'
import { addInvoice } from './invoices.ts'
import { endSubscription } from './subscriptions.ts'
import type { SandboxTransaction } from './transaction.ts'

/** Starts the next period of a subscription, or ends it if it is to be canceled. */
export async function renewSubscription(tx: SandboxTransaction, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.cancel_at_period_end) {
    await endSubscription(tx, subscription, 'cancellation_requested')
    return
  }
  const item = itemOf(subscription)
  const last = { start: item.current_period_start, end: item.current_period_end }
  const month = monthAt(subscription.billing_cycle_anchor, last.end)
  item.current_period_start = month.start
  item.current_period_end = month.end
  tx.setDueAt(subscription, month.end)
  const lines = [await monthLine(tx, subscription, item.price, month)]
  const invoice = await addInvoice(tx, { subscription, reason: 'subscription_cycle', lines, period: last })
  subscription.latest_invoice = invoice.id
  tx.emitUpdate('customer.subscription.updated', subscription)
  await collectInvoice(tx, invoice)
}

/** Tries again to collect an invoice; ends the subscription after the last attempt. */
export async function retryInvoice(tx: SandboxTransaction, invoice: Stripe.Invoice): Promise<void> {
  const isPaid = await collectInvoice(tx, invoice)
  if (isPaid || invoice.next_payment_attempt !== null) return
  await endSubscription(tx, await subscriptionOfInvoice(tx, invoice), 'payment_failed')
}
