import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { WebSocket } from 'ws'
import type { NewSignal } from '../../src/model/signals.ts'
import { CONTROL_EVENTS, SignalStreamEvent } from '../../src/model/streams.ts'
import { DAY, HOUR, SECOND } from '../../src/model/time.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { EventReader } from '../event-source.ts'
import { onEveryEngine, type TestService } from '../harness.ts'
import { publishSignal, startStreamService, waitUntil } from '../streams.ts'

const isEvent = Compile(SignalStreamEvent)

onEveryEngine('signal stream', (engine) => {
  let service: TestService
  let url: string
  let account: { id: string; key: string }
  before(async () => {
    const started = await startStreamService(engine)
    service = started.service
    url = started.url
    account = started.account
  })
  after(() => service.stop())

  const publish = (given?: Partial<NewSignal>) => publishSignal(service, given)
  const open = (query = '', lastEventId?: string | number) =>
    EventReader.open(`${url}/signals/stream${query}`, account.key, lastEventId)

  async function openSocket(query = '', key = account.key) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/signals/ws${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const messages = on(socket, 'message')
    await once(socket, 'open')
    return {
      socket,
      next: async () => {
        const { value } = await messages.next()
        const message = JSON.parse(String(value?.[0]))
        assert.deepEqual(isEvent.Errors(message), [])
        return message
      },
    }
  }

  /** Waits until the service has noticed that all clients disconnected. */
  const noneOpen = () => waitUntil(() => service.mintick.streams.count === 0)

  test('starts with retry and ready, and with headers that keep proxies from buffering', async () => {
    const head = await publish()
    const reader = await open()
    const { headers } = reader.response
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(headers.get('x-accel-buffering'), 'no')
    assert.equal(headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(headers.get('x-credits-cost'), '0')
    const ready = await reader.nextOf('ready')
    assert.equal(reader.retryMs, 3_000)
    assert.equal(ready.id, String(head))
    assert.ok(Compile(CONTROL_EVENTS.ready).Check(ready.data))
    assert.deepEqual(
      { ...ready.data, connectionId: '' },
      {
        connectionId: '',
        plan: 'custom',
        serverTime: new Date(service.clock.now()).toISOString(),
        resumedFrom: null,
        replayCount: 0,
        creditsPerMinute: 5,
      },
    )
    reader.close()
  })

  test('sends a signal to server-sent events and WebSockets alike, as /signals/:id returns it', async () => {
    const reader = await open()
    const { socket, next } = await openSocket()
    await reader.nextOf('ready')
    assert.equal((await next()).event, 'ready')
    const id = await publish({ title: 'two\nlines' })
    const event = await reader.nextOf('signal')
    assert.equal(event.id, String(id))
    assert.deepEqual(await next(), { ...event, id })
    const { signal, change } = event.data
    const { body } = await service.api(`/signals/${signal.id}`, account.key)
    assert.deepEqual([signal, change], [body.data, 'new'])
    await publish({ id: signal.id, title: 'more' })
    const again = await reader.nextOf('signal')
    assert.deepEqual([again.data.signal.id, again.data.change], [signal.id, 'updated'])
    assert.deepEqual(await next(), { ...again, id: Number(again.id) })
    reader.close()
    socket.close()
  })

  test('sends only signals that pass its filters', async () => {
    const queries = {
      '': ['a', 'b', 'c', 'd'],
      '?assetKey=tsla': ['b'],
      '?ticker=tsla': ['b'],
      '?symbol=TSLA,AAPL&assetKey=TSLA': ['b'],
      '?symbol=NOSUCH': [],
      '?kind=breaking_cluster,sentiment_shift': ['c'],
      '?direction=bearish': ['b', 'd'],
      '?strengthMin=0.6': ['c', 'd'],
      '?confidenceMin=0.9&direction=bullish': ['c'],
      '?assetKey=NONE': [],
    }
    const head = await service.mintick.store.signalLog.head()
    const live = await Promise.all(Object.keys(queries).map((query) => open(query)))
    for (const reader of live) await reader.nextOf('ready')
    await publish({ title: 'a' })
    await publish({ title: 'b', assetKey: 'TSLA', direction: 'bearish' })
    await publish({ title: 'c', kind: 'breaking_cluster', strength: 0.6, confidence: 0.9 })
    await publish({ title: 'd', direction: 'bearish', strength: 0.9 })
    for (const [index, [query, titles]] of Object.entries(queries).entries()) {
      const reader = live[index]
      assert.ok(reader)
      for (const title of titles) assert.equal((await reader.nextOf('signal')).data.signal.title, title, query)
      reader.close()
      const resumed = await open(query, head)
      assert.equal((await resumed.nextOf('ready')).data.replayCount, titles.length, query)
      for (const title of titles) assert.equal((await resumed.next())?.data.signal.title, title, query)
      resumed.close()
    }
  })

  test('a heartbeat every 15 seconds has the id to resume after, even if the filters drop every signal', async () => {
    const reader = await open('?assetKey=NONE')
    await reader.nextOf('ready')
    const id = await publish()
    for (const _ of [1, 2]) {
      service.clock.advance(14 * SECOND)
      service.mintick.streams.signals.tick()
      service.clock.advance(SECOND)
      service.mintick.streams.signals.tick()
      const heartbeat = await reader.next()
      assert.equal(heartbeat?.event, 'heartbeat')
      assert.equal(heartbeat?.id, String(id))
      assert.deepEqual(heartbeat?.data, { at: new Date(service.clock.now()).toISOString() })
    }
    reader.close()
  })

  test('resumes after the id in the header or the parameter; the header wins', async () => {
    const first = await publish({ title: 'first' })
    const second = await publish({ title: 'second' })
    const resumes = [await open('', first), await open(`?lastEventId=${first}`), await open('?lastEventId=0', first)]
    for (const reader of resumes) {
      const ready = await reader.nextOf('ready')
      assert.deepEqual([ready.id, ready.data.resumedFrom, ready.data.replayCount], [String(first), first, 1])
      const missed = await reader.nextOf('signal')
      assert.deepEqual([missed.id, missed.data.signal.title], [String(second), 'second'])
      reader.close()
    }
    const { socket, next } = await openSocket(`?lastEventId=${first}`)
    assert.equal((await next()).data.replayCount, 1)
    assert.equal((await next()).id, second)
    socket.close()
  })

  test('sends a gap for events that have been pruned', async () => {
    const old = await publish()
    const last = await publish()
    service.clock.advance(DAY + HOUR)
    await service.mintick.store.signalLog.prune(service.clock.now() - DAY)
    const empty = await open('', old - 1)
    const all = await empty.nextOf('gap')
    assert.deepEqual([all.id, all.data], [String(last), { fromId: old, toId: last }])
    const kept = await publish()
    assert.equal((await empty.nextOf('signal')).id, String(kept))
    empty.close()

    const reader = await open('', old)
    assert.equal((await reader.nextOf('ready')).data.replayCount, 1)
    assert.deepEqual((await reader.next())?.data, { fromId: last, toId: last })
    assert.equal((await reader.next())?.id, String(kept))
    reader.close()
    const whole = await open('', last)
    await whole.nextOf('ready')
    assert.equal((await whole.next())?.id, String(kept), 'no gap where nothing is missing')
    whole.close()
  })

  test('sends a gap to a client that knows later events than a restored log, and goes on from its head', async () => {
    const head = await publish()
    const readers = [await open('', head + 7), await open(`?lastEventId=${head + 7}&kind=insider_cluster_buy`)]
    for (const reader of readers) {
      const ready = await reader.nextOf('ready')
      assert.deepEqual([ready.id, ready.data.resumedFrom, ready.data.replayCount], [String(head), head + 7, 0])
      const gap = await reader.next()
      assert.deepEqual([gap?.event, gap?.id, gap?.data], ['gap', String(head), { fromId: head + 1, toId: head + 7 }])
    }
    const { socket, next } = await openSocket(`?lastEventId=${head + 1}`)
    await next()
    assert.deepEqual(await next(), { id: head, event: 'gap', data: { fromId: head + 1, toId: head + 1 } })
    const fresh = await publish()
    assert.equal((await readers[0]?.next())?.id, String(fresh))
    assert.equal((await next()).id, fresh)
    socket.close()
    for (const reader of readers) reader.close()

    const resumed = await open('', head)
    assert.equal((await resumed.nextOf('ready')).data.replayCount, 1)
    assert.equal((await resumed.next())?.id, String(fresh), 'no gap after resuming from the head')
    resumed.close()
  })

  test('invalid input gets 400 and takes no slot', async () => {
    await noneOpen()
    const bad: Record<string, string> = {
      '?kind=rumour': 'kind',
      '?kind=': 'kind',
      '?direction=up': 'direction',
      '?strengthMin=2': 'strengthMin',
      '?strengthMin=strong': 'strengthMin',
      '?confidenceMin=-1': 'confidenceMin',
      '?assetKey=': 'assetKey',
      '?lastEventId=abc': 'lastEventId',
      '?lastEventId=-1': 'lastEventId',
      '?lastEventId=1.5': 'lastEventId',
      '?lastEventId=99999999999999999999': 'lastEventId',
    }
    for (const [query, field] of Object.entries(bad)) {
      const reply = await service.api(`/signals/stream${query}`, account.key)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [field])
    }
    for (const header of ['x', '-1', '1;2']) {
      const reply = await service.api('/signals/stream', account.key, { headers: { 'last-event-id': header } })
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), ['lastEventId'])
    }
    assertError(await service.api('/signals/ws', account.key), 400, 'BAD_REQUEST')
    assert.equal(service.mintick.streams.count, 0)
  })

  test('a refused WebSocket gets the same error response as any request', async () => {
    const demo = await fetchUpgrade('/signals/ws', 'mtk_demo')
    assert.match(demo, /^HTTP\/1.1 403 .*"code":"FORBIDDEN"/s)
    assert.match(await fetchUpgrade('/signals/ws', 'nope'), /^HTTP\/1.1 401 .*"code":"UNAUTHORIZED"/s)
    assert.match(await fetchUpgrade('/signals/ws?kind=x', account.key), /^HTTP\/1.1 400 .*"field":"kind"/s)
    const badKey = await fetchUpgrade('/signals/ws', account.key, 'short')
    assert.match(badKey, /^HTTP\/1.1 400 .*"code":"BAD_REQUEST"/s)
    assert.match(await fetchUpgrade('/stats', account.key), /^HTTP\/1.1 200 .*"success":true/s)
    assert.match(await fetchUpgrade('/nothing', account.key), /^HTTP\/1.1 404 /)
    assert.equal(service.mintick.streams.count, 0)
  })

  /** Sends a raw WebSocket handshake. Returns everything received until the connection ends. */
  async function fetchUpgrade(path: string, key: string, socketKey = 'dGhlIHNhbXBsZSBub25jZQ=='): Promise<string> {
    const { port, pathname } = new URL(url + path)
    const socket = connect(Number(port), '127.0.0.1')
    const { search } = new URL(url + path)
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${socketKey}\r\nauthorization: Bearer ${key}\r\n\r\n`,
    )
    let answer = ''
    for await (const chunk of socket.setEncoding('utf8')) answer += chunk
    return answer
  }

  test('opening gets 402 if the balance does not cover a minute and 429 over the cap of the plan', async () => {
    const poor = await service.open('professional', 4)
    assertError(await service.api('/signals/stream', poor.key), 402, 'INSUFFICIENT_CREDITS')
    assert.match(await fetchUpgrade('/signals/ws', poor.key), /^HTTP\/1.1 402 .*"code":"INSUFFICIENT_CREDITS"/s)
    const { key } = await service.open('starter', 100)
    const reader = await EventReader.open(`${url}/signals/stream`, key)
    const refused = await service.api('/signals/stream', key)
    assertError(refused, 429, 'RATE_LIMIT_EXCEEDED')
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/)
    assert.match(await fetchUpgrade('/signals/ws', key), /^HTTP\/1.1 429 .*"code":"RATE_LIMIT_EXCEEDED"/s)
    assertError(await service.api('/signals/stream', (await service.open('free', 100)).key), 403, 'FORBIDDEN')
    reader.close()
  })

  test('a client that disconnects and reconnects at once finds its slot free', async () => {
    const { key } = await service.open('starter', 100)
    for (let count = 0; count < 30; count++) {
      const reader = await EventReader.open(`${url}/signals/stream`, key)
      await reader.nextOf('ready')
      reader.close()
    }
    await noneOpen()
  })

  test('charges each completed minute and sends closing when the credits run out', async () => {
    const { id, key } = await service.open('enterprise', 11)
    const reader = await EventReader.open(`${url}/signals/stream`, key)
    assert.equal((await reader.nextOf('ready')).data.creditsPerMinute, 4)
    for (const balance of [7, 3]) {
      service.clock.advance(60 * SECOND)
      await service.mintick.streamMeter.postMinutes()
      assert.equal(await service.balance(id), balance)
    }
    assert.equal((await reader.nextOf('closing')).data.reason, 'credits_exhausted')
    assert.equal(await reader.next(), undefined)
    const { body } = await service.api('/account/usage', key)
    assert.deepEqual(body.data.stream, { minutes: 2, credits: 8 })
    assert.equal((await service.api('/account', key)).body.data.realtimeConnections.open, 0)
  })

  test('sends closing before the request that revokes its key or takes away its plan returns', async () => {
    const { id, key } = await service.open('starter', 100)
    const reader = await EventReader.open(`${url}/signals/stream`, key)
    await reader.nextOf('ready')
    await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { plan: 'free' } })
    assert.equal((await reader.nextOf('closing')).data.reason, 'plan_changed')
    await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { plan: 'professional' } })
    const again = await EventReader.open(`${url}/signals/stream`, key)
    assert.equal((await again.nextOf('ready')).data.plan, 'professional')
    const [own] = (await service.api('/account/api-keys', key)).body.data
    await service.api(`/account/api-keys/${own.id}`, key, { method: 'DELETE' })
    assert.deepEqual((await again.nextOf('closing')).data, { reason: 'key_revoked', reconnectAfterMs: null })
    assert.equal(await service.mintick.store.streams.countOpen(id), 0)
  })

  if (engine === 'postgres') {
    test('signals and account changes of one instance reach the streams of another', async () => {
      const twin = await service.twin()
      const { id, key } = await service.open('starter', 100)
      const reader = await EventReader.open(`${await twin.listen()}/signals/stream`, key)
      await reader.nextOf('ready')
      assertError(await service.api('/signals/stream', key), 429, 'RATE_LIMIT_EXCEEDED')
      const found = await publish()
      assert.equal((await reader.nextOf('signal')).id, String(found))
      await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { isActive: false } })
      assert.equal((await reader.nextOf('closing')).data.reason, 'key_revoked')
      await twin.mintick.close()
    })
  }

  test('appears in the request log, and is rotated after some hours', async () => {
    const reader = await open()
    await reader.nextOf('ready')
    await service.mintick.admission.requestWriter.drain()
    const { body } = await service.api('/account/logs?limit=1&path=/api/v1/signals/stream', account.key)
    assert.deepEqual([body.data[0].statusCode, body.data[0].creditsCharged], [200, 0])
    service.clock.advance(14 * HOUR)
    service.mintick.streams.signals.tick()
    const closing = await reader.nextOf('closing')
    assert.equal(closing.data.reason, 'rotation')
    assert.ok(Compile(CONTROL_EVENTS.closing).Check(closing.data))
    assert.equal(await reader.next(), undefined, 'the response ends')
  })
})
