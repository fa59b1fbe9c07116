import assert from 'node:assert/strict'
import type { PaymentProcessor, SubscriptionState } from '../../src/billing/processor.ts'
import { PLANS, type PlanSlug } from '../../src/plans/plans.ts'
import type { ReferenceAccount } from './reference.ts'
import { answering } from './remembering.ts'

/**
 * Wraps the processor so that the reference accounts receive its responses at the same time as the service. A payment
 * counts from then on: it cannot be spent earlier.
 */
export function hearing(
  processor: PaymentProcessor,
  accounts: ReadonlyMap<string, ReferenceAccount>,
  now: () => number,
): PaymentProcessor {
  const payments = new Map<string, { accountId: string; purchase: string }>()
  const creditsOf = (slug: PlanSlug | null) => (slug === null ? 0 : (PLANS[slug].monthlyCredits ?? 0))
  const hear = (found: SubscriptionState | undefined) => {
    if (found?.planSlug === undefined) return
    const failedInvoiceAt = found.latestInvoice?.createdAt ?? null
    accounts.get(found.accountId)?.hear({ ...found, planSlug: found.planSlug, failedInvoiceAt }, now())
  }
  return answering(processor, {
    async findCheckout(id) {
      const session = await processor.findCheckout(id)
      if (session?.status !== 'paid' || session.subscriptionId !== null) return session
      const { accountId, paymentId, credits, amountUsdCents: cents } = session
      accounts.get(accountId)?.pay({ id, credits, cents }, now())
      if (paymentId !== null) payments.set(paymentId, { accountId, purchase: id })
      return session
    },
    async findInvoice(id) {
      const invoice = await processor.findInvoice(id)
      if (!invoice?.isPaid) return invoice
      const { accountId, paymentId, planSlug, previousPlanSlug, amountUsdCents: cents, periodEnd } = invoice
      const credits = creditsOf(planSlug) - creditsOf(previousPlanSlug)
      // The subscription decides whether past months have expired, so the reference reads it before the invoice.
      hear(await processor.findSubscription(invoice.subscriptionId))
      accounts.get(accountId)?.pay({ id, credits, cents, periodEnd }, now())
      if (paymentId !== null) payments.set(paymentId, { accountId, purchase: id })
      return invoice
    },
    async findSubscription(id) {
      const found = await processor.findSubscription(id)
      hear(found)
      return found
    },
    async cancelNow(id) {
      for (const account of accounts.values()) assert.ok(!account.isPaidFor(id, now()), 'a plan in force was ended')
      await processor.cancelNow(id)
    },
    async listReversals(paymentId) {
      const told = await processor.listReversals(paymentId)
      const paid = payments.get(paymentId)
      if (paid !== undefined) accounts.get(paid.accountId)?.reverse(paid.purchase, told, now())
      return told
    },
  })
}
