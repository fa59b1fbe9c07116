import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Cluster } from '../../src/model/clusters.ts'
import type { Entry } from '../../src/model/entries.ts'
import type { Signal } from '../../src/model/signals.ts'
import { assertError, assertOk } from '../envelope.ts'
import { onEveryEngine, TestService } from '../harness.ts'

onEveryEngine('taking an entry down', (engine) => {
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

  const remove = (id: string) => service.admin(`/entries/${id}`, { method: 'DELETE' })
  const get = (path: string) => twin.get(path, key)

  test('removes it from lists, totals, counts, search, its cluster, signals and prediction markets', async () => {
    const signals: Signal[] = (await get('/signals?limit=100&kind=breaking_cluster')).data
    const signal = signals.find(({ entryIds }) => entryIds.length > 2) ?? assert.fail()
    const cluster: Cluster = (await get(`/clusters/${signal.clusterId}`)).data
    const id = signal.entryIds[0] ?? ''
    const { data: entry } = await get(`/entries/${id}?include=publisher,cluster`)
    const counts = async () => ({
      stats: (await get('/stats')).data.entries,
      all: (await get('/entries?limit=1')).meta.totalCount,
      title: (await get(`/entries?limit=1&search=${encodeURIComponent(`"${entry.title}"`)}`)).meta.totalCount,
      asset: (await get(`/entries?limit=1&assetKey=${signal.assetKey}`)).meta.totalCount,
      publisher: (await get(`/publishers/${entry.publisher.slug}`)).data.entryCount,
      cluster: (await get(`/clusters/${cluster.id}`)).data.entryCount,
    })
    const before = await counts()
    const market = (await get(`/prediction-markets?limit=1&assetKey=${signal.assetKey}`)).data[0]

    const reply = await remove(id.toUpperCase())
    assertOk(reply)
    assert.deepEqual(reply.body.data, { id, removed: true })
    const less = Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count - 1]))
    assert.deepEqual(await counts(), less)
    assertError(await twin.api(`/entries/${id}`, key), 404, 'NOT_FOUND')
    assertError(await twin.api(`/signals/by-entry/${id}`, key), 404, 'NOT_FOUND')
    const told = (await get(`/clusters/${cluster.id}`)).data
    assert.ok(told.entries.every((other: Entry) => other.id !== id))
    assert.notEqual(told.representativeEntryId, id)
    assert.ok(!(await get(`/signals/${signal.id}`)).data.entryIds.includes(id))
    if (market !== undefined) {
      assert.ok(!(await get(`/prediction-markets/${market.id}`)).data.relatedEntryIds.includes(id))
    }
    assertError(await remove(id), 404, 'NOT_FOUND')
  })

  test('the newest entry leaves the related entries of a prediction market', async () => {
    const markets: { id: string }[] = (await get('/prediction-markets?limit=20')).data
    const related = async (id: string): Promise<string[]> =>
      (await get(`/prediction-markets/${id}`)).data.relatedEntryIds
    for (const { id } of markets) {
      const [newest] = await related(id)
      if (newest === undefined) continue
      assertOk(await remove(newest))
      assert.ok(!(await related(id)).includes(newest))
      return
    }
    assert.fail('no market has related entries')
  })

  test('a signal of a merged cluster leads to the cluster it is part of, and goes with it', async () => {
    const { store, clock } = service.mintick
    const signals: Signal[] = (await get('/signals?limit=100&kind=breaking_cluster')).data
    const signal = signals.find(({ entryIds }) => entryIds.length > 2) ?? assert.fail()
    const { entries, title }: { entries: Entry[]; title: string } = (await get(`/clusters/${signal.clusterId}`)).data
    const [kept = assert.fail(), ...others] = entries.toSorted(
      (one, other) => (one.title === title ? 1 : 0) - (other.title === title ? 1 : 0),
    )
    const id = randomUUID()
    const words = { title: kept.title, summary: null, representativeEntryId: kept.id }
    await store.clusters.grow([{ id, ...words, entryIds: entries.map((entry) => entry.id) }], () => 0.5, clock.now())
    assert.equal((await get(`/signals/${signal.id}`)).data.clusterId, signal.clusterId)
    assert.equal((await get(`/clusters/${signal.clusterId}`)).data.id, id)

    const last = others.pop() ?? assert.fail()
    assert.equal(signal.title, `Breaking: ${last.title}`)
    assertOk(await remove(last.id))
    assert.equal((await get(`/signals/${signal.id}`)).data.title, `Breaking: ${kept.title}`)
    for (const other of others) assertOk(await remove(other.id))
    assertError(await twin.api(`/clusters/${signal.clusterId}`, key), 404, 'NOT_FOUND')
    assertError(await twin.api(`/signals/${signal.id}`, key), 404, 'NOT_FOUND')
  })

  test('a cluster goes with its last entry but one, and with it the signals about it', async () => {
    const clusters: Cluster[] = (await get('/clusters?limit=100&sortBy=entryCount:asc')).data
    const { id } = clusters.find(({ entryCount }) => entryCount === 2) ?? assert.fail()
    const total = (await get('/clusters?limit=1')).meta.totalCount
    assertOk(await remove((await get(`/clusters/${id}`)).data.representativeEntryId))
    assertError(await twin.api(`/clusters/${id}`, key), 404, 'NOT_FOUND')
    assert.equal((await get('/clusters?limit=1')).meta.totalCount, total - 1)
    assert.ok((await get('/signals?limit=100')).data.every((signal: Signal) => signal.clusterId !== id))
  })

  test('the same item does not bring it back', async () => {
    const item = { title: 'Short-lived', url: 'https://gone.example/1' }
    const post = async () => {
      const { data } = (
        await service.admin('/import/entries', { method: 'POST', body: { rows: [item], update: true } })
      ).body
      return [data.added, data.changed, data.known]
    }
    assert.deepEqual(await post(), [1, 0, 0])
    const [entry] = (await get('/entries?search=short-lived')).data
    assertOk(await remove(entry.id))
    assert.deepEqual(await post(), [0, 0, 1])
    assert.equal((await get('/entries?search=short-lived')).meta.totalCount, 0)
  })

  test('an unknown id answers 404', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '%00']) {
      const reply = await remove(id)
      assert.ok(reply.status === 404 || reply.status === 400, String(reply.status))
    }
  })
})
