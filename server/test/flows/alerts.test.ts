/** Low balances are told once per fall, by signed webhook and by mail. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { assertError, assertOk, fieldsOf } from '../envelope.ts'
import { FakeClock, onEveryEngine, onPostgres, serviceForSuite, TestService } from '../harness.ts'
import { startSmtpServer } from '../smtp-server.ts'
import { waitUntil } from '../streams.ts'

interface Received {
  method: string | undefined
  signature: string
  body: string
}

/** A receiver of webhooks, whose answers can be chosen. */
async function startReceiver() {
  const received: Received[] = []
  const answer = { status: 200, location: '' }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ method: request.method, signature: String(request.headers['mintick-signature']), body })
    response.writeHead(answer.status, answer.location === '' ? {} : { location: answer.location }).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { received, answer, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }
}

const change = (service: TestService, key: string, body: object) =>
  service.api('/account/alerts', key, { method: 'PATCH', body })
const changed = async (service: TestService, key: string, body: object) => {
  const reply = await change(service, key, body)
  assertOk(reply)
  return reply.body.data
}
const addCredits = (service: TestService, id: string, credits: number) =>
  service.admin(`/accounts/${id}/credits`, { method: 'POST', body: { credits, reason: 'test' } })

/** Runs the alerts of this instance even if a periodic run is under way. */
const runAlerts = async ({ mintick }: TestService) => {
  for (let round = 0; round < 3; round += 1) await mintick.alerts.run()
}

