/** Importing own data beside the sample through the service, and removing the sample. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { IMPORTABLES } from '../../src/import/resources.ts'
import type { Entry } from '../../src/model/entries.ts'
import { DAY, isoTime } from '../../src/model/time.ts'
import { clearSample } from '../../src/sample/clear.ts'
import { hasSample, loadSample } from '../../src/sample/load.ts'
import { seed } from '../../src/sample/seed.ts'
import { sampleMarkets } from '../../src/sample/world/markets.ts'
import { samplePublishers } from '../../src/sample/world/publishers.ts'
import { assertCountsHold } from '../counts.ts'
import { assertOk } from '../envelope.ts'
import { onEveryEngine, openPlace, sampleForSuite } from '../harness.ts'
import { newSignal } from '../signals.ts'

const LISTS = ['entries', 'publishers', 'markets', 'prediction-markets', 'clusters', 'signals', 'assets', 'topics']

onEveryEngine('removing the sample', (engine) => {
  const { service, get } = sampleForSuite(engine)
  const total = async (path: string) => (await get(`/${path}`)).meta.totalCount
  const totals = async () => Object.fromEntries(await Promise.all(LISTS.map(async (list) => [list, await total(list)])))
  const load = async (name: string, rows: object[]) => {
    const reply = await service.admin(`/import/${name}`, { method: 'POST', body: { rows } })
    assertOk(reply)
    return reply.body.data
  }
  const [publisher] = samplePublishers
  const titles = ['Quuxwell opens bakery in Oslo', 'Floods close Quuxwell mine', 'Chess star joins Quuxwell']
  const own = titles.map((title, index) => ({
    title,
    url: `https://${index === 0 ? publisher?.domain : 'own.example'}/story-${index}`,
    publishedAt: isoTime(service.clock.now() - DAY),
  }))
  let sampleTotals: Record<string, number>
  let ownIds: string[]

  before(async () => {
    const { store } = service.mintick
    sampleTotals = await totals()
    for (const name of ['assets', 'markets', 'candles', 'prediction-markets', 'sec'] as const) {
      assert.deepEqual((await load(name, [IMPORTABLES[name].example])).added, 1, name)
    }
    assert.equal((await load('entries', own)).added, 3)
    ownIds = (await get('/entries?search=quuxwell')).data.map(({ id }: { id: string }) => id)
    assert.equal(ownIds.length, 3)
    await service.mintick.ingest.indexing.catchUp()
    const now = service.clock.now()
    // Clusters with own and sample entries, and a signal of each.
    const found: Entry[] = (await get('/entries?publisherSlug=moonbadger&limit=2')).data
    const sample = found.map(({ id }) => id)
    const cluster = { title: found[0]?.title ?? '', summary: null, importanceScore: 0.5 }
    const [first = '', second = '', third = ''] = ownIds
    await store.clusters.upsert(
      [
        {
          ...cluster,
          id: '00000000-0000-4000-8000-000000000001',
          entryIds: [sample[0] ?? '', first, second],
          representativeEntryId: sample[0] ?? '',
        },
        {
          ...cluster,
          id: '00000000-0000-4000-8000-000000000002',
          entryIds: [sample[1] ?? '', third],
          representativeEntryId: third,
        },
      ],
      now,
    )
    const outcome = { evaluatedAt: isoTime(now), returnPercent: 2, isHit: true }
    await store.signals.insert(
      [
        newSignal(now, { entryIds: [first], title: 'own', outcome }),
        newSignal(now, { entryIds: sample.slice(0, 1), title: 'of the sample', outcome }),
      ],
      now,
    )
    await seed(store, { entries: 2_500, to: now, now })
  })

  test('candles and fields of a sample market are refused until the sample is removed', async () => {
    const [market] = sampleMarkets
    const candle = { ...IMPORTABLES.candles.example, symbol: market?.symbol }
    const { refused } = await load('candles', [candle])
    assert.match(refused[0].reason, /symbol is a market of the sample; run "mintick sample clear" first/)
  })

  test('entries that were imported change only with update', async () => {
    const renamed = own.map((entry) => ({ ...entry, author: 'Ada' }))
    const post = async (update: boolean) => {
      const reply = await service.admin('/import/entries', { method: 'POST', body: { rows: renamed, update } })
      return [reply.body.data.added, reply.body.data.changed, reply.body.data.known]
    }
    assert.deepEqual(await post(false), [0, 0, 3])
    assert.deepEqual(await post(true), [0, 3, 0])
    assert.deepEqual(await post(true), [0, 0, 3])
    assert.equal(await total('entries?author=Ada'), 3)
  })

  test('everything of the sample goes, and everything else stays', async () => {
    const accounts = (await service.admin('/accounts')).body.meta.totalCount
    const removed: Record<string, number> = {}
    for (let isDone = false; !isDone; ) {
      const reply = await service.admin('/sample/clear', { method: 'POST', body: {} })
      assertOk(reply)
      isDone = reply.body.data.isDone
      for (const [name, count] of Object.entries<number>(reply.body.data.removed)) {
        removed[name] = (removed[name] ?? 0) + count
      }
    }
    assert.deepEqual(
      [removed.entries, removed.publishers, removed.markets, removed.predictionMarkets],
      [8_500, samplePublishers.length - 1, sampleMarkets.length, sampleTotals['prediction-markets']],
    )
    assert.deepEqual(await totals(), {
      entries: 3,
      publishers: 2,
      markets: 1,
      'prediction-markets': 1,
      clusters: 1,
      signals: 1,
      assets: (sampleTotals.assets ?? 0) + 1,
      topics: sampleTotals.topics,
    })
    const [signal] = (await get('/signals')).data
    assert.equal(signal.title, 'own')
    const [cluster] = (await get('/clusters')).data
    const detail = (await get(`/clusters/${cluster.id}`)).data
    assert.deepEqual(detail.entries.map(({ id }: { id: string }) => id).sort(), ownIds.slice(0, 2).sort())
    assert.ok(titles.includes(detail.title))
    assert.equal(await total('sec/planned-sales'), 1)
    assert.equal(await total('sec/insider-trades'), 0)
    assert.equal(await total('entries?search=quuxwell'), 3)
    assert.equal(await total(`entries?publisherSlug=${publisher?.slug}`), 1)
    assert.equal(await total('markets?search=apple'), 0)
    assert.equal((await service.admin('/accounts')).body.meta.totalCount, accounts)
  })

  test('hit rates count only the signals that are left', async () => {
    const outcomes = await service.mintick.store.signals.listOutcomes()
    assert.deepEqual(
      outcomes.filter(({ evaluated }) => evaluated !== 0).map(({ evaluated, hits }) => [evaluated, hits]),
      [[1, 1]],
    )
  })

  test('the counts of assets, topics and publishers hold', async () => {
    await service.mintick.close()
    const db = await openPlace(service.place)
    await assertCountsHold(db, service.clock.now())
    await db.close()
    await service.restart()
  })

  test('a restart does not load it again, and removing it twice removes nothing', async () => {
    const { store } = service.mintick
    assert.equal(await hasSample(store), false)
    await loadSample(store, service.clock)
    assert.equal(await total('entries'), 3)
    const { isDone, removed } = await clearSample(store, service.clock.now())
    assert.equal(isDone, true)
    assert.ok(Object.values(removed).every((count) => count === 0))
  })
})
