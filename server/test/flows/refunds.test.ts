/** Refunds and disputes: the credits or the plan bought with the money are taken back too. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import fc from 'fast-check'
import { MINUTE } from '../../src/model/time.ts'
import { PACKS } from '../../src/plans/packs.ts'
import { assertBalanced, Buyer, backOffice, pass } from '../buyer.ts'
import { runs } from '../depth.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, serviceForSuite, TestService } from '../harness.ts'

onEveryEngine('refunds and disputes', (engine) => {
  const service = serviceForSuite(engine, {}, assertBalanced)
  // Others might be at the work that a test waits for.
  service.isAlone = true
  let buyers: Buyer[] = []
  afterEach(async () => {
    for (const buyer of buyers) await assertAddsUp(buyer)
    buyers = []
  })

  const open = async (credits = 0) => {
    const buyer = await Buyer.open(service, 'free', credits)
    buyers.push(buyer)
    return buyer
  }
  /** Asserts that the history sums to the balance and that `balanceAfter` of each record is correct. */
  const assertAddsUp = async (buyer: Buyer) => {
    let balance = await buyer.balance()
    for (const { credits, balanceAfter, description } of await buyer.history('&detail=true')) {
      assert.equal(balanceAfter, balance, description)
      balance -= credits
    }
    assert.equal(balance, 0)
  }
  const owed = (buyer: Buyer) => service.mintick.store.reversals.owed(buyer.id)
  const paymentOf = async (sessionId: string) => {
    const { payment_intent } = await backOffice(service).checkout.sessions.retrieve(sessionId)
    return String(payment_intent)
  }
  const refund = async (sessionId: string, cents?: number) => {
    const payment_intent = await paymentOf(sessionId)
    await backOffice(service).refunds.create({ payment_intent, ...(cents !== undefined && { amount: cents }) })
    await pass(service, MINUTE)
  }
  const press = async (buyer: Buyer, action: string) => {
    await buyer.press(action)
    await pass(service, MINUTE)
  }
  const spend = async (buyer: Buyer, calls: number) => {
    for (let count = 0; count < calls; count += 1) assertOk(await buyer.call('/entries'))
  }

  test('a refund takes back what the pack brought, and the history tells of it', async () => {
    for (const { id, credits, priceUsdCents } of PACKS) {
      const buyer = await open(5)
      const sessionId = await buyer.buy(id)
      await refund(sessionId)
      assert.equal(await buyer.balance(), 5)
      assert.partialDeepStrictEqual((await buyer.history())[0], {
        type: 'refund',
        description: 'Payment refunded',
        credits: -credits,
        balanceAfter: 5,
        amountUsd: -priceUsdCents / 100,
        packageId: id,
        sessionId,
      })
      assert.equal(await buyer.keptCents(), 0)
    }
  })

  test('it is in force on the next request', async () => {
    const buyer = await open()
    const sessionId = await buyer.buy('credits_1000')
    assertOk(await buyer.call('/entries'))
    await refund(sessionId)
    assertError(await buyer.call('/entries'), 402, 'INSUFFICIENT_CREDITS')
  })

  test('a part of the money takes that part of the credits', async () => {
    const buyer = await open()
    await refund(await buyer.buy('credits_1000'), 250)
    assert.equal(await buyer.balance(), 750)
    assert.equal(await buyer.keptCents(), 750)
  })

  test('however a refund is cut up, all of the money takes all of the credits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PACKS),
        fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 1, maxLength: 3 }),
        async ({ id, credits, priceUsdCents }, parts) => {
          const buyer = await open()
          const sessionId = await buyer.buy(id)
          let left = priceUsdCents
          for (const part of parts) {
            if (left === 1) break // the last cent is for the final refund
            const cents = Math.max(1, Math.floor(left * part))
            await refund(sessionId, cents)
            left -= cents
            assert.equal(await buyer.keptCents(), left)
            const exact = (credits * left) / priceUsdCents
            assert.ok(Math.abs((await buyer.balance()) - exact) < 1, `${exact}`)
          }
          await refund(sessionId)
          assert.deepEqual([await buyer.balance(), await buyer.keptCents()], [0, 0])
        },
      ),
      { numRuns: runs(1, 5) },
    )
  })

  test('what was used is owed, and the next pack pays it', async () => {
    const buyer = await open()
    const sessionId = await buyer.buy('credits_1000')
    await spend(buyer, 3)
    await refund(sessionId)
    assert.equal(await buyer.balance(), 0)
    assert.equal(await owed(buyer), 3)
    assert.match((await buyer.history())[0]?.description ?? '', /3 credits of it are gone and owed/)
    await buyer.buy('credits_1000')
    assert.equal(await buyer.balance(), 997)
    assert.equal(await owed(buyer), 0)
    const [repaid, purchase] = await buyer.history()
    assert.partialDeepStrictEqual(repaid, { type: 'refund', credits: -3, balanceAfter: 997, amountUsd: null })
    assert.partialDeepStrictEqual(purchase, { type: 'purchase', credits: 1_000, balanceAfter: 1_000 })
    assert.equal(await buyer.keptCents(), 1_000)
  })

  test('what was used is taken from other credits that do not expire', async () => {
    const buyer = await open()
    const first = await buyer.buy('credits_1000')
    await spend(buyer, 4)
    await buyer.buy('credits_1000')
    await refund(first)
    assert.equal(await buyer.balance(), 996)
    assert.equal(await owed(buyer), 0)
  })

  test('credits that the operator gives pay what is owed', async () => {
    const buyer = await open()
    const sessionId = await buyer.buy('credits_1000')
    await spend(buyer, 5)
    await refund(sessionId)
    const gift = { method: 'POST', body: { credits: 20, reason: 'sorry' } }
    assertOk(await service.admin(`/accounts/${buyer.id}/credits`, gift))
    assert.equal(await buyer.balance(), 15)
    assert.equal(await owed(buyer), 0)
  })

  test('a dispute holds the credits back, and gives them back when it is won', async () => {
    const buyer = await open()
    await buyer.buy('credits_1000')
    await spend(buyer, 2)
    await press(buyer, 'dispute')
    assert.deepEqual([await buyer.balance(), await owed(buyer), await buyer.keptCents()], [0, 2, 0])
    assert.match((await buyer.history())[0]?.description ?? '', /^Payment disputed/)
    await press(buyer, 'dispute-won')
    assert.deepEqual([await buyer.balance(), await owed(buyer), await buyer.keptCents()], [998, 0, 1_000])
    assert.equal((await buyer.history())[0]?.description, 'A dispute was won')
    assertOk(await buyer.call('/entries'))
  })

  test('a dispute that is lost stays as it is', async () => {
    const buyer = await open(50)
    await buyer.buy('credits_1000')
    await press(buyer, 'dispute')
    const before = await buyer.history()
    await press(buyer, 'dispute-lost')
    assert.deepEqual(await buyer.history(), before)
    assert.deepEqual([await buyer.balance(), await buyer.keptCents()], [50, 0])
  })

  test('a dispute after a part was refunded takes the rest', async () => {
    const buyer = await open()
    await refund(await buyer.buy('credits_5000'), 500)
    await press(buyer, 'dispute')
    assert.deepEqual([await buyer.balance(), await buyer.keptCents()], [0, 0])
    await press(buyer, 'dispute-won')
    assert.equal(await buyer.keptCents(), 4_000)
    assert.equal(await buyer.balance(), 5_000 - Math.floor((5_000 * 500) / 4_500))
  })

  test('a refund that fails gives everything back', async () => {
    const buyer = await open()
    const sessionId = await buyer.buy('credits_1000')
    await spend(buyer, 1)
    await refund(sessionId)
    assert.equal(await buyer.balance(), 0)
    await press(buyer, 'fail-refund')
    assert.deepEqual([await buyer.balance(), await owed(buyer), await buyer.keptCents()], [999, 0, 1_000])
    await press(buyer, 'refund')
    assert.deepEqual([await buyer.balance(), await owed(buyer), await buyer.keptCents()], [0, 1, 0])
  })

  test('a refund that is told of before the purchase comes to the same', async () => {
    const buyer = await open()
    const { sessionId } = await buyer.order('credits_1000')
    await buyer.pay(sessionId)
    const payment_intent = await paymentOf(sessionId)
    await backOffice(service).refunds.create({ payment_intent, amount: 400 })
    await service.mintick.billing?.fulfilment.syncPayment(payment_intent)
    assert.deepEqual([await buyer.balance(), await buyer.keptCents()], [600, 600])
    assert.equal((await buyer.comeBack(sessionId)).title, 'Thank you')
    await pass(service, MINUTE)
    assert.deepEqual([await buyer.balance(), await buyer.keptCents()], [600, 600])
  })

  test('a refund of a month takes its credits; the plan stays until it is cancelled', async () => {
    const buyer = await open(10)
    await buyer.subscribe('starter')
    await spend(buyer, 4)
    assert.equal(await buyer.balance(), 1_006)
    await press(buyer, 'refund')
    assert.equal(await buyer.balance(), 6)
    assert.equal(await owed(buyer), 0)
    assert.equal(await buyer.planSlug(), 'starter')
    assert.partialDeepStrictEqual((await buyer.history())[0], { type: 'refund', planSlug: 'starter', amountUsd: -29 })
    assert.equal(await buyer.keptCents(), 0)
  })

  test('of a month that is over nothing is left to take; the next one is untouched', async () => {
    const buyer = await open()
    await buyer.subscribe('starter')
    await spend(buyer, 1)
    const [first] = await backOffice(service).invoices.list({ limit: 1 }).autoPagingToArray({ limit: 1 })
    const { currentPeriodEnd } = await buyer.subscription()
    await pass(service, Date.parse(currentPeriodEnd) - service.clock.now() + MINUTE)
    assert.equal(await buyer.balance(), 1_000)
    const invoice = await backOffice(service).invoices.retrieve(first?.id ?? '', { expand: ['payments'] })
    const payment_intent = String(invoice.payments?.data[0]?.payment.payment_intent)
    await backOffice(service).refunds.create({ payment_intent })
    await pass(service, MINUTE)
    assert.deepEqual([await buyer.balance(), await owed(buyer)], [1_000, 1])
    assert.equal(await buyer.keptCents(), 2_900)
  })

  test('messages bring refunds and disputes at once', async () => {
    const shop = await TestService.start(engine)
    try {
      await shop.listen()
      const buyer = await Buyer.open(shop, 'free', 0)
      await buyer.buy('credits_1000')
      const told = () => shop.mintick.sandbox?.run()
      await buyer.press('dispute')
      await told()
      assertError(await buyer.call('/entries'), 402, 'INSUFFICIENT_CREDITS')
      await buyer.press('dispute-won')
      await told()
      assertOk(await buyer.call('/entries'))
      await buyer.press('refund')
      await told()
      assertError(await buyer.call('/entries'), 402, 'INSUFFICIENT_CREDITS')
      await assertAddsUp(buyer)
      await assertBalanced(shop)
    } finally {
      await shop.stop()
    }
  })

  test('nobody can press the buttons of another', async () => {
    const [mine, theirs] = [await open(), await open()]
    const sessionId = await theirs.buy('credits_1000')
    const payment = await paymentOf(sessionId)
    const path = `${await mine.portalPath()}/refund`
    const reply = await service.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `id=${payment}`,
    })
    assert.notEqual(reply.status, 303)
    await pass(service, MINUTE)
    assert.equal(await theirs.balance(), 1_000)
  })
})
