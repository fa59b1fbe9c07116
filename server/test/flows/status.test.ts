import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/model/time.ts'
import { assertError, assertOk } from '../envelope.ts'
import { FakeClock, onEveryEngine, serviceForSuite, TestService } from '../harness.ts'

const HTML = { headers: { accept: 'text/html,application/xhtml+xml' } }

onEveryEngine('the public status', (engine) => {
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  const read = async () => {
    service.clock.advance(5 * SECOND) // so that it is read again
    const reply = await service.call('/status')
    assertOk(reply)
    return reply.body.data
  }
  const beatFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20 * SECOND) {
      service.clock.advance(20 * SECOND)
      // Of several instances, whose clocks differ a little.
      await Promise.all([0, 1, 2].map((skew) => service.mintick.store.uptime.beat(service.clock.now() - skew * SECOND)))
    }
  }
  const shares = ({ uptime }: { uptime: { periods: { share: number }[] } }) => uptime.periods.map(({ share }) => share)

  test('counts the time without heartbeats as down, and only since uptime is recorded', async () => {
    const { uptime } = await read()
    assert.equal(uptime.knownSince, new Date(new FakeClock().now()).toISOString())
    assert.deepEqual(
      uptime.days.slice(0, 89).every(({ share }: { share: null }) => share === null),
      true,
    )

    await beatFor(HOUR)
    assert.deepEqual(shares(await read()), [1, 1, 1])

    service.clock.advance(2 * HOUR - 5 * SECOND)
    await beatFor(HOUR)
    for (const share of shares(await read())) assert.ok(Math.abs(share - 0.5) < 0.01, `${share}`)
  })

  test('a restart of less than a minute is no interruption', async () => {
    const [before = 0] = shares(await read())
    service.clock.advance(30 * SECOND) // and 25 more until the next heartbeat
    await beatFor(MINUTE)
    assert.ok((shares(await read())[0] ?? 0) >= before)
  })

  test('a period has its own share once more is recorded than it covers', async () => {
    service.clock.advance(7 * DAY)
    await beatFor(20 * SECOND)
    const [day = 1, week = 1, quarter = 0] = shares(await read())
    assert.ok(day < 0.001 && week < 0.001 && quarter > 0.009, `${day} ${week} ${quarter}`)
  })

  test('says how current each kind of data is, without names of sources', async () => {
    const address = 'https://user:secret@feeds.example/private.xml?token=abc'
    const { store } = service.mintick
    await store.sources.add({ key: address, kind: 'feed', options: { url: address } }, service.clock.now())
    const status = await read()
    assert.deepEqual(
      status.data.map(({ kind, sources }: { kind: string; sources: number }) => [kind, sources]),
      [
        ['news', 1],
        ['candles', 0],
        ['prediction-markets', 0],
        ['filings', 0],
        ['signals', 0],
      ],
    )
    for (const { newestAt } of status.data) assert.ok(Date.parse(newestAt) <= service.clock.now(), newestAt)
    const page = (await service.call('/status', HTML)).body
    for (const text of [JSON.stringify(status), page]) assert.ok(!/feeds\.example|secret|token=/.test(text))
  })

  test('is a page without script for browsers, and JSON for programs', async () => {
    const page = await service.call('/status', HTML)
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    assert.match(page.body, /Last 90 days/)
    assert.ok(!/<script|NaN|undefined/.test(page.body))
    assert.match(String((await service.call('/status')).headers['content-type']), /^application\/json/)
  })

  test('is unknown if it is switched off', async () => {
    const other = await TestService.start(engine, { STATUS_PAGE: 'off' })
    try {
      const { key } = await other.open()
      const headers = { authorization: `Bearer ${key}` }
      for (const path of ['/status', '/no-such-path']) {
        assertError(await other.call(path, { headers }), 404, 'NOT_FOUND')
        assertError(await other.call(path), 401, 'UNAUTHORIZED')
      }
    } finally {
      await other.stop()
    }
  })
})
