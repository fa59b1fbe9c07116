/** Webhooks of the payment processor over real connections: signed events take effect once, others not at all. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { MINUTE, SECOND } from '../../src/model/time.ts'
import { assertBalanced, Buyer, pass, webhookSecretOf } from '../buyer.ts'
import { differences, dumpTables } from '../dump.ts'
import { assertError, assertOk } from '../envelope.ts'
import { FakeClock, onEveryEngine, type Reply, serviceForSuite, TestService } from '../harness.ts'
import { signPayload } from '../sandbox/rig.ts'

const MB = 1_048_576

interface Message {
  body: string | Uint8Array
  headers?: Record<string, string>
  method?: string
}

onEveryEngine('messages of the payment processor', (engine) => {
  const service = serviceForSuite(engine, {}, assertBalanced)
  service.isAlone = true
  let url: string
  let buyer: Buyer
  before(async () => {
    url = new URL('/webhooks/stripe', await service.listen()).href
    buyer = await Buyer.open(service, 'free', 0)
  })

  function send({ body, headers = {}, method = 'POST' }: Message): Promise<Pick<Reply, 'status' | 'body'>> {
    return new Promise((resolve, reject) => {
      const call = request(url, { method, headers, agent: false }, async (response) => {
        const text = (await Array.fromAsync(response.setEncoding('utf8'))).join('')
        resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) })
      })
      call.on('error', reject).end(body)
    })
  }

  const nowSeconds = () => Math.floor(service.clock.now() / SECOND)
  const signed = (body: string, secret = webhookSecretOf(service), at = nowSeconds()): Message => ({
    body,
    headers: { 'stripe-signature': signPayload(body, secret, at) },
  })
  let events = 0
  const eventAbout = (sessionId: string, type = 'checkout.session.completed') => {
    events += 1
    return JSON.stringify({
      id: `evt_test_${events}`,
      object: 'event',
      type,
      created: nowSeconds(),
      data: { object: { id: sessionId, object: 'checkout.session' } },
    })
  }
  const dump = async () => {
    await service.mintick.admission.requestWriter.drain()
    return dumpTables(service.place, ['request_log'])
  }
  /** Makes a purchase and waits until it is settled, so that no other work is pending. */
  const settled = async () => {
    const sessionId = await buyer.buy('credits_1000')
    await pass(service, MINUTE)
    return sessionId
  }

  test('a signed event is taken and done before it is answered', async () => {
    const other = await Buyer.open(service, 'free', 0)
    const { sessionId } = await other.order('credits_1000')
    await other.pay(sessionId)
    const reply = await send(signed(eventAbout(sessionId)))
    assertOk(reply)
    assert.deepEqual(reply.body, { success: true, data: { isReceived: true } })
    assert.equal(await other.balance(), 1_000)
  })

  test('a signature up to five minutes old or ahead is good, as is one of several', async () => {
    const sessionId = await settled()
    for (const seconds of [-300, -1, 1, 300]) {
      assertOk(await send(signed(eventAbout(sessionId), undefined, nowSeconds() + seconds)))
    }
    const { body, headers } = signed(eventAbout(sessionId))
    const several = headers?.['stripe-signature']?.replace(',v1=', `,v1=${'0'.repeat(64)},v0=x,v1=`) ?? ''
    assertOk(await send({ body, headers: { 'stripe-signature': several } }))
  })

  test('the same event a hundred times at once has one effect', async () => {
    const other = await Buyer.open(service, 'free', 0)
    const { sessionId } = await other.order('credits_1000')
    await other.pay(sessionId)
    const message = signed(eventAbout(sessionId))
    for (const reply of await Promise.all(Array.from({ length: 100 }, () => send(message)))) assertOk(reply)
    assert.equal(await other.balance(), 1_000)
    assert.equal((await other.history('&type=purchase')).length, 1)
  })

  test('an event about what is not ours, or not there, is taken and changes no account', async () => {
    await settled()
    const accounts = async () => (await dump()).accounts
    const before = await accounts()
    for (const type of ['checkout.session.completed', 'invoice.paid', 'customer.subscription.updated']) {
      assertOk(await send(signed(eventAbout('nobody_knows', type))))
    }
    assert.deepEqual(await accounts(), before)
  })

  test('any byte of the body or the signature that is another one makes it worthless', async () => {
    const sessionId = await settled()
    const body = Buffer.from(eventAbout(sessionId))
    const header = signed(body.toString()).headers?.['stripe-signature'] ?? ''
    const before = await dump()
    const flip = (at: number, by: number) => body.map((byte, index) => (index === at ? byte ^ by : byte))
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const reply = await send({ body: flip(at, by), headers: { 'stripe-signature': header } })
        assertError(reply, 400, 'BAD_REQUEST')
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(header.length - 1), fc.constantFrom(...'0123456789abcdef,=tv '), async (at, sign) => {
        const other = header.slice(0, at) + sign + header.slice(at + 1)
        if (other.trim() === header) return
        const reply = await send({ body, headers: { 'stripe-signature': other } })
        assertError(reply, 400, 'BAD_REQUEST')
      }),
    )
    assert.deepEqual(differences(before, await dump()), {})
    assertOk(await send({ body, headers: { 'stripe-signature': header } }))
    assert.notDeepEqual(differences(before, await dump()), {})
  })

  test('a signed event that names nothing changes nothing', async () => {
    await settled()
    const before = await dump()
    for (const data of [undefined, null, {}, { object: null }, { object: { id: '' } }, { object: { id: 7 } }]) {
      const event = { id: 'evt_nothing', object: 'event', type: 'invoice.paid', data }
      const { status } = await send(signed(JSON.stringify(event)))
      assert.ok(status === 200 || status === 400, `${status}`)
      assert.deepEqual(differences(before, await dump()), {})
    }
  })

  test('whatever is not a signed event of now is refused in the envelope, and nothing changes', async () => {
    const sessionId = await settled()
    const secret = webhookSecretOf(service)
    const event = () => eventAbout(sessionId)
    const refused: Record<string, Message> = {
      'the secret of another': signed(event(), `whsec_${'0'.repeat(64)}`),
      'an empty secret': signed(event(), ''),
      'no header': { body: event() },
      'an empty header': { body: event(), headers: { 'stripe-signature': '' } },
      'a header without a time': { body: event(), headers: { 'stripe-signature': `v1=${'0'.repeat(64)}` } },
      'a header of something else': { body: event(), headers: { 'stripe-signature': 'Bearer x' } },
      'a key instead': { body: event(), headers: { authorization: `Bearer ${buyer.key}` } },
      'the token of the operator': {
        body: event(),
        headers: { authorization: `Bearer ${service.mintick.adminToken}` },
      },
      'a time that is too long ago': signed(event(), secret, nowSeconds() - 301),
      'a time that is to come': signed(event(), secret, nowSeconds() + 600),
      'a type that is not handled': signed(eventAbout(sessionId, 'customer.created')),
      'a type of every object': signed(eventAbout(sessionId, '__proto__')),
      'JSON that is no event': signed('{"hello":"world"}'),
      'an event without an id': signed(event().replace(/"id":"evt_test_\d+",/, '')),
      'an event with an id that is no text': signed(event().replace(/"id":"evt_test_\d+"/, '"id":{"a":1}')),
      'an event without a type': signed(event().replace('"type":', '"other":')),
      'a list': signed(`[${event()}]`),
      null: signed('null'),
      'a number': signed('1'),
      'half an event': signed(event().slice(0, 50)),
      'an empty body': signed(''),
      'bytes that are not UTF-8': { ...signed(event()), body: Uint8Array.of(0x7b, 0xff, 0x7d) },
      '10 MB': signed(JSON.stringify({ ...JSON.parse(event()), more: 'x'.repeat(10 * MB) })),
      GET: { ...signed(event()), method: 'GET', body: '' },
      PUT: { ...signed(event()), method: 'PUT' },
    }
    const before = await dump()
    for (const [what, message] of Object.entries(refused)) {
      const { status, body } = await send(message)
      assert.ok(status >= 400 && status < 500, `${what}: ${status} ${JSON.stringify(body)}`)
      assertError({ status, body }, status, body.error.code)
      assert.ok(!JSON.stringify(body).includes(secret), what)
      assert.deepEqual(differences(before, await dump()), {}, what)
    }
    assertOk(await send(signed(event())))
  })
})

