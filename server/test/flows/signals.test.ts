/** Signals from ingest through detection to lists, log and outcome. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError, readConfig } from '../../src/config.ts'
import { createMintick } from '../../src/main.ts'
import { SIGNAL_KINDS, type Signal } from '../../src/model/signals.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../src/model/time.ts'
import { sampleLive } from '../../src/sample/live.ts'
import { samplePublishers } from '../../src/sample/world/publishers.ts'
import { runs } from '../depth.ts'
import { createPlace, onEveryEngine, sampleForSuite } from '../harness.ts'
import { insertMarket, risingCandles } from '../markets.ts'
import { newSignal } from '../signals.ts'

/** Different events of one company, so that they do not form one cluster. */
const HEADLINES = [
  'Salesforce opens a research laboratory in Zurich',
  'Salesforce names a new head of sales for Asia',
  'What the court said about Salesforce and its old licences',
  'Salesforce buys a small maker of invoicing tools',
  'Customers of Salesforce report slow dashboards on Monday',
  'Salesforce moves its Dublin office to the docks',
  'Pension fund lowers its holding in Salesforce',
  'Salesforce conference draws fewer visitors than last spring',
  'Why small shops turn to Salesforce for loyalty cards',
  'Salesforce to publish its energy use every quarter',
  'Union asks Salesforce for talks about night shifts',
  'Salesforce engineer wins prize for compiler work',
  'Airline drops its own booking desk for one by Salesforce',
  'Salesforce settles quarrel with a stadium over its name',
  'Students rate Salesforce among the dullest places to work',
  'Salesforce lends its tower for an exhibition of clocks',
]

