import assert from 'node:assert/strict'
import { on, once } from 'node:events'
import { after, before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { WebSocket } from 'ws'
import { EntryStreamEvent } from '../../src/model/streams.ts'
import { DAY, HOUR, SECOND } from '../../src/model/time.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { EventReader } from '../event-source.ts'
import { onEveryEngine, type TestService } from '../harness.ts'
import { publishEntry, startStreamService, waitUntil } from '../streams.ts'

const isEvent = Compile(EntryStreamEvent)

onEveryEngine('entry stream', (engine) => {
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

  const open = (query = '', lastEventId?: string | number, key = account.key) =>
    EventReader.open(`${url}/entries/stream${query}`, key, lastEventId)

  const take = (row: Record<string, unknown>, update?: boolean) => publishEntry(service, row, update)

  async function openSocket(query = '') {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/entries/ws${query}`, {
      headers: { authorization: `Bearer ${account.key}` },
    })
    const messages = on(socket, 'message')
    await once(socket, 'open')
    return { socket, next: async () => JSON.parse(String((await messages.next()).value?.[0])) }
  }

  test('sends a new and a changed entry to server-sent events and WebSockets alike, as /entries/:id returns it', async () => {
    const reader = await open()
    const { socket, next } = await openSocket()
    await reader.nextOf('ready')
    assert.equal((await next()).event, 'ready')
    const row = { title: 'Zebras rally', url: 'https://zoo.example/1' }
    const id = await take(row)
    const event = await reader.nextOf('entry')
    assert.equal(event.id, String(id))
    const message = await next()
    assert.deepEqual(message, { ...event, id })
    assert.deepEqual(isEvent.Errors(message), [])
    const { entry, change } = event.data
    assert.deepEqual([entry, change], [(await service.get(`/entries/${entry.id}`, account.key)).data, 'new'])
    await take({ ...row, title: 'Zebras rest' }, true)
    const again = await reader.nextOf('entry')
    assert.deepEqual(
      [again.data.entry.id, again.data.entry.title, again.data.change],
      [entry.id, 'Zebras rest', 'updated'],
    )
    assert.deepEqual(await next(), { ...again, id: Number(again.id) })
    await service.admin(`/entries/${entry.id}`, { method: 'DELETE' })
    await take({ title: 'Next', url: 'https://zoo.example/2' })
    assert.equal((await reader.nextOf('entry')).data.entry.title, 'Next', 'a removal is no event')
    reader.close()
    socket.close()
  })

  test('the events of a stream are what the list with the same filters gains, live and resumed', async () => {
    const rows = [
      { title: 'Apple profit rises', url: 'https://a.example/1', author: 'Ann', language: 'en' },
      { title: 'Tesla recalls cars', url: 'https://a.example/2', author: 'Bob', publisher: 'Other' },
      {
        title: 'Gewinne steigen',
        url: 'https://a.example/3',
        content: 'Die Gewinne der Banken steigen wieder deutlich.',
      },
      { title: 'Apple and Tesla', url: 'https://a.example/4', publishedAt: '2026-02-20T10:00:00Z' },
    ]
    const queries = [
      '',
      '?search=profits',
      '?search=apple%20-tesla',
      '?assetKey=aapl',
      '?ticker=TSLA,AAPL&search=tesla',
      '?hasAssets=false',
      '?author=Ann,Bob',
      '?publisherSlug=other',
      '?language=de',
      '?publishedBefore=2026-02-21',
      '?sentimentScoreMin=0.1',
      '?assetKey=NONE',
      '?topicSlug=none',
    ]
    const head = await service.mintick.store.changes.head()
    const live = await Promise.all(queries.map((query) => open(query)))
    for (const reader of live) await reader.nextOf('ready')
    const before = await Promise.all(queries.map((query) => listed(query)))
    for (const row of rows) await take(row)
    for (const [index, query] of queries.entries()) {
      const known = new Set(before[index])
      const gained = (await listed(query)).filter((id) => !known.has(id)).reverse()
      for (const reader of [live[index] ?? assert.fail(), await open(query, head)]) {
        if (reader !== live[index]) assert.equal((await reader.nextOf('ready')).data.replayCount, gained.length, query)
        for (const id of gained) assert.equal((await reader.nextOf('entry')).data.entry.id, id, query)
        reader.close()
      }
    }
    await waitUntil(() => service.mintick.streams.count === 0)
  })

  const listed = async (query: string): Promise<string[]> =>
    (await service.get(`/entries${query}`, account.key)).data.map(({ id }: { id: string }) => id)

  test('resumes within 24 hours without a gap, and names the events that it cannot send again', async () => {
    const first = await take({ title: 'First', url: 'https://b.example/1' })
    const second = await take({ title: 'Second', url: 'https://b.example/2' })
    // Changes of other records are not events of this stream.
    await service.mintick.store.markets.upsert(
      [{ symbol: 'ZZZ-USD', assetKey: 'AAPL', type: 'stock', quoteCurrency: 'USD' }],
      service.clock.now(),
    )
    const resumed = await open('', first)
    assert.equal((await resumed.next())?.data.replayCount, 1)
    assert.deepEqual((await resumed.next())?.id, String(second))
    resumed.close()
    service.clock.advance(DAY + HOUR)
    const late = await open('', first)
    assert.equal((await late.next())?.data.replayCount, 0)
    const gap = await late.next()
    assert.deepEqual([gap?.event, gap?.id, gap?.data], ['gap', String(second), { fromId: first + 1, toId: second }])
    late.close()
    // A removal is no event, so that none is missing after it.
    const heartbeat = await open('', second)
    await heartbeat.nextOf('ready')
    const { id: removed } = (await service.get('/entries?search=first', account.key)).data[0]
    await service.admin(`/entries/${removed}`, { method: 'DELETE' })
    const passed = await service.mintick.store.changes.head()
    await waitUntil(() => service.mintick.streams.entries.head >= passed)
    service.clock.advance(15 * SECOND)
    service.mintick.streams.entries.tick()
    assert.equal((await heartbeat.nextOf('heartbeat')).id, String(passed))
    heartbeat.close()
    const current = await open('', second)
    await current.nextOf('ready')
    await take({ title: 'Third', url: 'https://b.example/3' })
    assert.equal((await current.next())?.event, 'entry', 'nothing was missed, so there is no gap')
    const head = await service.mintick.store.changes.head()
    const restored = await open('', head + 10)
    assert.equal((await restored.next())?.id, String(head))
    assert.deepEqual((await restored.next())?.data, { fromId: head + 1, toId: head + 10 })
    for (const reader of [current, restored]) reader.close()
  })

  test('refuses parameters that a stream cannot have, and invalid ones, naming them', async () => {
    const refused = 'limit=5 after=x before=x sortBy=createdAt:asc query=rates asOf=2026-01-01 include=publisher'.split(
      ' ',
    )
    const bad = ['language=', 'sentimentScoreMin=2', 'assetId=x', 'lastEventId=-1', 'publishedAfter=soon', ...refused]
    for (const query of bad) {
      const reply = await service.api(`/entries/stream?${query}`, account.key)
      assertError(reply, 400, 'BAD_REQUEST')
      assert.deepEqual(fieldsOf(reply), [query.split('=')[0]])
    }
    const signals = await service.api('/signals/stream?sortBy=strength&status=active', account.key)
    assert.deepEqual(fieldsOf(signals), ['sortBy', 'status'])
    assertError(await service.api('/entries/ws', account.key), 400, 'BAD_REQUEST')
    await waitUntil(() => service.mintick.streams.count === 0)
  })

  test('needs real-time access, shares the connections of the plan with signals, and costs as much', async () => {
    assertError(await service.api('/entries/stream', (await service.open('free', 100)).key), 403, 'FORBIDDEN')
    assertError(
      await service.api('/entries/stream', (await service.open('starter', 4)).key),
      402,
      'INSUFFICIENT_CREDITS',
    )
    const { id, key } = await service.open('starter', 11)
    const reader = await open('', undefined, key)
    assertError(await service.api('/signals/stream', key), 429, 'RATE_LIMIT_EXCEEDED')
    assert.equal((await service.api('/account', key)).body.data.realtimeConnections.open, 1)
    for (const balance of [6, 1]) {
      service.clock.advance(60 * SECOND)
      await service.mintick.streamMeter.postMinutes()
      assert.equal(await service.balance(id), balance)
    }
    assert.equal((await reader.nextOf('closing')).data.reason, 'credits_exhausted')
    const signals = await EventReader.open(`${url}/signals/stream`, account.key)
    await signals.nextOf('ready')
    signals.close()
  })

  if (engine === 'postgres') {
    test('entries of one instance reach the streams of another', async () => {
      const twin = await service.twin()
      const reader = await EventReader.open(`${await twin.listen()}/entries/stream`, account.key)
      await reader.nextOf('ready')
      const id = await take({ title: 'Twin', url: 'https://c.example/1' })
      assert.equal((await reader.nextOf('entry')).id, String(id))
      await twin.mintick.close()
    })
  }
})
