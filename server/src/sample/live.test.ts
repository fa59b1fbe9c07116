import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { runs } from '../../test/depth.ts'
import { onEveryEngine, serviceForSuite, type TestService } from '../../test/harness.ts'
import { MINUTE } from '../model/time.ts'
import { sampleLive } from './live.ts'

const partsOf = ({ mintick }: TestService) => ({ store: mintick.store, intake: mintick.ingest.intake })

onEveryEngine('live sample data', (engine) => {
  // A Monday. Five hours later all markets of the sample are open, but the first step must add five hours of candles.
  const service = serviceForSuite(engine, { SAMPLE_DATA: 'on' })
  before(async () => {
    service.clock.advance(runs(0, 5 * 60) * MINUTE)
  })

  const step = async (live: ReturnType<typeof sampleLive>) => {
    await live.step(service.clock.now())
    await service.mintick.ingest.indexing.catchUp()
  }

  const get = async (path: string) => (await service.api(path, service.mintick.ownerKey)).body

  /** Without signals, which another worker finds later. */
  const recordCounts = async () => {
    const { signals, signalOutcomes, ...counts } = (await get('/stats')).data
    return counts
  }

  test('a quarter of an hour adds entries in order, clusters, candles up to now and new odds', async () => {
    const { clock, mintick } = service
    const start = clock.now()
    const before = await get('/stats')
    const odds = await get('/prediction-markets?status=open&limit=100')
    const live = sampleLive(partsOf(service), start)
    const stepMs = runs(MINUTE, MINUTE / 4)
    while (clock.now() < start + 15 * MINUTE) {
      clock.advance(stepMs)
      await live.step(clock.now())
    }
    await mintick.ingest.indexing.catchUp()

    const { data: entries } = await get(
      `/entries?limit=100&publishedAfter=${new Date(start - 6 * 60 * MINUTE).toISOString()}`,
    )
    const fresh = entries.filter(({ createdAt }: { createdAt: string }) => Date.parse(createdAt) >= start)
    assert.ok(fresh.length >= 50, `${fresh.length} entries`)
    assert.ok(fresh.every(({ createdAt }: { createdAt: string }) => Date.parse(createdAt) <= clock.now()))
    assert.equal((await get('/stats')).data.entries - before.data.entries >= fresh.length, true)

    const { data: clusters } = await get('/clusters?limit=20')
    const newest = clusters.filter(({ createdAt }: { createdAt: string }) => Date.parse(createdAt) >= start)
    assert.ok(newest.length > 0)
    for (const { id, entryCount } of newest)
      assert.equal((await get(`/clusters/${id}`)).data.entries.length, entryCount)

    const { data: candles } = await get('/markets/BTC-USD/candles?interval=1m&sortBy=openedAt:desc&maxPoints=16')
    assert.equal(Date.parse(candles[0].openedAt), clock.now() - (clock.now() % MINUTE))
    for (const [index, { openedAt }] of candles.entries()) {
      assert.equal(Date.parse(openedAt), Date.parse(candles[0].openedAt) - index * MINUTE)
    }
    const { data: market } = await get('/markets/BTC-USD')
    assert.equal(market.lastPrice, candles[0].close)

    const later = await get('/prediction-markets?status=open&limit=100')
    const changed = later.data.filter(({ updatedAt }: { updatedAt: string }) => Date.parse(updatedAt) > start)
    assert.ok(changed.length > odds.data.length / 2)
    const { data: detail } = await get(`/prediction-markets/${changed[0].slug}`)
    const [first] = detail.outcomes
    assert.equal(detail.history.points.at(-1).probabilities[first.id], first.probability)
  })

  test('two steps at the same time add nothing twice', async () => {
    const live = sampleLive(partsOf(service), service.clock.now())
    service.clock.advance(2 * MINUTE)
    await step(live)
    const once = await recordCounts()
    await step(live)
    assert.deepEqual(await recordCounts(), once)
  })

  test('after a pause the backlog is written in portions, and other work runs between them', async () => {
    const live = sampleLive(partsOf(service), service.clock.now())
    const before = await get('/stats')
    const minutes = runs(12, 360)
    service.clock.advance(minutes * MINUTE)
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await live.step(service.clock.now())
    isDone = true
    const added = (await get('/stats')).data.entries - before.data.entries
    assert.ok(added > 2.5 * minutes, `${added} entries`)
    assert.ok(turns >= added / 100, `${turns} turns`)
  })
})