onEveryEngine('a payment processor that is away', (engine) => {
  test('an event is kept, answered with 500 and done by the sweeper once the processor is there again', async () => {
    const service = new TestService(new FakeClock())
    service.isAlone = true
    await service.start(engine)
    const buyer = await Buyer.open(service, 'free', 0)
    const { sessionId } = await buyer.order('credits_1000')
    await buyer.pay(sessionId)
    const body = JSON.stringify({
      id: 'evt_kept',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { id: sessionId } },
    })
    const message = {
      method: 'POST',
      body,
      headers: {
        'stripe-signature': signPayload(body, webhookSecretOf(service), Math.floor(service.clock.now() / SECOND)),
      },
    }
    await service.mintick.sandbox?.close()
    assertError(await service.call('/webhooks/stripe', message), 500, 'INTERNAL_ERROR')
    assert.equal(await buyer.balance(), 0)
    assertError(await buyer.post('/billing/checkout', { packageId: 'credits_1000' }), 500, 'INTERNAL_ERROR')
    assert.equal((await buyer.comeBack(sessionId)).status, 500)
    assertOk(await buyer.call('/stats'))

    await service.restart()
    const { billing, store } = service.mintick
    await billing?.inbox.retry()
    assert.equal(await buyer.balance(), 0, 'not before its time')
    service.clock.advance(30 * SECOND)
    assert.deepEqual(
      (await store.processorEvents.listDue(service.clock.now(), 10)).map(({ id, attempts }) => [id, attempts]),
      [['evt_kept', 1]],
    )
    await billing?.sweeper.run()
    assert.equal(await buyer.balance(), 1_000)
    assert.deepEqual(await store.processorEvents.listDue(service.clock.now(), 10), [])
    await pass(service, MINUTE)
    assert.equal(await buyer.balance(), 1_000)
    await assertBalanced(service)
    await service.stop()
  })
})