onEveryEngine('alerts about low balances', (engine) => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>
  const service = new TestService(new FakeClock())
  before(async () => {
    receiver = await startReceiver()
    smtp = await startSmtpServer()
    const settings = { WEBHOOK_HOSTS: '127.0.0.1', SMTP_URL: smtp.url, SMTP_FROM: 'Mintick <alerts@mintick.example>' }
    await service.start(engine, settings)
  })
  beforeEach(() => {
    receiver.received.length = 0
    smtp.mails.length = 0
    Object.assign(receiver.answer, { status: 200, location: '' })
    smtp.refuse(false)
  })
  after(async () => {
    await service.stop()
    receiver.close()
    await smtp.close()
  })
  const tell = async (count: number) => {
    await runAlerts(service)
    await waitUntil(() => receiver.received.length >= count)
    await runAlerts(service)
    assert.equal(receiver.received.length, count)
  }

  test('an account has no alerts until it sets a threshold, and the secret is shown once', async () => {
    const { key } = await service.open('free', 100)
    const none = { lowBalance: null, isBelow: false, webhookUrl: null, email: false }
    assert.deepEqual((await service.get('/account/alerts', key)).data, none)
    const { webhookSecret, ...set } = await changed(service, key, { lowBalance: 50, webhookUrl: receiver.url })
    assert.match(webhookSecret, /^whsec_[\w-]{43}$/)
    assert.deepEqual(set, { ...none, lowBalance: 50, webhookUrl: receiver.url })
    assert.deepEqual((await service.get('/account/alerts', key)).data, set)
    assert.deepEqual(await changed(service, key, { lowBalance: 40 }), { ...set, lowBalance: 40 })
    assert.notEqual((await changed(service, key, { webhookUrl: receiver.url })).webhookSecret, webhookSecret)
    assert.deepEqual(await changed(service, key, { lowBalance: null, webhookUrl: null }), none)
  })

  test('a fall by requests is told once, signed, and again only after the balance has recovered', async () => {
    const { id, key } = await service.open('professional', 12)
    const { webhookSecret } = await changed(service, key, { lowBalance: 10, webhookUrl: receiver.url })
    for (let call = 0; call < 2; call += 1) assertOk(await service.api('/entries', key))
    await runAlerts(service)
    assert.equal(receiver.received.length, 0, 'at the threshold it is not below')
    assertOk(await service.api('/entries', key))
    await tell(1)
    const [{ method, signature, body }] = receiver.received as [Received]
    const event = JSON.parse(body)
    assert.equal(method, 'POST')
    assert.deepEqual(event, {
      id: event.id,
      type: 'balance.low',
      createdAt: isoTime(service.clock.now()),
      data: { accountId: id, threshold: 10, balance: 9 },
    })
    const seconds = Math.floor(service.clock.now() / 1_000)
    const hmac = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex')
    assert.equal(signature, `t=${seconds},v1=${hmac}`)
    assert.equal((await service.get('/account/alerts', key)).data.isBelow, true)

    assertOk(await service.api('/entries', key))
    await tell(1)
    await service.restart()
    await tell(1)
    service.clock.advance(1)
    await addCredits(service, id, 2)
    await runAlerts(service)
    service.clock.advance(1)
    assertOk(await service.api('/entries', key))
    await tell(2)
    assert.notEqual(JSON.parse(receiver.received[1]?.body ?? '').id, event.id)
  })

  test('a fall and a recovery between two rounds are told, a threshold above the balance is not', async () => {
    const { id, key } = await service.open('free', 100)
    await changed(service, key, { lowBalance: 200, webhookUrl: receiver.url })
    await runAlerts(service)
    assert.equal((await service.get('/account/alerts', key)).data.isBelow, true)
    await changed(service, key, { lowBalance: 50 })
    for (const credits of [-60, 70, -80]) {
      service.clock.advance(1)
      await addCredits(service, id, credits)
    }
    await tell(2)
    assert.deepEqual(receiver.received.map(({ body }) => JSON.parse(body).data.balance).sort(), [30, 40])
  })

  test('a failed webhook is repeated with growing pauses and the same id, then given up', async () => {
    const { id, key } = await service.open('free', 100)
    await changed(service, key, { lowBalance: 50, webhookUrl: receiver.url })
    Object.assign(receiver.answer, { status: 302, location: receiver.url })
    await addCredits(service, id, -60)
    await tell(1)
    const { lastFailure } = (await service.get('/account/alerts', key)).data
    assert.deepEqual(lastFailure, { reason: 'the address answered with status 302', at: isoTime(service.clock.now()) })
    receiver.answer.status = 500
    const pauses = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR]
    for (const [place, pause] of pauses.entries()) {
      service.clock.advance(pause - 1)
      await tell(place + 1)
      service.clock.advance(1)
      await tell(place + 2)
    }
    service.clock.advance(100 * HOUR)
    await tell(7)
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
    assert.equal(new Set(receiver.received.map(({ signature }) => signature)).size, 7)
  })

  test('after a failure the next attempt may succeed, and one account does not hold up another', async () => {
    const [one, other] = [await service.open('free', 100), await service.open('free', 100)]
    await changed(service, one.key, { lowBalance: 50, webhookUrl: 'http://127.0.0.1:1/' })
    await changed(service, other.key, { lowBalance: 50, webhookUrl: receiver.url })
    for (const { id } of [one, other]) await addCredits(service, id, -60)
    await tell(1)
    await waitUntil(async () => 'lastFailure' in (await service.get('/account/alerts', one.key)).data)
    const { lastFailure } = (await service.get('/account/alerts', one.key)).data
    assert.match(lastFailure.reason, /cannot be reached \(ECONNREFUSED\)/)
    await changed(service, one.key, { webhookUrl: receiver.url })
    service.clock.advance(MINUTE)
    await tell(2)
    assert.ok(!('lastFailure' in (await service.get('/account/alerts', one.key)).data))
  })

  test('a mail goes to the address of the account, and is repeated if the server refuses it', async () => {
    const { id, key } = await service.open('free', 100)
    const { email } = (await service.get('/account', key)).data
    await changed(service, key, { lowBalance: 50, email: true })
    smtp.refuse(true)
    await addCredits(service, id, -60)
    await runAlerts(service)
    await waitUntil(async () => 'lastFailure' in (await service.get('/account/alerts', key)).data)
    assert.equal(smtp.mails.length, 0)
    smtp.refuse(false)
    service.clock.advance(MINUTE)
    await runAlerts(service)
    await waitUntil(() => smtp.mails.length === 1)
    await runAlerts(service)
    const [mail] = smtp.mails
    assert.equal(smtp.mails.length, 1)
    assert.deepEqual([mail?.from, mail?.to], ['alerts@mintick.example', [email]])
    assert.match(mail?.message ?? '', /^Subject: Your balance is below 50 credits$/m)
    assert.match(mail?.message ?? '', /it was 40\./)
  })

  test('bad settings answer 400 naming the field and change nothing', async () => {
    const { key } = await service.open('professional', 100)
    const bad: [body: object, field: string][] = [
      [{ lowBalance: 0 }, 'lowBalance'],
      [{ lowBalance: 1.5 }, 'lowBalance'],
      [{ lowBalance: '10' }, 'lowBalance'],
      [{ lowBalance: 1e15 }, 'lowBalance'],
      [{ email: 'me@test.example' }, 'email'],
      ...[
        'ftp://hooks.example/',
        'hooks.example',
        '',
        'http://',
        'https://user:pass@hooks.example/',
        'http://10.0.0.1/',
        'http://169.254.169.254/latest',
        'http://[::1]/',
        'http://[::ffff:10.0.0.1]/',
        'http://2130706434/',
        `https://hooks.example/${'x'.repeat(2_048)}`,
      ].map((webhookUrl): [object, string] => [{ lowBalance: 5, webhookUrl }, 'webhookUrl']),
    ]
    for (const [body, field] of bad) {
      const reply = await change(service, key, body)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field], JSON.stringify(body))
    }
    assert.equal((await service.get('/account/alerts', key)).data.lowBalance, null)
  })

  test('the ledger still adds up', async () => {
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })
})

