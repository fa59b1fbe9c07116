import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Stripe } from 'stripe'
import type { PlanSlug } from '../../plans/plans.ts'
import { readInvoice, readReversals } from './objects.ts'

const PLANS_OF_PRICES: Record<string, PlanSlug> = {
  price_starter: 'starter',
  price_professional: 'professional',
  price_enterprise: 'enterprise',
}
const plans = { planOf: async (priceId: string) => PLANS_OF_PRICES[priceId] }

interface Line {
  price: string
  amount: number
  isProration?: boolean
  isCredit?: boolean
}

/** Builds the part of an invoice that is read. */
function invoiceOf(lines: Line[], metadata: Record<string, string> = { mintick_account: 'a' }): Stripe.Invoice {
  const data = lines.map(({ price, amount, isProration = false, isCredit = false }) => ({
    amount,
    period: { start: 1, end: 1_000 },
    pricing: { price_details: { price } },
    parent: {
      subscription_item_details: {
        proration: isProration,
        proration_details: { credited_items: isCredit ? { invoice: 'in_0', invoice_line_items: [] } : null },
      },
    },
  }))
  return {
    id: 'in_1',
    status: 'paid',
    amount_paid: 100,
    lines: { data },
    payments: { data: [{ status: 'paid', payment: { payment_intent: 'pi_1' } }] },
    parent: { subscription_details: { metadata, subscription: 'sub_1' } },
  } as unknown as Stripe.Invoice
}

const planned = async (lines: Line[]) => {
  const invoice = await readInvoice(invoiceOf(lines), plans)
  return invoice && [invoice.planSlug, invoice.previousPlanSlug]
}

describe('the plan of an invoice', () => {
  test('of a month', async () => {
    assert.deepEqual(await planned([{ price: 'price_starter', amount: 2_900 }]), ['starter', null])
    const invoice = await readInvoice(invoiceOf([{ price: 'price_starter', amount: 2_900 }]), plans)
    assert.deepEqual(invoice, {
      id: 'in_1',
      accountId: 'a',
      subscriptionId: 'sub_1',
      isPaid: true,
      amountUsdCents: 100,
      paymentId: 'pi_1',
      planSlug: 'starter',
      previousPlanSlug: null,
      periodEnd: 1_000_000,
    })
  })

  test('of an upgrade, in whatever order its lines are', async () => {
    const credit = { price: 'price_starter', amount: -1_000, isProration: true, isCredit: true }
    const debit = { price: 'price_professional', amount: 3_000, isProration: true }
    assert.deepEqual(await planned([credit, debit]), ['professional', 'starter'])
    assert.deepEqual(await planned([debit, credit]), ['professional', 'starter'])
  })

  test('of an upgrade so late that both lines round to zero', async () => {
    const credit = { price: 'price_starter', amount: 0, isProration: true, isCredit: true }
    const debit = { price: 'price_enterprise', amount: 0, isProration: true }
    assert.deepEqual(await planned([credit, debit]), ['enterprise', 'starter'])
    assert.deepEqual(await planned([debit, credit]), ['enterprise', 'starter'])
  })

  test('of a month with prorations of the previous one is that of the month', async () => {
    const credit = { price: 'price_starter', amount: -500, isProration: true, isCredit: true }
    const debit = { price: 'price_professional', amount: 900, isProration: true }
    const month = { price: 'price_professional', amount: 9_900 }
    assert.deepEqual(await planned([credit, debit, month]), ['professional', null])
    assert.deepEqual(await planned([month, credit, debit]), ['professional', null])
  })

  test('is undefined if the invoice is not ours', async () => {
    assert.equal(await planned([{ price: 'price_of_something_else', amount: 100 }]), undefined)
    assert.equal(await readInvoice(invoiceOf([{ price: 'price_starter', amount: 2_900 }], {}), plans), undefined)
  })
})

describe('refunds and disputes', () => {
  const inForce = (refunds: string[], disputes: string[]) =>
    readReversals(
      refunds.map((status) => ({ id: status, status, amount: 1, created: 1 }) as Stripe.Refund),
      disputes.map((status) => ({ id: status, status, amount: 1, created: 1 }) as unknown as Stripe.Dispute),
    )
      .filter((reversal) => reversal.isInForce)
      .map(({ id }) => id)

  test('a refund counts unless it failed, a dispute while money is withheld', () => {
    assert.deepEqual(inForce(['pending', 'succeeded', 'failed', 'canceled', 'requires_action'], []), [
      'pending',
      'succeeded',
      'requires_action',
    ])
    const open = ['needs_response', 'under_review', 'lost', 'appeal_needs_response']
    assert.deepEqual(inForce([], [...open, 'won', 'prevented', 'warning_needs_response', 'warning_closed']), open)
  })
})
