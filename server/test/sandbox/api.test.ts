import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { DAY, HOUR } from '../../src/model/time.ts'
import { onEveryEngine } from '../harness.ts'
import { CANCEL_URL, clientOf, SandboxRig, SUCCESS_URL } from './rig.ts'

const DELETED = (id: string) => ({ id, object: 'customer', deleted: true })
const plain = (object: object) => JSON.parse(JSON.stringify(object))

onEveryEngine('sandbox API', (engine) => {
  let rig: SandboxRig
  beforeEach(async () => {
    rig = await SandboxRig.open(engine)
  })
  afterEach(() => rig.close())
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${rig.sandbox.port}${path}`, {
      ...init,
      headers: { authorization: 'Bearer sk_test_sandbox', ...init.headers },
    })

  test('a wrong or missing API key gets 401', async () => {
    await assert.rejects(clientOf(rig.sandbox, 'sk_test_other').customers.retrieve('cus_1'), {
      type: 'StripeAuthenticationError',
      statusCode: 401,
    })
    const reply = await ask('/v1/customers/cus_1', { headers: { authorization: '' } })
    assert.equal(reply.status, 401)
    assert.match(reply.headers.get('request-id') ?? '', /^req_/)
  })

  test('an unknown object is resource_missing: 404 from the URL, 400 from a parameter', async () => {
    const missing = { type: 'StripeInvalidRequestError', code: 'resource_missing' }
    const { stripe } = rig
    await assert.rejects(stripe.customers.retrieve('cus_none'), { ...missing, statusCode: 404 })
    await assert.rejects(stripe.prices.retrieve((await rig.customer()).id), { ...missing, statusCode: 404 })
    await assert.rejects(stripe.refunds.create({ payment_intent: 'pi_none' }), { ...missing, param: 'payment_intent' })
    await assert.rejects(stripe.billingPortal.sessions.create({ customer: 'cus_none' }), {
      ...missing,
      statusCode: 400,
    })
    assert.equal((await ask('/v1/payouts')).status, 404)
    assert.equal((await ask('/v1/customers/%zz')).status, 404)
  })

  test('a deleted customer is gone, with its subscription, and the payments no longer name it', async () => {
    const { stripe } = rig
    const [customer, other] = [await rig.customer(), await rig.customer()]
    const price = await rig.price(500, true)
    const subscription = await rig.subscribe(price, customer)
    const kept = await rig.subscribe(price, other)
    assert.deepEqual(plain(await stripe.customers.del(customer.id)), DELETED(customer.id))
    assert.deepEqual(plain(await stripe.customers.retrieve(customer.id)), DELETED(customer.id))
    const missing = { type: 'StripeInvalidRequestError', code: 'resource_missing' }
    await assert.rejects(stripe.customers.del(customer.id), { ...missing, statusCode: 404 })
    await assert.rejects(rig.session(price, customer), { ...missing, param: 'customer' })
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'canceled')
    assert.equal((await stripe.subscriptions.retrieve(kept.id)).status, 'active')
    const rows = await rig.db.query<{ document: string }>('select document from sandbox_objects')
    const naming = rows.filter(({ document }) => document.includes(customer.email ?? ''))
    assert.ok(naming.length > 0)
    for (const { document } of naming) assert.ok(document.includes(other.id) && !document.includes(customer.id))
  })

  test('an unknown, missing or invalid parameter is refused and named', async () => {
    const { stripe } = rig
    const create = (params: object) => stripe.prices.create(params as never)
    const good = { currency: 'usd', unit_amount: 100, product_data: { name: 'A' } }
    await assert.rejects(create({ ...good, colour: 'red' }), { code: 'parameter_unknown', param: 'colour' })
    await assert.rejects(create({ ...good, recurring: { interval: 'month', colour: 1 } }), {
      code: 'parameter_unknown',
      param: 'recurring[colour]',
    })
    await assert.rejects(create({ ...good, product_data: undefined }), {
      code: 'parameter_missing',
      param: 'product_data',
    })
    await assert.rejects(create({ ...good, unit_amount: 1.5 }), { code: 'parameter_invalid_integer' })
    await assert.rejects(create({ ...good, currency: 'eur' }), { param: 'currency' })
    await assert.rejects(create({ ...good, unit_amount: -1 }), { param: 'unit_amount' })
    await assert.rejects(stripe.customers.create({ metadata: { ['k'.repeat(41)]: 'v' } }), { param: 'metadata' })
    await assert.rejects(stripe.customers.create({ email: ['a'] as never }), { param: 'email' })
    await assert.rejects(stripe.customers.create({ email: 'nobody' }), { code: 'email_invalid' })
    await assert.rejects(stripe.prices.list({ lookup_keys: Array(11).fill('a') }), { param: 'lookup_keys' })
    const { id } = await rig.customer()
    for (const return_url of ['/back', 'javascript:alert(1)']) {
      await assert.rejects(stripe.billingPortal.sessions.create({ customer: id, return_url }), { code: 'url_invalid' })
    }
    assert.equal((await ask('/v1/prices', { method: 'POST', body: 'a[b=1' })).status, 400)
    assert.equal((await ask('/v1/customers', { method: 'POST', body: `name=${'x'.repeat(300_000)}` })).status, 413)
  })

  test('a checkout session with contradictory parameters is refused', async () => {
    const [pack, plan, cheap] = [await rig.price(900), await rig.price(900, true), await rig.price(49)]
    const customer = (await rig.customer()).id
    const create = (mode: 'payment' | 'subscription', price: string, more: object = {}) =>
      rig.stripe.checkout.sessions.create({
        mode,
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: SUCCESS_URL,
        cancel_url: CANCEL_URL,
        ...more,
      })
    await assert.rejects(create('payment', plan.id), { param: 'line_items' })
    await assert.rejects(create('subscription', pack.id), { param: 'line_items' })
    await assert.rejects(create('payment', cheap.id), { code: 'amount_too_small' })
    await assert.rejects(create('payment', pack.id, { subscription_data: { metadata: { a: 'b' } } }), {
      statusCode: 400,
    })
    await assert.rejects(create('subscription', plan.id, { payment_intent_data: { metadata: { a: 'b' } } }), {
      statusCode: 400,
    })
    await assert.rejects(create('payment', pack.id, { line_items: [{ price: pack.id, quantity: 2 }] }), {
      statusCode: 400,
    })
    await assert.rejects(create('payment', pack.id, { expires_at: rig.nowSeconds + 60 }), { param: 'expires_at' })
    await assert.rejects(create('payment', pack.id, { expires_at: rig.nowSeconds + 90_000 }), { param: 'expires_at' })
    assert.equal((await create('payment', pack.id, { expires_at: rig.nowSeconds + 3_600 })).status, 'open')
    await rig.pass(HOUR)
    assert.deepEqual(await rig.eventTypes(), ['checkout.session.expired'])
  })

  test('a lookup key belongs to one price', async () => {
    const create = (lookup_key: string) =>
      rig.stripe.prices.create({ currency: 'usd', unit_amount: 900, lookup_key, product_data: { name: 'Pack' } })
    const { id } = await create('pack_1')
    const second = await create('pack_2')
    await assert.rejects(create('pack_1'), { statusCode: 400, param: 'lookup_key', message: /already uses/ })
    const list = (params: object) => rig.stripe.prices.list(params).then(({ data }) => data.map((price) => price.id))
    assert.deepEqual(await list({ lookup_keys: ['pack_1', 'none'], active: true, limit: 100 }), [id])
    assert.deepEqual(await list({ active: true }), [second.id, id])
    assert.deepEqual(await list({ active: false }), [])
  })

  test('lists return the newest first, in pages of any size', async () => {
    const customer = await rig.customer()
    const price = await rig.price(900)
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) ids.unshift((await rig.session(price, customer)).id)
    await rig.session(price)
    for (const limit of [1, 3, 7, 100]) {
      const walked = await Array.fromAsync(rig.stripe.checkout.sessions.list({ customer: customer.id, limit }))
      assert.deepEqual(
        walked.map(({ id }) => id),
        ids,
      )
    }
    const page = await rig.stripe.checkout.sessions.list({ customer: customer.id, limit: 3 })
    assert.deepEqual([page.object, page.has_more, page.url], ['list', true, '/v1/checkout/sessions'])
    for (const limit of [0, 101]) await assert.rejects(rig.stripe.prices.list({ limit }), { param: 'limit' })
    await assert.rejects(rig.stripe.prices.list({ starting_after: 'price_none' }), { code: 'resource_missing' })
  })

  test('events can be listed by time and type, and retrieved by id', async () => {
    await rig.buy(900)
    await rig.pass(10_000)
    const from = rig.nowSeconds
    const payment = await rig.buy(900)
    await rig.stripe.refunds.create({ payment_intent: payment })
    const list = async (params: object) => {
      const events = await Array.fromAsync(rig.stripe.events.list({ limit: 1, ...params }))
      return events.map(({ type }) => type)
    }
    assert.equal((await list({})).length, 4)
    assert.equal((await list({ created: { gte: from } })).length, 3)
    assert.deepEqual(await list({ created: { gte: from }, types: ['refund.created', 'charge.refunded'] }), [
      'charge.refunded',
      'refund.created',
    ])
    const [event] = (await rig.stripe.events.list()).data
    assert.deepEqual(await rig.stripe.events.retrieve(event?.id ?? ''), event)
    assert.equal(event?.api_version, '2026-10-28.endive')
  })

  test('expand accepts fields that refer to objects and refuses others', async () => {
    const payment = await rig.buy(900)
    const expand = (...paths: string[]) => rig.stripe.paymentIntents.retrieve(payment, { expand: paths })
    const { customer, latest_charge } = await expand('latest_charge.customer', 'customer')
    assert.ok(typeof customer === 'object' && typeof latest_charge === 'object' && latest_charge !== null)
    assert.deepEqual(latest_charge.customer, customer)
    for (const path of ['amount', 'status', 'colour', 'latest_charge.amount']) {
      await assert.rejects(expand(path), { param: 'expand' }, path)
    }
    const listed = await rig.stripe.checkout.sessions.list({ expand: ['data.customer', 'data.line_items'] })
    assert.equal(listed.data[0]?.line_items?.data.length, 1)
  })

  test('requests with the same idempotency key are executed once and get the same response', async () => {
    const idempotencyKey = 'key-1'
    const create = (name: string) => rig.stripe.customers.create({ name }, { idempotencyKey })
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('A')))
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1)
    const again = await create('A')
    assert.equal(again.id, answers[0]?.id)
    assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
    await assert.rejects(create('B'), { type: 'StripeIdempotencyError', statusCode: 400 })
    await rig.pass(DAY - HOUR)
    assert.equal((await create('A')).id, again.id)
    await rig.pass(2 * HOUR)
    assert.notEqual((await create('A')).id, again.id)
  })

  test('an error is replayed too, unless the request was malformed', async () => {
    const payment = await rig.buy(900)
    const options = { idempotencyKey: 'key-2' }
    const refund = (amount: number) => rig.stripe.refunds.create({ payment_intent: payment, amount }, options)
    await assert.rejects(refund(1_000), { statusCode: 400 })
    await assert.rejects(refund(1_000), (error: { headers: Record<string, string> }) => {
      assert.equal(error.headers['idempotent-replayed'], 'true')
      return true
    })
    await assert.rejects(refund(900), { type: 'StripeIdempotencyError' })
    const other = { idempotencyKey: 'key-3' }
    const wrong = { colour: 'red' } as object
    await assert.rejects(rig.stripe.customers.create(wrong, other), { code: 'parameter_unknown' })
    assert.ok((await rig.stripe.customers.create({ name: 'A' }, other)).id)
  })

  test('responses have sandbox ids and livemode false', async () => {
    const customer = await rig.customer()
    assert.match(customer.id, /^cus_sandbox_[0-9a-f]{32}$/)
    assert.deepEqual([customer.livemode, customer.created, customer.balance], [false, rig.nowSeconds, 0])
    assert.match(customer.lastResponse.requestId, /^req_sandbox_/)
    const found = await rig.stripe.customers.retrieve(customer.id)
    assert.deepEqual({ ...found }, { ...customer })
  })
})