onEveryEngine('signals of ingested data', (engine) => {
  const { get, service } = sampleForSuite(engine)

  /** Ingests entries and runs the detectors. */
  const take = async (headlines: readonly string[], offset = 0) => {
    const { ingest, signalWorker, clock } = service.mintick
    const raw = headlines.map((title, index) => ({
      title,
      url: `https://news.example/${encodeURIComponent(title)}`,
      publisher: { slug: samplePublishers[(offset + index) % 8]?.slug },
      publishedAt: clock.now(),
    }))
    await ingest.intake.take(raw)
    await ingest.indexing.catchUp()
    await signalWorker.catchUp()
  }

  const spikes = async (): Promise<Signal[]> =>
    (await get(`/signals?kind=news_volume_spike&assetKey=CRM&limit=100`)).data

  const logged = async (id: string) => {
    const { signalLog } = service.mintick.store
    const events = await signalLog.listAfter(0, await signalLog.head(), 1_000)
    return events.filter(({ doc }) => JSON.parse(doc).id === id)
  }

  test('many entries about one asset yield one signal, which is updated and not repeated', async () => {
    const earlier = await spikes()
    for (let count = 0; count < HEADLINES.length; count += 2) {
      service.clock.advance(MINUTE)
      await take(HEADLINES.slice(count, count + 2), count)
    }
    const [signal, ...others] = await spikes()
    assert.ok(signal !== undefined)
    assert.deepEqual(others, earlier)
    assert.equal(signal.status, 'active')
    const events = await logged(signal.id)
    assert.ok(events.length > 1, 'found once, and updated as it grew')
    assert.deepEqual(JSON.parse(events.at(-1)?.doc ?? ''), signal)
    assert.deepEqual((await get(`/signals/${signal.id}`)).data, signal)
    for (const id of signal.entryIds) assert.ok((await get(`/entries/${id}`)).data.assetKeys.includes('CRM'))

    const head = await service.mintick.store.signalLog.head()
    await take(HEADLINES)
    assert.equal(await service.mintick.store.signalLog.head(), head, 'the same entries again are no news')
  })

  test('live sample data yields signals', async () => {
    const { store, ingest, signalWorker, clock } = service.mintick
    const head = await store.signalLog.head()
    const live = sampleLive({ store, intake: ingest.intake }, clock.now())
    for (let step = 0; step < runs(20, 40); step += 1) {
      service.clock.advance(30_000)
      await live.step(clock.now())
      await ingest.indexing.catchUp()
      await signalWorker.catchUp()
    }
    const events = await store.signalLog.listAfter(head, await store.signalLog.head(), 1_000)
    assert.ok(events.length > 0)
    for (const { doc } of events) {
      const { id, entryIds, predictionMarketIds }: Signal = JSON.parse(doc)
      assert.ok(entryIds.length + predictionMarketIds.length > 0)
      assert.equal((await get(`/signals/${id}`)).data.id, id)
    }
  })

  test('after its horizon a signal gets its outcome from the candles, and is counted once', async () => {
    const { store, signalWorker } = service.mintick
    const outcomes = async () => (await get('/stats')).data.signalOutcomes
    const outcomeOf = async (signal: { id: string }) => (await get(`/signals/${signal.id}`)).data.outcome
    // Evaluate signals that are already due, so that they do not affect this test.
    await signalWorker.tidy()
    const before = await outcomes()
    const found = service.clock.now() - (service.clock.now() % MINUTE)
    await store.assets.upsert([{ key: 'TULIP', name: 'Tulip bulbs', type: 'commodity' }], found)
    const { id: marketId } = await insertMarket(store, { assetKey: 'TULIP', type: 'commodity' })
    const expiresAt = isoTime(found + 10 * MINUTE)
    const rising = { kind: 'activist_stake', assetKey: 'TULIP', horizon: 'intraday', expiresAt } as const
    const hit = newSignal(found, { ...rising, direction: 'bullish' })
    const miss = newSignal(found, { ...rising, direction: 'bearish', isSuperseded: true })
    await store.signals.apply(
      [
        { type: 'new', signal: hit, supersedes: [] },
        { type: 'new', signal: miss, supersedes: [] },
      ],
      [],
      found,
    )
    service.clock.advance(10 * MINUTE)
    await signalWorker.tidy()
    assert.equal(await outcomeOf(hit), null, 'the candles are not in yet')
    const now = service.clock.now() + HOUR
    await store.candles.insert(marketId, '1m', risingCandles(found, MINUTE, 10), now)
    service.clock.advance(HOUR)
    await signalWorker.tidy()
    await signalWorker.tidy()
    const { returnPercent, isHit } = await outcomeOf(hit)
    assert.deepEqual([returnPercent, isHit], [10, true])
    assert.equal((await outcomeOf(miss)).isHit, false)
    assert.deepEqual(
      (await outcomes()).map(({ kind }: Signal) => kind),
      SIGNAL_KINDS,
    )
    const ours = SIGNAL_KINDS.indexOf('activist_stake')
    const counted = (await outcomes())[ours]
    assert.deepEqual([counted.evaluated, counted.hits], [before[ours].evaluated + 2, before[ours].hits + 1])
    assert.equal(counted.hitRate, Math.round((counted.hits / counted.evaluated) * 10_000) / 10_000)
  })

  test('the log keeps events for a day', async () => {
    const { store, signalWorker, clock } = service.mintick
    await store.signals.apply([{ type: 'new', signal: newSignal(clock.now()), supersedes: [] }], [], clock.now())
    const head = await store.signalLog.head()
    service.clock.advance(DAY)
    await signalWorker.tidy()
    assert.equal(await store.signalLog.oldest(), head)
    service.clock.advance(HOUR)
    await signalWorker.tidy()
    assert.equal(await store.signalLog.oldest(), head + 1)
    assert.equal(await store.signalLog.head(), head)
  })
})

test('invalid thresholds stop the start with a message that names the problem', async () => {
  const place = await createPlace('sqlite')
  const file = join(place.env.DATA_DIR ?? '', 'thresholds.json')
  const start = () => createMintick(readConfig({ ...place.env, SIGNAL_THRESHOLDS: file }))
  await assert.rejects(start(), new OperatorError(`SIGNAL_THRESHOLDS: there is no file ${file}`))
  for (const [text, message] of [
    ['{', /^SIGNAL_THRESHOLDS: .*JSON/],
    ['{"sentiment_shift": {"leastZ": "high"}}', /^SIGNAL_THRESHOLDS: sentiment_shift\.leastZ must be a number/],
    ['{"moon_phase": {}}', /^SIGNAL_THRESHOLDS: moon_phase is not a kind/],
  ] as const) {
    writeFileSync(file, text)
    await assert.rejects(start(), (error) => error instanceof OperatorError && message.test(error.message))
  }
  writeFileSync(file, '{"sentiment_shift": {"leastZ": 5}}')
  await (await start()).close()
  await place.remove()
})
