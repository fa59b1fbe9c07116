import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { entryOf, eventfulHistory, START, tradeOf, WILD_PRICES } from '../../../test/signal-history.ts'
import { type NewSignal, SIGNAL_KINDS, type Signal, type SignalChange } from '../../model/signals.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { HORIZON_SPANS, KINDS } from './kinds.ts'
import type { EntryObservation, Observation } from './observation.ts'
import { DEFAULT_THRESHOLDS } from './thresholds.ts'

const create = () => new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: (assetKey) => `Company ${assetKey}` })

const run = (history: readonly Observation[], detection = create()): SignalChange[] =>
  history.flatMap((observation) => detection.observe(observation, WILD_PRICES))

const seeds = fc.integer({ min: 0, max: 1e6 })

test('the generated histories yield every kind of signal, new, updated and superseded', () => {
  const changes = [1, 2, 3, 4, 5, 6].flatMap((seed) => run(eventfulHistory(seed, 90)))
  assert.deepEqual(new Set(changes.map(({ signal }) => signal.kind)), new Set(SIGNAL_KINDS))
  assert.ok(changes.some(({ type }) => type === 'update'))
  assert.ok(changes.some((change) => change.type === 'new' && change.supersedes.length > 0))
})

test('the same history yields the same signals', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const history = eventfulHistory(seed, 50)
      assert.deepEqual(run(history), run(history))
    }),
    { numRuns: runs(2, 5) },
  )
})

test('a restart at any point changes nothing', () => {
  fc.assert(
    fc.property(seeds, fc.double({ min: 0, max: 1, noNaN: true }), (seed, share) => {
      const history = eventfulHistory(seed, 70)
      const cut = Math.floor(share * history.length)
      const before = history.slice(0, cut)
      const first = create()
      const changes = run(before, first)
      const second = restarted(before, changes)
      assert.deepEqual(run(history.slice(cut), second), run(history.slice(cut), first))
    }),
    { numRuns: runs(5, 25) },
  )
})

test('signals are well-formed and cite only earlier observations', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const history = eventfulHistory(seed, 60)
      const detection = create()
      const known = new Map<string, Observation>()
      for (const observation of history) {
        known.set(nameOf(observation), observation)
        for (const { type, signal } of detection.observe(observation, WILD_PRICES)) {
          const at = Date.parse(signal.generatedAt)
          if (type === 'new') assert.equal(at, observation.at)
          assert.equal(signal.horizon, KINDS[signal.kind].horizon)
          assert.equal(Date.parse(signal.expiresAt), at + HORIZON_SPANS[signal.horizon])
          assert.equal(signal.referencePrice, WILD_PRICES.at(signal.assetKey, at))
          assert.doesNotMatch(`${signal.title} ${signal.summary}`, /undefined|NaN|null|Infinity/)
          for (const share of [signal.strength, signal.confidence]) {
            assert.ok(share >= 0 && share <= 1 && Number(share.toFixed(3)) === share, String(share))
          }
          assert.ok(signal.entryIds.length <= 20)
          const evidence = [signal.entryIds, signal.secRecords.map(({ id }) => id), signal.predictionMarketIds].flat()
          assert.ok(evidence.length > 0)
          assert.equal(new Set(evidence).size, evidence.length)
          for (const id of evidence) assert.ok(isAbout(known.get(id), signal.assetKey), `${signal.kind} ${id}`)
        }
      }
    }),
    { numRuns: runs(3, 10) },
  )
})

test('a series has at most one active signal, and ids are unique', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const ids = new Set<string>()
      const active = new Map<string, NewSignal>()
      for (const change of run(eventfulHistory(seed, 80))) {
        const { signal } = change
        const series = seriesOf(signal)
        const known = active.get(series)
        if (change.type === 'update') {
          assert.equal(known?.id, signal.id)
          assert.equal(known.generatedAt, signal.generatedAt)
          assert.equal(known.direction, signal.direction)
        } else {
          assert.ok(!ids.has(signal.id))
          ids.add(signal.id)
          const isActive = known !== undefined && known.expiresAt > signal.generatedAt
          assert.deepEqual(change.supersedes, isActive ? [known.id] : [])
        }
        active.set(series, signal)
      }
    }),
    { numRuns: runs(5, 20) },
  )
})

test('observing an entry twice changes nothing', () => {
  const history = eventfulHistory(7, 60)
  const detection = create()
  let again = 0
  for (const observation of history) {
    detection.observe(observation, WILD_PRICES)
    again += detection.observe(observation, WILD_PRICES).length
  }
  assert.equal(again, 0)
})

