/** Buying credit packs (spec 2.4, 2.5 and 4.5), and the pages before and after a payment. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DEMO_KEY } from '../../src/admission/key.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { PACKS } from '../../src/plans/packs.ts'
import { assertBalanced, Buyer, pass, portalButtons, submit, visit } from '../buyer.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { onEveryEngine, serviceForSuite, TestService } from '../harness.ts'

const TRANSFER_MS = 5 * MINUTE

onEveryEngine('checkout', (engine) => {
  const service = serviceForSuite(engine, {}, assertBalanced)

  test('it answers exactly the fields of spec 2.5 for every pack, and costs nothing', async () => {
    const buyer = await Buyer.open(service, 'free', 7)
    for (const { id } of PACKS) {
      const reply = await buyer.post('/billing/checkout', { packageId: id })
      assertOk(reply)
      assert.deepEqual(Object.keys(reply.body), ['success', 'data'])
      assert.deepEqual(Object.keys(reply.body.data), ['checkoutUrl', 'sessionId'])
      const { checkoutUrl, sessionId } = reply.body.data
      assert.ok(new URL(checkoutUrl).pathname.endsWith(sessionId))
      assert.equal(reply.headers['x-credits-cost'], '0')
      assert.equal(reply.headers['x-credits-remaining'], '7')
    }
    assert.equal(await buyer.balance(), 7)
    assert.equal((await buyer.history()).length, 1)
  })

  test('a pack that is not for sale, or none, answers 400 naming the field', async () => {
    const buyer = await Buyer.open(service)
    for (const packageId of ['credits_1', 'CREDITS_1000', '', 1_000, null, ['credits_1000'], '__proto__']) {
      const reply = await buyer.post('/billing/checkout', { packageId })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['packageId'])
    }
    assert.deepEqual(fieldsOf(await buyer.post('/billing/checkout', {})), ['packageId'])
    for (const body of [undefined, '', 'credits_1000', '[]', '"credits_1000"', 'null']) {
      assertError(await buyer.post('/billing/checkout', body), 400, 'BAD_REQUEST')
    }
  })

  test('the demo key answers 403, no key 401', async () => {
    const order = { method: 'POST', body: { packageId: 'credits_1000' } }
    assertError(await service.api('/billing/checkout', DEMO_KEY, order), 403, 'FORBIDDEN')
    assertError(await service.api('/billing/checkout', undefined, order), 401, 'UNAUTHORIZED')
  })

  test('an empty balance buys, and the very next call after the 402 is paid from it', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    assertError(await buyer.call('/entries'), 402, 'INSUFFICIENT_CREDITS')
    await buyer.buy('credits_1000')
    const reply = await buyer.call('/entries')
    assertOk(reply)
    assert.equal(reply.headers['x-credits-remaining'], '999')
    assert.equal(await buyer.planSlug(), 'free')
    assert.partialDeepStrictEqual((await buyer.get('/account')).credits, { balance: 999, purchasedRemaining: 999 })
  })

  test('a checkout is open, then paid, and known to its buyer only', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { checkoutUrl, sessionId } = (await buyer.post('/billing/checkout', { packageId: 'credits_1000' })).body.data
    const state = await buyer.get(`/billing/checkout/${sessionId}`)
    assert.deepEqual(state, {
      ...{ sessionId, checkoutUrl, status: 'open', packageId: 'credits_1000', planSlug: null },
      createdAt: state.createdAt,
    })
    const paid = await buyer.buy('credits_5000')
    assert.partialDeepStrictEqual(await buyer.get(`/billing/checkout/${paid}`), { status: 'paid', checkoutUrl: null })
    await buyer.subscribe('starter')
    const other = await Buyer.open(service, 'free', 0)
    for (const id of [sessionId, 'nope', '%00', "'", 'x'.repeat(400), '%F0%9F%92%A9'])
      assertError(await other.call(`/billing/checkout/${id}`), 404, 'NOT_FOUND')
  })

  test('the history tells of the purchase with what was paid, and for which session', async () => {
    for (const { id, credits, priceUsdCents } of PACKS) {
      const buyer = await Buyer.open(service, 'free', 5)
      const sessionId = await buyer.buy(id)
      const [purchase, ...rest] = await buyer.history()
      assert.ok(purchase)
      assert.deepEqual(purchase, {
        id: purchase.id,
        type: 'purchase',
        description: `${credits.toLocaleString('en-US')} credits`,
        credits,
        balanceAfter: credits + 5,
        amountUsd: priceUsdCents / 100,
        packageId: id,
        planSlug: null,
        sessionId,
        requestId: null,
        createdAt: isoTime(service.clock.now()),
      })
      assert.equal(rest.length, 1)
      assert.equal((await buyer.history('&type=purchase')).length, 1)
    }
  })

  test('credits are there once, however often the page after the payment is opened, also at once', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.order('credits_5000')
    await buyer.pay(sessionId)
    const pages = await Promise.all(Array.from({ length: 10 }, () => buyer.comeBack(sessionId)))
    for (let count = 0; count < 10; count += 1) pages.push(await buyer.comeBack(sessionId))
    for (const { status, title, texts } of pages) {
      assert.equal(status, 200)
      assert.equal(title, 'Thank you')
      assert.match(texts.join(' '), /5,000 credits were added.*balance is now 5,000 credits/)
    }
    assert.equal(await buyer.balance(), 5_000)
    assert.equal((await buyer.history('&type=purchase')).length, 1)
  })

  test('a second click on the button pays nothing more, in whatever order', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.order('credits_1000')
    const clicks = ['pay', 'pay', 'pay-later', 'pay', 'decline', 'cancel']
    await Promise.all(clicks.map((action) => buyer.act(sessionId, action)))
    await buyer.comeBack(sessionId)
    await pass(service, TRANSFER_MS)
    assert.equal(await buyer.balance(), 1_000)
    assert.equal((await buyer.history('&type=purchase')).length, 1)
  })

  test('a customer whom the processor does not know any more is made anew', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { accounts } = service.mintick.store
    await accounts.setCustomer(buyer.id, 'cus_gone', null)
    await buyer.buy('credits_1000')
    assert.notEqual((await accounts.find(buyer.id))?.customerId, 'cus_gone')
    assert.equal(await buyer.balance(), 1_000)
    const other = await Buyer.open(service)
    await accounts.setCustomer(other.id, 'cus_gone', null)
    assert.equal((await visit(service, await other.portalPath())).status, 200)
  })

  test('orders at the same moment make one customer', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const orders = await Promise.all(Array.from({ length: 4 }, () => buyer.order('credits_1000')))
    for (const { sessionId } of orders) await buyer.pay(sessionId)
    for (const { sessionId } of orders) await buyer.comeBack(sessionId)
    assert.equal(await buyer.balance(), 4_000)
    const portal = await service.call(await buyer.portalPath())
    assert.equal(portalButtons(portal.body).filter(({ path }) => path.endsWith('/refund')).length, 4)
  })

  test('packs bought together each count', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const orders = await Promise.all(PACKS.map(({ id }) => buyer.order(id)))
    assert.equal(new Set(orders.map(({ sessionId }) => sessionId)).size, PACKS.length)
    await Promise.all(orders.map(({ sessionId }) => buyer.pay(sessionId)))
    await Promise.all(orders.map(({ sessionId }) => buyer.comeBack(sessionId)))
    assert.equal(await buyer.balance(), 66_000)
  })

  test('the account that ordered gets the credits, whoever pays and opens the page', async () => {
    const [mine, theirs] = [await Buyer.open(service, 'free', 1), await Buyer.open(service, 'free', 2)]
    const { sessionId } = await mine.order('credits_1000')
    await theirs.pay(sessionId)
    await theirs.comeBack(sessionId)
    assert.deepEqual([await mine.balance(), await theirs.balance()], [1_001, 2])
    assert.equal((await theirs.history('&type=purchase')).length, 0)
  })

  test('before the payment the page after it says so, and nothing is added', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.order('credits_1000')
    assert.equal((await buyer.comeBack(sessionId)).title, 'Nothing was paid yet')
    assert.equal(await buyer.balance(), 0)
  })

  test('of a session that is not known the page after the payment says 404 and shows nothing of it', async () => {
    for (const id of ['', 'nope', `cs_sandbox_${'0'.repeat(32)}`, '\0', '<script>', 'x'.repeat(5_000)]) {
      const { status, texts } = await visit(service, `/checkout/success?session_id=${encodeURIComponent(id)}`)
      assert.ok(status === 404 || status === 400, `${id}: ${status}`)
      assert.ok(id === '' || !texts.join().includes(id))
    }
    assert.equal((await visit(service, '/checkout/success')).status, 404)
  })

  test('a declined card leaves the session open; then it can be paid', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { checkoutUrl, sessionId } = await buyer.order('credits_1000')
    const declined = await buyer.act(sessionId, 'decline')
    assert.equal(declined.status, 200)
    assert.match(declined.body, /Your card was declined/)
    assert.equal((await visit(service, new URL(checkoutUrl).pathname)).title, 'Checkout')
    assert.equal(await buyer.balance(), 0)
    await buyer.pay(sessionId)
    await buyer.comeBack(sessionId)
    assert.equal(await buyer.balance(), 1_000)
  })

  test('whoever cancels comes back to a page that says so, and may still pay', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.order('credits_1000')
    const { status, headers } = await buyer.act(sessionId, 'cancel')
    assert.equal(status, 303)
    assert.equal((await visit(service, new URL(headers.location ?? '').pathname)).title, 'Nothing was bought')
    assert.equal(await buyer.balance(), 0)
    await buyer.buy('credits_1000')
    await buyer.pay(sessionId)
    await buyer.comeBack(sessionId)
    assert.equal(await buyer.balance(), 2_000)
  })

  test('an action that the page does not have changes nothing', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.order('credits_1000')
    for (const action of ['refund', 'PAY', '__proto__']) {
      assert.equal((await buyer.act(sessionId, action)).status, 404)
    }
    assert.equal((await submit(service, '/sandbox/checkout/nope/pay', {})).status, 404)
    assert.equal((await buyer.comeBack(sessionId)).title, 'Nothing was paid yet')
  })

  test('after a day the session has expired: it cannot be paid, and another can', async () => {
    const buyer = await Buyer.open(service, 'free', 0)
    const { checkoutUrl, sessionId } = await buyer.order('credits_1000')
    await pass(service, DAY - MINUTE)
    assert.equal((await visit(service, new URL(checkoutUrl).pathname)).title, 'Checkout')
    await pass(service, 2 * MINUTE)
    assert.match((await visit(service, new URL(checkoutUrl).pathname)).title, /expired/)
    assert.equal((await buyer.act(sessionId, 'pay')).status, 200)
    assert.equal((await buyer.comeBack(sessionId)).title, 'Nothing was paid yet')
    assert.equal(await buyer.balance(), 0)
    assert.equal((await service.mintick.store.checkouts.findBySession(sessionId))?.status, 'expired')
    await buyer.buy('credits_1000')
    assert.equal(await buyer.balance(), 1_000)
  })

  for (const isListening of [false, true]) {
    describe(isListening ? 'told by messages' : 'told by nobody', () => {
      let shop: TestService
      before(async () => {
        shop = await TestService.start(engine)
        if (isListening) await shop.listen()
      })
      after(async () => {
        await assertBalanced(shop)
        await shop.stop()
      })
      const news = (ms = MINUTE) => pass(shop, ms)

      test('whoever pays and never comes back has the credits all the same', async () => {
        const buyer = await Buyer.open(shop, 'free', 0)
        assertError(await buyer.call('/entries'), 402, 'INSUFFICIENT_CREDITS')
        const { sessionId } = await buyer.order('credits_1000')
        await buyer.pay(sessionId)
        if (isListening) await shop.mintick.sandbox?.run()
        else await news()
        assert.equal((await buyer.call('/entries')).headers['x-credits-remaining'], '999')
        assert.equal((await buyer.comeBack(sessionId)).title, 'Thank you')
        await news()
        assert.equal(await buyer.balance(), 999)
        assert.equal((await buyer.history('&type=purchase')).length, 1)
      })

      test('page, message and sweep at the same moment add the credits once', async () => {
        const buyers = await Promise.all(Array.from({ length: 5 }, () => Buyer.open(shop, 'free', 0)))
        await Promise.all(
          buyers.map(async (buyer) => {
            const { sessionId } = await buyer.order('credits_1000')
            const paying = buyer.pay(sessionId)
            shop.clock.advance(MINUTE)
            await Promise.all([paying, buyer.comeBack(sessionId), news(), buyer.comeBack(sessionId), news()])
            await Promise.all([buyer.comeBack(sessionId), news()])
          }),
        )
        for (const buyer of buyers) {
          assert.equal(await buyer.balance(), 1_000)
          assert.equal((await buyer.history('&type=purchase')).length, 1)
        }
      })

      test('a transfer brings the credits when it arrives, and not before', async () => {
        const buyer = await Buyer.open(shop, 'free', 0)
        const { sessionId } = await buyer.order('credits_1000')
        assert.equal((await buyer.act(sessionId, 'pay-later', { transfer: 'arrives' })).status, 303)
        assert.equal((await buyer.comeBack(sessionId)).title, 'Your payment is on its way')
        await news(TRANSFER_MS - MINUTE)
        assert.equal(await buyer.balance(), 0)
        await news(MINUTE)
        await news()
        assert.equal(await buyer.balance(), 1_000)
        assert.equal((await buyer.comeBack(sessionId)).title, 'Thank you')
        assert.equal((await buyer.history('&type=purchase'))[0]?.sessionId, sessionId)
      })

      test('a transfer that fails brings nothing, and the page says so', async () => {
        const buyer = await Buyer.open(shop, 'free', 0)
        const { sessionId } = await buyer.order('credits_1000')
        await buyer.act(sessionId, 'pay-later', { transfer: 'fails' })
        assert.equal((await buyer.comeBack(sessionId)).title, 'Your payment is on its way')
        await news(TRANSFER_MS)
        await news()
        assert.equal((await buyer.comeBack(sessionId)).title, 'The payment failed')
        assert.equal(await buyer.balance(), 0)
        assert.equal((await shop.mintick.store.checkouts.findBySession(sessionId))?.status, 'failed')
        await buyer.buy('credits_1000')
        assert.equal(await buyer.balance(), 1_000)
      })

      test('a service that was away for days finds what was paid meanwhile', async () => {
        const buyer = await Buyer.open(shop, 'free', 0)
        await buyer.buy('credits_1000')
        const { sessionId } = await buyer.order('credits_5000')
        shop.clock.advance(20 * HOUR)
        await buyer.pay(sessionId)
        await news(4 * DAY)
        await news()
        assert.equal(await buyer.balance(), 6_000)
      })
    })
  }

  test('credits bought at one instance are spent at another on the next call', async () => {
    if (engine === 'sqlite') return // supports only one instance
    const twin = await service.twin()
    const buyer = await Buyer.open(service, 'free', 0)
    const there = buyer.at(twin)
    for (const one of [buyer, there]) assertError(await one.call('/entries'), 402, 'INSUFFICIENT_CREDITS')
    const { sessionId } = await buyer.order('credits_1000')
    await there.pay(sessionId)
    await buyer.comeBack(sessionId)
    assert.equal((await there.call('/entries')).headers['x-credits-remaining'], '999')
    assert.equal((await buyer.call('/entries')).headers['x-credits-remaining'], '998')
    await twin.mintick.close()
  })

  test('where nothing is sold everything that would sell answers 403, and its pages are not there', async () => {
    const closed = await TestService.start(engine, { PAYMENTS_SANDBOX: 'off' })
    const buyer = await Buyer.open(closed, 'free', 10)
    const packages = await buyer.get('/billing/packages')
    assert.equal(packages.length, PACKS.length)
    const selling: [string, string, unknown?][] = [
      ['POST', '/billing/checkout', { packageId: 'credits_1000' }],
      ['POST', '/billing/subscription', { planSlug: 'starter' }],
      ['POST', '/billing/subscription/change', { planSlug: 'starter' }],
      ['DELETE', '/billing/subscription'],
      ['POST', '/billing/portal'],
    ]
    for (const [method, path, body] of selling) {
      assertError(await buyer.call(path, { method, ...(body !== undefined && { body }) }), 403, 'FORBIDDEN')
    }
    assertError(await buyer.call('/billing/subscription'), 404, 'NOT_FOUND')
    assertError(await closed.call('/webhooks/stripe', { method: 'POST', body: '{}' }), 404, 'NOT_FOUND')
    for (const path of ['/sandbox/checkout/x', '/sandbox/portal/x', '/checkout/success?session_id=x']) {
      assert.equal((await visit(closed, path)).status, 404)
    }
    await closed.stop()
  })
})
