import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { DAY } from '../../src/model/time.ts'
import { runs } from '../depth.ts'
import { onEveryEngine } from '../harness.ts'
import { SandboxRig } from './rig.ts'

onEveryEngine('refunds and disputes', (engine) => {
  let rig: SandboxRig
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
  })
  afterEach(() => rig.close())
  const chargeOf = async (payment: string) => {
    const { latest_charge } = await rig.stripe.paymentIntents.retrieve(payment, { expand: ['latest_charge'] })
    assert.ok(latest_charge !== null && typeof latest_charge === 'object')
    return latest_charge
  }

  test('refunds never exceed the unrefunded amount, also after failed refunds', async () => {
    const someStep = fc.oneof(
      fc.record({ amount: fc.integer({ min: 1, max: 6_000 }) }),
      fc.record({ fail: fc.nat(5) }),
      fc.constant({ rest: true as const }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { maxLength: 8 }), async (steps) => {
        const payment = await rig.buy(8_000)
        const refunds: { id: string; amount: number }[] = []
        for (const step of steps) {
          const left = 8_000 - refunds.reduce((sum, { amount }) => sum + amount, 0)
          if ('fail' in step) {
            const [gone] = refunds.splice(step.fail, 1)
            if (gone !== undefined) await rig.sandbox.failRefund(gone.id)
            continue
          }
          const amount = 'rest' in step ? left : step.amount
          const asked = rig.stripe.refunds.create({
            payment_intent: payment,
            ...('amount' in step && { amount: step.amount }),
          })
          if (amount > left || left === 0) await assert.rejects(asked, { statusCode: 400 })
          else refunds.push({ id: (await asked).id, amount })
        }
        const charge = await chargeOf(payment)
        const sum = refunds.reduce((total, { amount }) => total + amount, 0)
        assert.deepEqual([charge.amount_refunded, charge.refunded], [sum, sum === 8_000])
        const listed = await Array.fromAsync(rig.stripe.refunds.list({ payment_intent: payment, limit: 2 }))
        assert.deepEqual(
          listed.filter(({ status }) => status === 'succeeded').map(({ id }) => id),
          refunds.map(({ id }) => id).reverse(),
        )
      }),
      { numRuns: runs(2, 8) },
    )
  })

  test('a refund and its failure emit events for the refund and the charge', async () => {
    const payment = await rig.buy(8_000)
    const refund = await rig.stripe.refunds.create({ payment_intent: payment, amount: 3_000 })
    assert.deepEqual([refund.status, refund.amount], ['succeeded', 3_000])
    await rig.sandbox.failRefund(refund.id)
    assert.equal((await rig.stripe.refunds.retrieve(refund.id)).status, 'failed')
    assert.deepEqual((await rig.eventTypes()).slice(1), [
      'refund.created',
      'charge.refunded',
      'refund.updated',
      'refund.failed',
    ])
    const [event] = (await rig.stripe.events.list({ type: 'charge.refunded' })).data
    assert.ok(event?.type === 'charge.refunded')
    assert.deepEqual([event.data.object.payment_intent, event.data.object.amount_refunded], [payment, 3_000])
  })

  test('concurrent full refunds refund once', async () => {
    const payment = await rig.buy(8_000)
    const refund = () => rig.stripe.refunds.create({ payment_intent: payment })
    const results = await Promise.allSettled([refund(), refund(), refund()])
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(refund(), { code: 'charge_already_refunded' })
  })

  test('a pending payment cannot be refunded', async () => {
    const session = await rig.session(await rig.price(8_000))
    await rig.sandbox.checkoutAction(session.id, 'pay-later', {})
    const { payment_intent } = await rig.stripe.checkout.sessions.retrieve(session.id)
    await assert.rejects(rig.stripe.refunds.create({ payment_intent: String(payment_intent) }), /successful charge/)
  })

  test('a dispute covers the unrefunded amount, and a disputed payment cannot be refunded', async () => {
    const payment = await rig.buy(8_000)
    await rig.stripe.refunds.create({ payment_intent: payment, amount: 3_000 })
    const dispute = await rig.sandbox.dispute(payment)
    assert.deepEqual([dispute.amount, dispute.status], [5_000, 'needs_response'])
    await assert.rejects(rig.stripe.refunds.create({ payment_intent: payment }), { code: 'charge_disputed' })
    await assert.rejects(rig.sandbox.dispute(payment), /already disputed/)
    assert.equal((await chargeOf(payment)).disputed, true)
    assert.deepEqual((await rig.stripe.disputes.list({ payment_intent: payment })).data[0]?.id, dispute.id)
    await rig.sandbox.settleDispute(dispute.id, 'won')
    assert.equal((await rig.stripe.disputes.retrieve(dispute.id)).status, 'won')
    assert.equal((await rig.stripe.refunds.create({ payment_intent: payment })).amount, 5_000)
    assert.deepEqual((await rig.eventTypes()).slice(3, 7), [
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ])
  })

  test('a dispute that is closed is lost for good', async () => {
    const payment = await rig.buy(8_000)
    const dispute = await rig.sandbox.dispute(payment)
    await rig.pass(DAY)
    assert.equal((await rig.stripe.disputes.close(dispute.id)).status, 'lost')
    await assert.rejects(rig.sandbox.settleDispute(dispute.id, 'won'), /already closed/)
    await assert.rejects(rig.stripe.refunds.create({ payment_intent: payment }), { code: 'charge_disputed' })
    assert.equal((await rig.eventTypes()).at(-1), 'charge.dispute.closed')
  })
})
