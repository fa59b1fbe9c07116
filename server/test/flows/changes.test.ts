import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Change } from '../../src/model/changes.ts'
import type { Market } from '../../src/model/markets.ts'
import { SEC_DATASETS } from '../../src/model/sec/datasets.ts'
import { MINUTE } from '../../src/model/time.ts'
import { Mirror } from '../changing-records.ts'
import { assertError, fieldsOf } from '../envelope.ts'
import { onEveryEngine, TestService } from '../harness.ts'
import { risingCandles } from '../markets.ts'

onEveryEngine('change feed', (engine) => {
  let service: TestService
  /** Another process on PostgreSQL, the same on SQLite. */
  let twin: TestService
  let key: string
  before(async () => {
    service = await TestService.start(engine, { SAMPLE_DATA: 'on' })
    twin = engine === 'postgres' ? await service.twin() : service
    key = (await service.openUnlimited()).key
  })
  after(async () => {
    if (twin !== service) await twin.mintick.close()
    await service.stop()
  })

  const get = (query: string) => twin.get(`/changes?${query}`, key)
  const newestId = async (): Promise<number> => (await get('sortBy=id:desc&limit=1')).data[0].id
  const changesAfter = async (id: number): Promise<Change[]> => (await get(`after=${id}&limit=100`)).data
  const outline = (changes: readonly Change[]) => changes.map(({ type, action, recordId }) => [type, action, recordId])

  test('a mirror that starts at the beginning gets every record as its own endpoint returns it', async () => {
    const mirror = new Mirror()
    let total = 0
    for (let query = 'limit=100'; ; ) {
      const { data, meta } = await get(query)
      mirror.apply(data)
      assert.equal(meta.count, data.length)
      total = meta.totalCount
      if (meta.nextCursor === null) break
      query = `limit=100&after=${meta.nextCursor}`
    }
    assert.equal(mirror.records.size, total, 'a new store has inserts only')
    const { entries, markets, predictionMarkets, secRecords } = await service.mintick.store.totals()
    const filings = Object.values(secRecords).reduce((sum, count) => sum + count, 0)
    assert.ok(mirror.records.size >= entries + markets + predictionMarkets + filings)
    for (const path of ['/entries', '/prediction-markets', ...SEC_DATASETS.map((dataset) => `/sec/${dataset}`)]) {
      const type = { '/entries': 'entry', '/prediction-markets': 'prediction-market' }[path] ?? path.slice(5)
      for (const record of (await twin.get(`${path}?limit=5`, key)).data) {
        assert.deepEqual(mirror.records.get(`${type} ${record.id}`), record)
      }
    }
  })

  test('lists an import, its update and a removal, each after the last id', async () => {
    const start = await newestId()
    const row = { title: 'Zebras rally', url: 'https://zebra.example/1', publisher: 'Zebra', publishedAt: '2026-03-01' }
    assert.equal((await service.admin('/import/entries', { method: 'POST', body: { rows: [row] } })).status, 200)
    const [added, ...none] = await changesAfter(start)
    assert.deepEqual(none, [])
    assert.deepEqual([added?.type, added?.action, added?.dataset], ['entry', 'insert', null])
    const { recordId = '', id = 0, record } = added ?? {}
    assert.deepEqual(record, (await twin.get(`/entries/${recordId}`, key)).data)

    const body = { rows: [{ ...row, title: 'Zebras rest' }], update: true }
    assert.equal((await service.admin('/import/entries', { method: 'POST', body })).status, 200)
    const revised = await changesAfter(id)
    assert.deepEqual(outline(revised), [['entry', 'revision', recordId]])
    assert.equal((await changesAfter(start)).length, 2, 'the insert is still listed, with the current record')

    await service.admin(`/entries/${recordId}`, { method: 'DELETE' })
    const removed = await changesAfter(start)
    assert.deepEqual(outline(removed), [['entry', 'removal', recordId]])
    assert.equal(removed[0]?.record, null)
    assert.deepEqual(await changesAfter(removed[0]?.id ?? 0), [])
  })

  test('a market is revised by a new name, not by a price', async () => {
    const start = await newestId()
    const { store } = service.mintick
    const row = { symbol: 'ZZZ-USD', assetKey: 'BTC', type: 'crypto', quoteCurrency: 'USD' } as const
    await store.markets.upsert([row], service.clock.now())
    const [added] = await changesAfter(start)
    const candles = risingCandles(Date.parse('2026-03-02T10:00:00Z'), MINUTE, 5)
    await store.candles.insert(added?.recordId ?? '', '1m', candles, service.clock.now())
    assert.deepEqual(outline(await changesAfter(start)), [['market', 'insert', added?.recordId]])
    const [current = assert.fail()] = await changesAfter(start)
    assert.ok((current.record as Market).lastPrice !== null, 'the record is current')
    await store.markets.upsert([{ ...row, name: 'Zebra' }], service.clock.now())
    assert.deepEqual(outline(await changesAfter(added?.id ?? 0)), [['market', 'revision', added?.recordId]])
  })

  test('a prediction market that closes by time is revised when the list is read', async () => {
    const start = await newestId()
    service.clock.advance(40 * 24 * 60 * MINUTE)
    const closed = await changesAfter(start)
    assert.ok(closed.length > 0)
    assert.ok(closed.every(({ type, action }) => type === 'prediction-market' && action === 'revision'))
    assert.ok(closed.every(({ record }) => record !== null && 'status' in record && record.status === 'closed'))
  })

  test('filters by type and dataset, and keeps the ids of the whole list', async () => {
    const all = (await get('limit=100&after=6050')).data as Change[]
    const last = all.at(-1)?.id
    for (const query of ['type=market', 'type=entry,market', 'type=filing', 'type=filing&dataset=insider-trades']) {
      const params = new URLSearchParams(query)
      const types = params.get('type')?.split(',') ?? []
      const expected = all.filter(
        ({ type, dataset }) => types.includes(type) && (params.get('dataset') ?? dataset) === dataset,
      )
      const found = (await get(`${query}&limit=100&after=6050`)).data as Change[]
      assert.deepEqual(
        found.filter(({ id }) => id <= (last ?? 0)),
        expected,
      )
    }
  })

  test('a plan without SEC data gets everything else, and 403 if it asks for filings by name', async () => {
    const free = await service.open('free', 50)
    const { data, meta } = await twin.get('/changes?limit=100&sortBy=id:desc', free.key)
    const types = new Set((data as Change[]).map(({ type }) => type))
    assert.ok(!types.has('filing'))
    const whole = (await get('limit=1')).meta.totalCount
    const filings = (await get('limit=1&type=filing')).meta.totalCount
    assert.equal(meta.totalCount, whole - filings)
    for (const query of ['type=filing', 'type=entry,filing', 'dataset=insider-trades']) {
      assertError(await twin.api(`/changes?${query}`, free.key), 403, 'FORBIDDEN')
    }
    assert.equal(await service.balance(free.id), 49)
  })

  test('a cursor that is none, of other filters, or later than the last change is refused', async () => {
    const { nextCursor } = (await get('limit=1')).meta
    for (const query of ['after=x', 'after=-1', 'after=1.5', `type=entry&after=${nextCursor}`, 'after=1&before=2']) {
      assertError(await twin.api(`/changes?${query}`, key), 400, 'BAD_REQUEST')
    }
    const none = await twin.api('/changes?after=x', key)
    assert.match(none.body.error.details[0].message, /^must be a nextCursor or prevCursor of this list, or an id$/)
    assert.deepEqual(fieldsOf(await twin.api('/changes?asOf=2026-01-01', key)), ['asOf'])
    const late = await twin.api(`/changes?after=${(await newestId()) + 1}`, key)
    assertError(late, 400, 'BAD_REQUEST')
    assert.deepEqual(fieldsOf(late), ['after'])
    assert.match(late.body.error.details[0].message, /restored from a backup/)
    assert.deepEqual((await get(`after=${await newestId()}`)).data, [])
  })

  test('removing the sample empties a mirror of it', async () => {
    const mirror = new Mirror()
    const follow = async () => {
      for (let count = 100; count === 100; ) {
        const { data } = await get(`limit=100&after=${mirror.last}`)
        mirror.apply(data)
        count = data.length
      }
    }
    await follow()
    const before = mirror.records.size
    for (let isDone = false; !isDone; ) {
      isDone = (await service.admin('/sample/clear', { method: 'POST' })).body.data.isDone
    }
    await follow()
    assert.ok(before > 6_000)
    // The market that a test above added.
    assert.deepEqual(
      [...mirror.records.keys()].map((record) => record.split(' ')[0]),
      ['market'],
    )
  })
})