onEveryEngine('alerts without a mail server and without allowed hosts', (engine) => {
  const service = serviceForSuite(engine)

  test('mail cannot be asked for, and names that lead to private addresses are not called', async () => {
    const { id, key } = await service.open('free', 100)
    const reply = await change(service, key, { email: true })
    assertError(reply, 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(reply), ['email'])
    const receiver = await startReceiver()
    try {
      await changed(service, key, { lowBalance: 50, webhookUrl: receiver.url.replace('127.0.0.1', 'localhost') })
      await addCredits(service, id, -60)
      await runAlerts(service)
      await waitUntil(async () => 'lastFailure' in (await service.get('/account/alerts', key)).data)
      assert.equal((await service.get('/account/alerts', key)).data.lastFailure.reason, 'the address is private')
      assert.equal(receiver.received.length, 0)
    } finally {
      receiver.close()
    }
  })
})

onPostgres('alerts of two instances', () => {
  const service = serviceForSuite('postgres', { WEBHOOK_HOSTS: '127.0.0.1' })

  test('each fall is told once, whichever instance finds it', async () => {
    const receiver = await startReceiver()
    const twin = await service.twin()
    try {
      const accounts = await Promise.all(Array.from({ length: 10 }, () => service.open('free', 100)))
      for (const { key } of accounts) await changed(service, key, { lowBalance: 50, webhookUrl: receiver.url })
      for (const { id } of accounts) await addCredits(service, id, -60)
      await waitUntil(async () => {
        await Promise.all([service, twin, service, twin].map(({ mintick }) => mintick.alerts.run()))
        return receiver.received.length >= accounts.length
      })
      await Promise.all([service, twin].map(({ mintick }) => mintick.alerts.run()))
      const told = receiver.received.map(({ body }) => JSON.parse(body).data.accountId)
      assert.deepEqual(told.sort(), accounts.map(({ id }) => id).sort())
    } finally {
      await twin.mintick.close()
      receiver.close()
    }
  })
})