test('imported old news yields no signals but counts as a baseline for later news', () => {
  const detection = create()
  const now = START + 100 * DAY
  const old: EntryObservation[] = []
  for (let day = 1; day <= 28; day += 1) {
    for (let index = 0; index < (day === 5 ? 60 : 2); index += 1) {
      const publishedAt = now - day * DAY - index * MINUTE
      old.push(entryOf({ id: `old-${day}-${index}`, at: now - HOUR, publishedAt, publisherId: `p${index}` }))
    }
  }
  assert.deepEqual(run(old, detection), [])
  const rush = Array.from({ length: 12 }, (_, index) =>
    entryOf({ id: `new-${index}`, at: now + index * MINUTE, publisherId: `p${index}` }),
  )
  const [spike] = run(rush, detection)
  assert.equal(spike?.signal.kind, 'news_volume_spike')
  assert.equal(spike?.signal.metrics?.baseline, 2)
})

test('filings that are imported late yield no signals', () => {
  const filedAt = isoTime(START)
  const late = ['a', 'b', 'c', 'd'].map((owner) => tradeOf(owner, START + 10 * DAY, { ownerCik: owner, filedAt }))
  assert.deepEqual(run(late), [])
})

test('memory does not grow over a year', () => {
  const detection = create()
  const history = eventfulHistory(3, 365)
  const sizes = [100, 200, 300, 365].map((day, index, days) => {
    const from = START + (days[index - 1] ?? 0) * DAY
    const part = history.filter(({ at }) => at >= from && at < START + day * DAY)
    run(part, detection)
    return detection.size
  })
  const [first = 0, ...later] = sizes
  for (const size of later) assert.ok(size < first * 1.5, sizes.join(' '))
  // Two years later a single entry makes the detectors forget everything else.
  const quiet = START + 3 * 365 * DAY
  detection.observe(entryOf({ id: 'last', at: quiet, assetKeys: ['Y'] }), WILD_PRICES)
  detection.observe(tradeOf('last trade', quiet, { assetKey: 'Y' }), WILD_PRICES)
  assert.ok(detection.size < first, String(detection.size))
})

/** Restores the detectors as the signal task does after a restart. */
function restarted(before: readonly Observation[], changes: readonly SignalChange[]): Detection {
  const detection = create()
  const { entriesMs, hoursMs, filingsMs, oddsMs } = detection.lookback
  const now = before.at(-1)?.at ?? 0
  const hours = new Map<
    string,
    { assetKey: string; hour: number; entries: number; scored: number; sentimentSum: number }
  >()
  for (const observation of before) {
    if (observation.type === 'filing' && observation.at > now - filingsMs) detection.remember(observation)
    if (observation.type === 'odds' && observation.at > now - oddsMs) detection.remember(observation)
    if (observation.type !== 'entry') continue
    if (observation.at > now - entriesMs) {
      detection.remember(observation)
      continue
    }
    const time = Math.min(observation.publishedAt, observation.at)
    if (time <= now - hoursMs) continue
    for (const assetKey of new Set(observation.assetKeys)) {
      const hour = time - (time % HOUR)
      const known = hours.get(`${assetKey} ${hour}`) ?? { assetKey, hour, entries: 0, scored: 0, sentimentSum: 0 }
      known.entries += 1
      known.scored += observation.sentimentScore === null ? 0 : 1
      known.sentimentSum += observation.sentimentScore ?? 0
      hours.set(`${assetKey} ${hour}`, known)
    }
  }
  for (const { assetKey, hour, ...news } of [...hours.values()].reverse()) detection.rememberHour(assetKey, hour, news)
  detection.restore(activeSignals(changes, now))
  return detection
}

function activeSignals(changes: readonly SignalChange[], now: number): Signal[] {
  const signals = new Map<string, NewSignal>()
  for (const change of changes) {
    for (const id of change.type === 'new' ? change.supersedes : []) signals.delete(id)
    signals.set(change.signal.id, change.signal)
  }
  return [...signals.values()]
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now)
    .map(({ isSuperseded: _, ...signal }) => ({
      ...signal,
      assetId: signal.id,
      status: 'active',
      createdAt: signal.generatedAt,
      updatedAt: signal.generatedAt,
    }))
}

function nameOf(observation: Observation): string {
  if (observation.type === 'entry') return observation.id
  return observation.type === 'filing' ? observation.record.id : observation.market.id
}

function isAbout(observation: Observation | undefined, assetKey: string): boolean {
  if (observation === undefined) return false
  if (observation.type === 'entry') return observation.assetKeys.includes(assetKey)
  if (observation.type === 'odds') return observation.market.assetKeys.includes(assetKey)
  return observation.record.assetKey === assetKey
}

function seriesOf({ kind, assetKey, clusterId, secRecords, predictionMarketIds }: NewSignal): string {
  const filing = kind === 'material_event' ? secRecords[0]?.id : ''
  return [kind, assetKey, clusterId, filing, predictionMarketIds[0]].join(' ')
}
