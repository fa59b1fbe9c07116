import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { runs, some } from '../../../test/depth.ts'
import { createPlace, FakeClock, onEveryEngine, openPlace, originalOf, type Place } from '../../../test/harness.ts'
import { shortNameOf } from '../../enrich/mentions/short-name.ts'
import { CLUSTER_TASK } from '../../ingest/indexing/cluster-task.ts'
import type { Signal } from '../../model/signals.ts'
import { DAY } from '../../model/time.ts'
import { sampleHappenings } from '../../sample/happenings.ts'
import { type SampleWorld, sampleWorld } from '../../sample/world/world.ts'
import { type Lease, LeaseLost } from '../../store/leases.ts'
import { createStore, type Store } from '../../store/store.ts'
import { Detection } from '../detect/detection.ts'
import type { AssetPrices, Observation } from '../detect/observation.ts'
import { DEFAULT_THRESHOLDS } from '../detect/thresholds.ts'
import { FOLLOWED_DATASETS } from './filing-source.ts'
import { SignalTask } from './signal-task.ts'
import { SignalWorker } from './signal-worker.ts'

const NOW = new FakeClock().now()
/** Data up to this time is in the store when the task first starts. */
const CUT = NOW - 4 * DAY
const MARKETS = 5

const world = smallWorld(sampleWorld(NOW))
const observations = sampleHappenings(world).map((observation) => withoutCluster(observation))
const noPrices: AssetPrices = { at: () => undefined, dailyCloses: () => [] }
/** Asset names as the store has them. */
const names = new Map(world.assets.map((asset) => [asset.key, shortNameOf(asset)]))
const nameOf = (assetKey: string) => names.get(assetKey) ?? assetKey

/** Sample world without prices, clusters and most prediction markets. */
function smallWorld(all: SampleWorld): SampleWorld {
  const open = all.predictionMarkets.filter(({ status, assetKeys }) => status === 'open' && assetKeys.length > 0)
  return { ...all, predictionMarkets: open.slice(0, MARKETS) }
}

function withoutCluster(observation: Observation): Observation {
  return observation.type === 'entry' ? { ...observation, cluster: undefined } : observation
}

const filedAt = ({ record }: { record: { filedAt: string } }) => Date.parse(record.filedAt)

/** Returns the filings with from < at <= to. */
function filingsOf<Dataset extends keyof SampleWorld['sec']>(dataset: Dataset, from: number, to: number) {
  return world.sec[dataset]
    .filter((filing) => filedAt(filing) > from && filedAt(filing) <= to)
    .sort((one, other) => filedAt(one) - filedAt(other))
}

/** Loads everything up to the cut. */
async function bringHistory(store: Store): Promise<void> {
  await store.publishers.insert(world.publishers, CUT)
  await store.assets.insert(world.assets, CUT)
  await store.topics.insert(world.topics, CUT)
  await store.entries.insert(world.entries.filter(({ createdAt }) => createdAt <= CUT))
  await store.progress.save(CLUSTER_TASK, { low: 0, high: (await store.entries.head()).seq })
  for (const dataset of FOLLOWED_DATASETS) await store.sec.insert(dataset, filingsOf(dataset, 0, CUT), CUT)
  const markets = world.predictionMarkets.map((market) => ({
    ...market,
    history: market.history.filter(({ at }) => at <= CUT),
  }))
  await store.predictionMarkets.insert(markets, CUT)
}

/** Ingests everything with from < at <= to in the order of arrival. */
async function ingest(store: Store, from: number, to: number): Promise<void> {
  await store.entries.insert(world.entries.filter(({ createdAt }) => createdAt > from && createdAt <= to))
  for (const dataset of FOLLOWED_DATASETS) {
    for (const filing of filingsOf(dataset, from, to)) await store.sec.insert(dataset, [filing], filedAt(filing))
  }
  const odds = world.predictionMarkets.flatMap(({ id, history }) => history.map((one) => ({ id, odds: one })))
  for (const { id, odds: one } of odds.sort((a, b) => a.odds.at - b.odds.at)) {
    if (one.at > from && one.at <= to) await store.predictionMarkets.recordOdds(id, one, one.at)
  }
  await store.progress.save(CLUSTER_TASK, { low: 0, high: (await store.entries.head()).seq })
}

/** Returns the comparable part of a signal. */
const comparable = ({ id, direction, strength, confidence, metrics, entryIds, secRecords, title }: ComparableParts) =>
  JSON.stringify({ id, direction, strength, confidence, metrics, entryIds, secRecords, title })
