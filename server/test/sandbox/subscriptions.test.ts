import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { DAY, HOUR } from '../../src/model/time.ts'
import { addMonths } from '../../src/plans/period.ts'
import { runs } from '../depth.ts'
import { FakeClock, onEveryEngine } from '../harness.ts'
import { SandboxRig } from './rig.ts'

const itemOf = (subscription: Stripe.Subscription) => {
  const [item] = subscription.items.data
  assert.ok(item !== undefined)
  return item
}
const sum = (invoice: Stripe.Invoice) => invoice.lines.data.reduce((total, line) => total + line.amount, 0)

onEveryEngine('subscriptions', (engine) => {
  let rig: SandboxRig
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
  })
  afterEach(() => rig.close())
  const invoicesOf = async (subscription: Stripe.Subscription) =>
    (await Array.fromAsync(rig.stripe.invoices.list({ subscription: subscription.id, limit: 3 }))).reverse()
  const reload = (subscription: Stripe.Subscription) => rig.stripe.subscriptions.retrieve(subscription.id)
  const change = (subscription: Stripe.Subscription, price: Stripe.Price, more: Stripe.SubscriptionUpdateParams = {}) =>
    rig.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price: price.id }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      ...more,
    })
  const toPeriodEnd = async (subscription: Stripe.Subscription) =>
    rig.pass(itemOf(await reload(subscription)).current_period_end * 1_000 - rig.clock.now())

  test('checkout of a subscription emits its creation, the paid invoice and the session, in this order', async () => {
    const subscription = await rig.subscribe(await rig.price(4_900, true))
    assert.equal(subscription.status, 'active')
    assert.deepEqual(subscription.metadata, { of: 'subscription' })
    assert.equal(itemOf(subscription).current_period_end, addMonths(rig.nowSeconds * 1_000, 1) / 1_000)
    assert.deepEqual(await rig.eventTypes(), [
      'customer.subscription.created',
      'invoice.paid',
      'checkout.session.completed',
    ])
    const expanded = await rig.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice', 'latest_invoice.payments', 'schedule'],
    })
    const invoice = expanded.latest_invoice as Stripe.Invoice
    assert.deepEqual(
      [invoice.billing_reason, invoice.status, invoice.amount_paid, invoice.parent?.subscription_details?.subscription],
      ['subscription_create', 'paid', 4_900, subscription.id],
    )
    const payment = invoice.payments?.data[0]?.payment.payment_intent
    assert.ok(typeof payment === 'string')
    const found = await rig.stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: payment },
    })
    assert.deepEqual(
      found.data.map((one) => one.invoice),
      [invoice.id],
    )
    const [session] = (await rig.stripe.checkout.sessions.list({ subscription: subscription.id })).data
    assert.deepEqual([session?.payment_status, session?.invoice, session?.payment_intent], ['paid', invoice.id, null])
    assert.equal(invoice.lines.data[0]?.pricing?.price_details?.price, itemOf(subscription).price.id)
    assert.equal(invoice.lines.data[0]?.parent?.subscription_item_details?.proration, false)
  })

  test('after months of downtime every renewal has its own time', async () => {
    const subscription = await rig.subscribe(await rig.price(4_900, true))
    rig.listener.isListening = false
    await rig.pass(93 * DAY)
    const invoices = await invoicesOf(subscription)
    const start = subscription.billing_cycle_anchor * 1_000
    assert.deepEqual(
      invoices.map((invoice) => [
        invoice.created,
        invoice.status,
        invoice.billing_reason,
        invoice.lines.data[0]?.period,
      ]),
      [0, 1, 2, 3].map((month) => [
        addMonths(start, month) / 1_000,
        'paid',
        month === 0 ? 'subscription_create' : 'subscription_cycle',
        { start: addMonths(start, month) / 1_000, end: addMonths(start, month + 1) / 1_000 },
      ]),
    )
    const { data } = await rig.stripe.events.list({ types: ['invoice.paid'] })
    assert.deepEqual(
      data.map((event) => event.created),
      invoices.map((invoice) => invoice.created).reverse(),
    )
    assert.equal(itemOf(await reload(subscription)).current_period_end, addMonths(start, 4) / 1_000)
  })

  test('an upgrade is prorated by the second, as its preview says', async () => {
    const [small, large] = [await rig.price(4_900, true), await rig.price(19_900, true)]
    const subscription = await rig.subscribe(small)
    await rig.pass(11 * DAY + 5 * HOUR + 7_000)
    const { current_period_start: start, current_period_end: end, id } = itemOf(subscription)
    const preview = await rig.stripe.invoices.createPreview({
      customer: String(subscription.customer),
      subscription: subscription.id,
      subscription_details: {
        items: [{ id, price: large.id }],
        proration_behavior: 'always_invoice',
        proration_date: rig.nowSeconds,
      },
    })
    assert.deepEqual((await rig.eventTypes()).length, 3)
    const changed = await change(subscription, large)
    const invoice = await rig.stripe.invoices.retrieve(String(changed.latest_invoice), { expand: ['payments'] })
    const share = (cents: number) => Math.round((cents * (end - rig.nowSeconds)) / (end - start))
    assert.deepEqual(
      invoice.lines.data.map((line) => [
        line.amount,
        line.period,
        line.parent?.subscription_item_details?.proration,
        line.pricing?.price_details?.price,
      ]),
      [
        [-share(4_900), { start: rig.nowSeconds, end }, true, small.id],
        [share(19_900), { start: rig.nowSeconds, end }, true, large.id],
      ],
    )
    assert.deepEqual(
      [invoice.billing_reason, invoice.status, invoice.total],
      ['subscription_update', 'paid', sum(invoice)],
    )
    assert.equal(preview.total, invoice.total)
    assert.deepEqual(
      preview.lines.data.map(({ amount, period }) => ({ amount, period })),
      invoice.lines.data.map(({ amount, period }) => ({ amount, period })),
    )
    assert.deepEqual([itemOf(changed).price.id, itemOf(changed).current_period_end], [large.id, end])
    assert.equal(changed.billing_cycle_anchor, subscription.billing_cycle_anchor)
    await toPeriodEnd(subscription)
    assert.deepEqual(
      (await invoicesOf(subscription)).map(({ total }) => total),
      [4_900, invoice.total, 19_900],
    )
  })

  test('any change at any second costs what its preview says, and the exact share of the month', async () => {
    const cents = fc.integer({ min: 0, max: 100_000 })
    const seconds = fc.integer({ min: 0, max: 20 * 86_400 })
    await fc.assert(
      fc.asyncProperty(cents, cents, seconds, async (from, to, wait) => {
        const [old, next] = [await rig.price(from, true), await rig.price(to, true)]
        const subscription = await rig.subscribe(old)
        const { id, current_period_start: start, current_period_end: end } = itemOf(subscription)
        await rig.pass(wait * 1_000)
        const preview = await rig.stripe.invoices.createPreview({
          subscription: subscription.id,
          subscription_details: { items: [{ id, price: next.id }], proration_behavior: 'always_invoice' },
        })
        const changed = await change(subscription, next)
        const invoice = await rig.stripe.invoices.retrieve(String(changed.latest_invoice))
        assert.deepEqual(
          [preview.total, preview.amount_due, preview.ending_balance],
          [invoice.total, invoice.amount_due, invoice.ending_balance],
        )
        const left = (end - rig.nowSeconds) / (end - start)
        const [credit, debit] = invoice.lines.data
        assert.ok(Math.abs((credit?.amount ?? Number.NaN) + from * left) <= 0.5)
        assert.ok(Math.abs((debit?.amount ?? Number.NaN) - to * left) <= 0.5)
        assert.equal(invoice.amount_due + (invoice.ending_balance ?? 0), sum(invoice) + invoice.starting_balance)
      }),
      { numRuns: runs(2, 6) },
    )
  })

  test('an upgrade with a declined card is refused and changes nothing', async () => {
    const [small, large] = [await rig.price(4_900, true), await rig.price(19_900, true)]
    const subscription = await rig.subscribe(small)
    const before = await reload(subscription)
    await rig.sandbox.setCard(String(subscription.customer), 'declined')
    const count = (await rig.eventTypes()).length
    await assert.rejects(change(subscription, large), {
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
    assert.deepEqual(await reload(subscription), before)
    assert.equal((await invoicesOf(subscription)).length, 1)
    assert.equal((await rig.eventTypes()).length, count)
  })

  test('an unpaid upgrade with allow_incomplete leaves the subscription past due until it is paid', async () => {
    const [small, large] = [await rig.price(4_900, true), await rig.price(19_900, true)]
    const subscription = await rig.subscribe(small)
    await rig.sandbox.setCard(String(subscription.customer), 'declined')
    const changed = await change(subscription, large, { payment_behavior: 'allow_incomplete' })
    assert.deepEqual([changed.status, itemOf(changed).price.id], ['past_due', large.id])
    const invoice = String(changed.latest_invoice)
    await assert.rejects(rig.stripe.invoices.pay(invoice), { statusCode: 402, code: 'card_declined' })
    await rig.sandbox.setCard(String(subscription.customer), 'works')
    assert.equal((await rig.stripe.invoices.pay(invoice)).status, 'paid')
    assert.equal((await reload(subscription)).status, 'active')
    await assert.rejects(rig.stripe.invoices.pay(invoice), /already paid/)
    await rig.pass(10 * DAY)
    assert.equal((await invoicesOf(subscription)).length, 2)
  })

  test('a downgrade leaves credit that later invoices use', async () => {
    const [small, large] = [await rig.price(4_900, true), await rig.price(19_900, true)]
    const subscription = await rig.subscribe(large)
    await rig.pass(10 * DAY)
    const changed = await change(subscription, small)
    const invoice = await rig.stripe.invoices.retrieve(String(changed.latest_invoice), { expand: ['payments'] })
    assert.ok(invoice.total < 0)
    assert.deepEqual([invoice.status, invoice.amount_due, invoice.payments?.data], ['paid', 0, []])
    const credit = async () => {
      const customer = await rig.stripe.customers.retrieve(String(subscription.customer))
      return customer.deleted ? undefined : customer.balance
    }
    assert.equal(await credit(), invoice.total)
    await toPeriodEnd(subscription)
    assert.equal(await credit(), invoice.total + 4_900)
  })

  test('a change without proration costs nothing until the next period', async () => {
    const [small, large] = [await rig.price(4_900, true), await rig.price(19_900, true)]
    const subscription = await rig.subscribe(large)
    const { id } = itemOf(subscription)
    await rig.pass(10 * DAY)
    const items = [{ id, price: small.id }]
    const preview = await rig.stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'none' },
    })
    assert.equal(preview.total, 4_900)
    await rig.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' })
    assert.equal((await invoicesOf(subscription)).length, 1)
    await toPeriodEnd(subscription)
    assert.deepEqual(
      (await invoicesOf(subscription)).map(({ total }) => total),
      [19_900, 4_900],
    )
  })

  test('a subscription with cancel_at_period_end ends with its period, unless it is reset', async () => {
    const subscription = await rig.subscribe(await rig.price(4_900, true))
    const end = itemOf(subscription).current_period_end
    const set = (cancel_at_period_end: boolean) =>
      rig.stripe.subscriptions.update(subscription.id, { cancel_at_period_end })
    assert.equal((await set(true)).cancel_at, end)
    assert.equal((await set(false)).cancel_at, null)
    await toPeriodEnd(subscription)
    assert.equal((await set(true)).status, 'active')
    await assert.rejects(rig.stripe.invoices.createPreview({ subscription: subscription.id }), {
      statusCode: 404,
      code: 'invoice_upcoming_none',
    })
    await rig.pass(40 * DAY)
    const ended = await reload(subscription)
    assert.deepEqual([ended.status, ended.ended_at], ['canceled', itemOf(ended).current_period_end])
    assert.equal((await invoicesOf(subscription)).length, 2)
    assert.equal((await rig.eventTypes()).at(-1), 'customer.subscription.deleted')
    await assert.rejects(set(false), { statusCode: 400 })
    const all = await rig.stripe.subscriptions.list({ customer: String(subscription.customer), status: 'all' })
    assert.equal(all.data.length, 1)
  })

  test('a subscription that is canceled at once ends, and canceling it again gets 404', async () => {
    const subscription = await rig.subscribe(await rig.price(4_900, true))
    assert.equal((await rig.stripe.subscriptions.cancel(subscription.id)).status, 'canceled')
    await assert.rejects(rig.stripe.subscriptions.cancel(subscription.id), { statusCode: 404 })
    await rig.pass(40 * DAY)
    assert.equal((await invoicesOf(subscription)).length, 1)
  })

  test('a failed renewal is retried after 3, 5 and 7 days, and then the subscription ends', async () => {
    const subscription = await rig.subscribe(await rig.price(4_900, true), undefined, 'fail')
    const end = itemOf(subscription).current_period_end
    await toPeriodEnd(subscription)
    const due = await reload(subscription)
    assert.equal(due.status, 'past_due')
    const invoice = await rig.stripe.invoices.retrieve(String(due.latest_invoice))
    assert.deepEqual(
      [invoice.status, invoice.attempt_count, invoice.next_payment_attempt],
      ['open', 1, end + 3 * 86_400],
    )
    await rig.pass(20 * DAY)
    const { data } = await rig.stripe.events.list({ types: ['invoice.payment_failed'] })
    assert.deepEqual(data.map((event) => (event.created - end) / 86_400).reverse(), [0, 3, 8, 15])
    const over = await reload(subscription)
    assert.deepEqual([over.status, over.ended_at], ['canceled', end + 15 * 86_400])
    assert.equal(over.cancellation_details?.reason, 'payment_failed')
    await rig.pass(60 * DAY)
    assert.equal((await invoicesOf(subscription)).length, 2)
  })

  test('a successful retry makes the subscription active again', async () => {
    const subscription = await rig.subscribe(await rig.price(4_900, true), undefined, 'fail')
    await toPeriodEnd(subscription)
    await rig.sandbox.setCard(String(subscription.customer), 'works')
    await rig.pass(3 * DAY)
    const paid = await rig.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice.payments'] })
    const invoice = paid.latest_invoice as Stripe.Invoice
    assert.deepEqual([paid.status, invoice.status, invoice.payments?.data.length], ['active', 'paid', 1])
    assert.equal(itemOf(paid).current_period_start, itemOf(subscription).current_period_end)
  })

  for (const transfer of ['arrives', 'fails'] as const) {
    test(`a subscription paid by a transfer that ${transfer}`, async () => {
      const session = await rig.session(await rig.price(4_900, true))
      await rig.sandbox.checkoutAction(session.id, 'pay-later', { transfer })
      await rig.pass(HOUR)
      const settled = await rig.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'invoice'] })
      const isPaid = transfer === 'arrives'
      assert.equal(settled.payment_status, isPaid ? 'paid' : 'unpaid')
      assert.equal((settled.subscription as Stripe.Subscription).status, isPaid ? 'active' : 'past_due')
      assert.equal((settled.invoice as Stripe.Invoice).status, isPaid ? 'paid' : 'open')
    })
  }

  test('a subscription that is canceled before its transfer fails ends once', async () => {
    const session = await rig.session(await rig.price(4_900, true))
    await rig.sandbox.checkoutAction(session.id, 'pay-later', { transfer: 'fails' })
    const { subscription } = await rig.stripe.checkout.sessions.retrieve(session.id)
    await rig.stripe.subscriptions.cancel(String(subscription))
    await rig.pass(30 * DAY)
    const types = await rig.eventTypes()
    assert.equal(types.filter((type) => type === 'customer.subscription.deleted').length, 1)
  })

  test('a one-time payment does not change the card of the subscription', async () => {
    const customer = await rig.customer()
    const subscription = await rig.subscribe(await rig.price(4_900, true), customer, 'fail')
    await rig.buy(900, customer)
    await toPeriodEnd(subscription)
    assert.equal((await reload(subscription)).status, 'past_due')
  })

  test('items and prices that do not fit the subscription are refused', async () => {
    const [pack, plan, other] = [await rig.price(900), await rig.price(4_900, true), await rig.price(5_900, true)]
    const subscription = await rig.subscribe(plan)
    const stranger = await rig.subscribe(plan)
    await assert.rejects(change(subscription, pack), { code: 'parameter_invalid' })
    await assert.rejects(change(stranger, other, { items: [{ id: itemOf(subscription).id, price: other.id }] }), {
      code: 'resource_missing',
    })
    await assert.rejects(change(subscription, other, { proration_date: rig.nowSeconds - 1 }), { statusCode: 400 })
    const customer = String(stranger.customer)
    await assert.rejects(rig.stripe.invoices.createPreview({ subscription: subscription.id, customer }), {
      param: 'customer',
    })
  })
})