type ComparableParts = Pick<
  Signal,
  'id' | 'direction' | 'strength' | 'confidence' | 'metrics' | 'entryIds' | 'secRecords' | 'title'
>

/** Runs the detectors over everything after the cut at once. */
function expectedTellings(): string[] {
  const detection = new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf })
  const found: string[] = []
  for (const observation of observations) {
    if (observation.at <= CUT) detection.remember(observation)
    else found.push(...detection.observe(observation, noPrices).map(({ signal }) => comparable(signal)))
  }
  return found.sort()
}

async function loggedDocs(store: Store): Promise<Signal[]> {
  const events = await store.signalLog.listAfter(0, await store.signalLog.head(), 10_000)
  assert.deepEqual(
    events.map(({ id }) => id),
    events.map((_, index) => index + 1),
  )
  return events.map(({ doc }) => JSON.parse(doc))
}

const WAVES = 4
const waves = Array.from({ length: WAVES }, (_, index) => ({
  from: CUT + ((NOW - CUT) / WAVES) * index,
  to: CUT + ((NOW - CUT) / WAVES) * (index + 1),
}))

onEveryEngine('signal task', (engine) => {
  const clock = new FakeClock()
  const expected = expectedTellings()
  let history: Place
  before(async () => {
    history = await createPlace(engine)
    const db = await openPlace(history)
    const store = createStore(db)
    await bringHistory(store)
    await taskOver(store).begin()
    await db.close()
  })
  after(() => history.remove())

  const taskOver = (store: Store) => new SignalTask({ store, clock, thresholds: DEFAULT_THRESHOLDS })
  const catchUp = async (task: SignalTask) => {
    while (await task.isBehind()) await task.step(HELD)
  }

  /** Runs `work` over a copy of the history. */
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const place = await createPlace(engine, originalOf(history))
    const db = await openPlace(place)
    try {
      return await work(createStore(db))
    } finally {
      await db.close()
      await place.remove()
    }
  }

  test('detectors find signals of several kinds', () => {
    const kinds = new Set(expected.map((text) => (JSON.parse(text) as Signal).title.replace(/\d.*/, '')))
    assert.ok(expected.length >= 10 && kinds.size >= 3, `${expected.length} changes`)
  })

  test('data from before the first start yields no signals', () =>
    withStore(async (store) => {
      await catchUp(taskOver(store))
      assert.equal(await store.signalLog.head(), 0)
      assert.equal(await store.signals.total(), 0)
    }))

  test('incremental processing with restarts yields the same signals as the whole history at once', () =>
    withStore(async (store) => {
      let task = taskOver(store)
      for (const [index, { from, to }] of waves.entries()) {
        await ingest(store, from, to)
        await catchUp(task)
        if (index % 2 === 0) task = taskOver(store)
      }
      const docs = await loggedDocs(store)
      assert.deepEqual(docs.map(comparable).sort(), expected)
      for (const [id, doc] of new Map(docs.map((one) => [one.id, one]))) {
        const { status: _, ...rest } = (await store.signals.find(id, clock.now()))?.parse() ?? { status: '' }
        assert.deepEqual({ ...rest, status: doc.status }, doc, 'the last event is what is answered')
      }
    }))

  test('detectors that saw entries before they were removed find the same signals as others', async () => {
    const middle = waves[0]?.to ?? CUT
    const removed = world.entries.filter(({ createdAt }, index) => createdAt <= middle && index % 10 === 0)
    const find = (restarts: boolean) =>
      withStore(async (store) => {
        const task = taskOver(store)
        await ingest(store, CUT, middle)
        await catchUp(task)
        const gone = removed.map(({ id }) => id)
        await store.entries.remove(gone, middle)
        const head = await store.signalLog.head()
        await ingest(store, middle, NOW)
        await catchUp(restarts ? taskOver(store) : task)
        const events = await store.signalLog.listAfter(head, await store.signalLog.head(), 10_000)
        const docs: Signal[] = events.map(({ doc }) => JSON.parse(doc))
        assert.ok(docs.length > 2 && docs.every(({ entryIds }) => !entryIds.some((id) => gone.includes(id))))
        return docs.map(comparable)
      })
    assert.deepEqual(await find(false), await find(true))
  })

  test('entries of mintick seed are skipped', () =>
    withStore(async (store) => {
      const { seq: before } = await store.entries.head()
      await ingest(store, CUT, NOW)
      const { seq: head } = await store.entries.head()
      await store.progress.addSeeded(before + 1, head - 1)
      const task = taskOver(store)
      await catchUp(task)
      assert.equal((await store.progress.find('signals:entries'))?.high, head)
      const seeded = await store.entries.listPublished(before, head - 1, 10_000)
      const evidence = new Set((await loggedDocs(store)).flatMap(({ entryIds }) => entryIds))
      assert.ok(seeded.length > 100 && !seeded.some(({ entry }) => evidence.has(entry.id)))
    }))

  test('a crash at any point loses and repeats nothing', async () => {
    const { reference, calls } = await withStore(async (store) => {
      const counted = crashing(store, Number.POSITIVE_INFINITY, 'before')
      return { reference: await run(store, counted.store), calls: counted.calls() }
    })
    const points = fc.record({ call: fc.integer({ min: 1, max: calls }), when: fc.constantFrom(...MOMENTS) })
    await fc.assert(
      fc.asyncProperty(points, ({ call, when }) =>
        withStore(async (store) => assert.deepEqual(await run(store, crashing(store, call, when).store), reference)),
      ),
      { numRuns: runs(1, engine === 'sqlite' ? 12 : 2) },
    )
    for (const when of engine === 'sqlite' ? MOMENTS : some(MOMENTS, 1)) {
      const atCommit = await withStore((store) => run(store, crashing(store, 3, when, 'apply').store))
      assert.deepEqual(atCommit, reference, `${when} the third commit`)
    }
  })

  /** Ingests everything; `first` is the store of the process that may crash, after which another continues. */
  async function run(store: Store, first: Store): Promise<string[]> {
    let task = taskOver(first)
    for (const { from, to } of waves) {
      await ingest(store, from, to)
      try {
        await catchUp(task)
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        task = taskOver(store)
        await catchUp(task)
      }
    }
    return (await loggedDocs(store)).map(comparable)
  }

  test('an instance that lost its lease writes nothing, and goes on where the other one is', () =>
    withStore(async (store) => {
      const [paused, other] = [taskOver(store), taskOver(store)]
      for (const { from, to } of waves) {
        await ingest(store, from, to)
        await assert.rejects(paused.step(LOST), LeaseLost)
        await catchUp(other)
      }
      await catchUp(paused)
      assert.deepEqual((await loggedDocs(store)).map(comparable).sort(), expected)
    }))

  test('a start does not wait for the lease, and leaves the progress of others as it is', () =>
    withStore(async (store) => {
      const progress = await store.progress.list('signals:')
      const task = new SignalTask({ store, clock, thresholds: DEFAULT_THRESHOLDS })
      await ingest(store, CUT, NOW)
      await store.leases.run('signals', () => task.begin())
      assert.deepEqual(await store.progress.list('signals:'), progress)
      await store.progress.saveNew(progress.map((one) => ({ ...one, high: one.high + 1 })))
      assert.deepEqual(await store.progress.list('signals:'), progress)
    }))

  test('two concurrent instances find each signal once', {
    skip: engine === 'sqlite' && 'it has one process',
  }, async () => {
    const place = await createPlace(engine, originalOf(history))
    const dbs = [await openPlace(place), await openPlace(place)]
    const stores = dbs.map((db) => createStore(db))
    let published = 0
    const instances = stores.map((store) => {
      const onLogged = async () => {
        published += 1
      }
      return new SignalWorker({ store, clock, thresholds: DEFAULT_THRESHOLDS, onLogged, onError: assert.ifError })
    })
    const [store] = stores
    assert.ok(store !== undefined)
    for (const { from, to } of waves) {
      await ingest(store, from, to)
      await Promise.all(instances.flatMap((instance) => [instance.catchUp(), instance.catchUp()]))
    }
    assert.deepEqual((await loggedDocs(store)).map(comparable).sort(), expected)
    assert.ok(published > 0)
    for (const db of dbs) await db.close()
    await place.remove()
  })
})

const HELD: Lease = { verify: async () => {} }
const LOST: Lease = { verify: () => Promise.reject(new LeaseLost('signals')) }

class Crash extends Error {}

const MOMENTS = ['before', 'after'] as const

/** Returns a store whose process crashes at a call of one of its functions, or of the one named. */
function crashing(store: Store, call: number, when: (typeof MOMENTS)[number], name?: string) {
  let calls = 0
  const wrapped = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, property) {
        const value: unknown = Reflect.get(object, property)
        if (typeof value === 'object' && value !== null) return wrapped(value)
        if (typeof value !== 'function' || (name !== undefined && property !== name)) return value
        return async (...given: unknown[]) => {
          calls += 1
          const isNow = calls === call
          if (isNow && when === 'before') throw new Crash()
          const result: unknown = await Reflect.apply(value, object, given)
          if (isNow) throw new Crash()
          return result
        }
      },
    })
  return { store: wrapped(store), calls: () => calls }
}