onEveryEngine('renewals', (engine) => {
  test('periods are months from the anchor, on any day of the month', async () => {
    const day = fc.date({
      min: new Date('2027-01-25T00:00:00Z'),
      max: new Date('2028-03-02T00:00:00Z'),
      noInvalidDate: true,
    })
    await fc.assert(
      fc.asyncProperty(
        day,
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 4 }),
        async (at, days) => {
          const start = Math.floor(at.getTime() / 1_000) * 1_000
          const rig = await SandboxRig.open(engine, new FakeClock(start))
          const subscription = await rig.subscribe(await rig.price(4_900, true))
          for (const count of days) await rig.pass(count * DAY)
          const invoices = await Array.fromAsync(
            rig.stripe.invoices.list({ subscription: subscription.id, limit: 100 }),
          )
          const begun = Array.from({ length: 12 }, (_, month) => addMonths(start, month)).filter(
            (time) => time <= rig.clock.now(),
          )
          assert.deepEqual(
            invoices.map((invoice) => (invoice.lines.data[0]?.period.start ?? 0) * 1_000).reverse(),
            begun,
          )
          await rig.close()
        },
      ),
      { numRuns: runs(2, 8), examples: [[new Date('2027-01-31T23:59:59Z'), [59, 59]]] },
    )
  })
})
