import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { entryOf, eventfulHistory, NO_PRICES, START } from '../../../test/signal-history.ts'
import type { SignalChange } from '../../model/signals.ts'
import { DAY, HOUR, MINUTE } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { medianOf } from './numbers.ts'
import type { AssetPrices, EntryObservation, Observation } from './observation.ts'
import { DEFAULT_THRESHOLDS, mergeThresholds } from './thresholds.ts'

const create = (thresholds = DEFAULT_THRESHOLDS) => new Detection({ thresholds, nameOf: () => 'Apple' })

function observe(
  detection: Detection,
  history: readonly Observation[],
  prices: AssetPrices = NO_PRICES,
): SignalChange[] {
  return history.flatMap((observation) => detection.observe(observation, prices))
}

/** Creates `perDay` entries a day with the same mean sentiment for four weeks up to `until`. */
function usualNews(until: number, perDay: number, sentiment: number): EntryObservation[] {
  return Array.from({ length: 28 * perDay }, (_, index) => {
    const at = until - 28 * DAY + (index * DAY) / perDay
    const sentimentScore = sentiment + (index % 2 === 0 ? 0.1 : -0.1)
    return entryOf({ id: `usual-${index}`, at, sentimentScore, publisherId: `p${index % 5}` })
  })
}

function rush(from: number, count: number, fields: Partial<EntryObservation> = {}): EntryObservation[] {
  return Array.from({ length: count }, (_, index) =>
    entryOf({ id: `rush-${from}-${index}`, at: from + index * MINUTE, publisherId: `p${index % 6}`, ...fields }),
  )
}

const NOW = START + 40 * DAY

test('the metrics of news signals equal those of a naive computation over all entries', () => {
  let seen = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const detection = create()
      const entries: EntryObservation[] = []
      for (const observation of eventfulHistory(seed, 60)) {
        if (observation.type === 'entry') entries.push(observation)
        for (const { signal } of detection.observe(observation, NO_PRICES)) {
          if (signal.kind !== 'news_volume_spike' && signal.kind !== 'sentiment_shift') continue
          seen += 1
          const days = naiveDays(entries, signal.assetKey, observation.at)
          const { value, baseline } = signal.metrics ?? assert.fail()
          if (signal.kind === 'news_volume_spike') {
            assert.equal(value, days[0]?.length)
            assert.equal(baseline, medianOf(naiveKnown(entries, days, observation.at)))
          } else {
            const means = days.map(naiveMean)
            assert.ok(Math.abs(value - (means[0] ?? Number.NaN)) < 1e-4)
            const usual = medianOf(means.slice(1).flatMap((mean) => mean ?? []))
            assert.ok(Math.abs((baseline ?? Number.NaN) - usual) < 1e-4)
          }
        }
      }
    }),
    { numRuns: runs(3, 12), examples: [[1]] },
  )
  assert.ok(seen > 20, String(seen))
})

/** Returns the last 24 hours and the 28 days before, newest first. */
function naiveDays(entries: readonly EntryObservation[], assetKey: string, at: number): EntryObservation[][] {
  const end = Math.floor(at / HOUR) * HOUR + HOUR
  return Array.from({ length: 29 }, (_, day) =>
    entries.filter((entry) => {
      const time = Math.min(entry.publishedAt, entry.at)
      return entry.assetKeys.includes(assetKey) && time >= end - (day + 1) * DAY && time < end - day * DAY
    }),
  )
}

/** Returns the entries of days whose entries about other assets are at least a fifth of those of the last 24 hours. */
function naiveKnown(entries: readonly EntryObservation[], days: readonly EntryObservation[][], at: number): number[] {
  const keys = [...new Set(entries.flatMap(({ assetKeys }) => assetKeys))]
  const all = keys.map((assetKey) => naiveDays(entries, assetKey, at).map(({ length }) => length))
  const totals = days.map((_, day) => all.reduce((sum, counts) => sum + (counts[day] ?? 0), 0))
  const others = days.map(({ length }, day) => (totals[day] ?? 0) - length)
  return days
    .map(({ length }) => length)
    .filter((_, day) => day > 0 && (totals[day] ?? 0) > 0 && (others[day] ?? 0) >= 0.2 * (others[0] ?? 0))
}

function naiveMean(entries: readonly EntryObservation[]): number | null {
  const scores = entries.flatMap(({ sentimentScore }) => sentimentScore ?? [])
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

test('a rush of news is one signal that is updated, not one for each entry', () => {
  const detection = create()
  assert.deepEqual(observe(detection, usualNews(NOW, 3, 0.1)), [])
  const changes = observe(detection, rush(NOW, 60, { sentimentScore: 0.1 }))
  assert.deepEqual(new Set(changes.map(({ signal }) => signal.kind)), new Set(['news_volume_spike']))
  assert.equal(new Set(changes.map(({ signal }) => signal.id)).size, 1)
  assert.equal(changes[0]?.type, 'new')
  assert.ok(changes.length >= 3 && changes.length <= 8, String(changes.length))
  const { signal } = changes.at(-1) ?? assert.fail()
  assert.match(
    signal.summary,
    /^Apple: \d+ entries in 24 hours \(usually 3\) from 6 publishers, with a mean sentiment of \+0\.10\.$/,
  )
  assert.equal(signal.entryIds.length, 20)
  assert.equal(signal.direction, 'neutral')
})

test('many entries of one or two publishers are no signal', () => {
  const detection = create()
  observe(detection, usualNews(NOW, 1, 0))
  const same = rush(NOW, 40).map((entry, index) => ({ ...entry, publisherId: `p${index % 2}` }))
  assert.deepEqual(observe(detection, same), [])
})

test('the first days of a new service are no rush of news', () => {
  const detection = create()
  // Old entries that feeds still list when they are first read.
  const listed = Array.from({ length: 27 }, (_, day) =>
    entryOf({ id: `listed-${day}`, at: NOW, publishedAt: NOW - (day + 1) * DAY, assetKeys: ['MSFT'] }),
  )
  const today = Array.from({ length: 50 }, (_, index) =>
    entryOf({ id: `other-${index}`, at: NOW + index, assetKeys: [`A${index}`] }),
  )
  assert.deepEqual(observe(detection, [...listed, ...today, ...rush(NOW + HOUR, 12)]), [])
})

test('a shift of sentiment has a direction, and a shift back supersedes it', () => {
  const detection = create()
  assert.deepEqual(observe(detection, usualNews(NOW, 6, 0.3)), [])
  const down = observe(detection, rush(NOW, 6, { sentimentScore: -0.9 })).filter(isShift)
  assert.equal(down[0]?.signal.direction, 'bearish')
  assert.equal(down[0]?.signal.title, 'News about Apple worsens')
  assert.match(
    down[0]?.signal.summary ?? '',
    /^Apple: \d+ entries of the last 24 hours have a mean sentiment of -0\.\d\d against a usual \+0\.30\.$/,
  )
  const up = observe(detection, rush(NOW + 20 * HOUR, 60, { sentimentScore: 1 })).filter(isShift)
  const turned = up.find(({ type }) => type === 'new')
  assert.equal(turned?.signal.direction, 'bullish')
  assert.deepEqual(turned.type === 'new' && turned.supersedes, [down[0]?.signal.id])
})

const isShift = ({ signal }: SignalChange) => signal.kind === 'sentiment_shift'

test('a direction does not flicker when the mean sentiment hovers around its limit', () => {
  const detection = create()
  observe(detection, usualNews(NOW, 2, 0))
  const scores = [0.13, 0.13, 0.13, 0.13, 0.13]
  // Moves the mean to just below and just above 0.12 in turn.
  for (let index = 5; index < 60; index += 1) {
    const sum = scores.reduce((total, score) => total + score, 0)
    scores.push((index % 2 === 0 ? 0.125 : 0.115) * (index + 1) - sum)
  }
  const entries = rush(NOW, 60).map((entry, index) => ({ ...entry, sentimentScore: scores[index] ?? 0 }))
  const spikes = observe(detection, entries).filter(({ signal }) => signal.kind === 'news_volume_spike')
  assert.equal(spikes.filter(({ type }) => type === 'new').length, 1)
})

/** Creates the entries of a cluster, ten minutes apart, each of another publisher. */
function clusterEntries(
  title: string,
  entries: { assetKeys: string[]; sentimentScore?: number | null }[],
  minutes = 10,
) {
  const members = entries.map(({ sentimentScore = -0.6 }, index) => {
    return {
      id: `entry-${index}`,
      publisherId: `p${index}`,
      publishedAt: NOW + index * minutes * MINUTE,
      sentimentScore,
    }
  })
  return members.map((member, index) =>
    entryOf({
      ...member,
      at: member.publishedAt,
      assetKeys: entries[index]?.assetKeys ?? [],
      cluster: { id: 'cluster', title, members: members.slice(0, index + 1) },
    }),
  )
}

const NAMES = new Map([
  ['AAPL', 'Apple'],
  ['MSFT', 'Microsoft'],
  ['GS', 'Goldman Sachs'],
])

function breaking(entries: readonly EntryObservation[]): SignalChange[] {
  const detection = new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: (key) => NAMES.get(key) ?? key })
  return observe(detection, entries).filter(({ signal }) => signal.kind === 'breaking_cluster')
}

test('a cluster that many publishers report within hours is breaking for the asset that most entries are about', () => {
  const about = Array.from({ length: 6 }, (_, index) => ({ assetKeys: index === 3 ? ['AAPL', 'MSFT'] : ['AAPL'] }))
  const changes = breaking(clusterEntries('Apple recalls phones', about))
  assert.deepEqual(
    changes.map(({ type, signal }) => [type, signal.assetKey, signal.clusterId, signal.entryIds.length]),
    [
      ['new', 'AAPL', 'cluster', 4],
      ['update', 'AAPL', 'cluster', 6],
    ],
  )
  assert.equal(changes[0]?.signal.direction, 'bearish')
  assert.equal(changes[0]?.signal.title, 'Breaking: Apple recalls phones')
  assert.deepEqual(breaking(clusterEntries('Apple recalls phones', about, 180)), [])
})

test('the signal of a cluster continues in the cluster that it is merged into', () => {
  const entries = clusterEntries('Apple recalls phones', Array(7).fill({ assetKeys: ['AAPL'] }))
  const merged = entries.map((entry, index) =>
    index < 5 || entry.cluster === undefined ? entry : { ...entry, cluster: { ...entry.cluster, id: 'larger' } },
  )
  const changes = breaking(merged)
  assert.equal(new Set(changes.map(({ signal }) => signal.id)).size, 1)
  assert.deepEqual(
    changes.map(({ type, signal }) => [type, signal.clusterId, signal.entryIds.length]),
    [
      ['new', 'cluster', 4],
      ['update', 'larger', 6],
    ],
  )
})

test('a cluster breaks only for assets that its entries are mainly about', () => {
  const aside = Array.from({ length: 6 }, () => ({ assetKeys: ['AAPL', 'GS'] }))
  const assetsOf = (changes: readonly SignalChange[]) => new Set(changes.map(({ signal }) => signal.assetKey))
  assert.deepEqual(assetsOf(breaking(clusterEntries('Apple cut to sell', aside))), new Set(['AAPL']))
  const both = Array.from({ length: 6 }, () => ({ assetKeys: ['AAPL', 'MSFT'] }))
  assert.deepEqual(assetsOf(breaking(clusterEntries('Apple to buy Microsoft', both))), new Set(['AAPL', 'MSFT']))
  const few = ['AAPL', 'AAPL', 'AAPL', '', '', ''].map((key) => ({ assetKeys: key === '' ? [] : [key] }))
  assert.deepEqual(breaking(clusterEntries('Apple recalls phones', few)), [])
  const mixed = ['AAPL', 'AAPL', 'GS', 'AAPL', 'AAPL'].map((key) => ({
    assetKeys: [key],
    sentimentScore: key === 'GS' ? 1 : -0.5,
  }))
  const [change] = breaking(clusterEntries('Apple recalls phones', mixed))
  assert.deepEqual(change?.signal.entryIds, ['entry-0', 'entry-1', 'entry-3', 'entry-4'])
  assert.match(change.signal.summary, /^4 publishers .* about Apple .* with a mean sentiment of -0\.50\.$/)
})

test('too few scored entries are neutral, and the summary says how many were scored', () => {
  const scored = (count: number) =>
    Array.from({ length: 4 }, (_, index) => ({ assetKeys: ['AAPL'], sentimentScore: index < count ? -0.9 : null }))
  const [few] = breaking(clusterEntries('Apple recalls phones', scored(2)))
  assert.equal(few?.signal.direction, 'neutral')
  assert.match(few.signal.summary, /, too few of them scored to lean either way \(2 of 4\)\.$/)
  const [enough] = breaking(clusterEntries('Apple recalls phones', scored(3)))
  assert.equal(enough?.signal.direction, 'bearish')
  assert.match(enough.signal.summary, /, with a mean sentiment of -0\.90 \(3 of 4 scored\)\.$/)
})

test('the summary says so if there is usually no news', () => {
  const detection = create()
  const others = usualNews(NOW, 3, 0).map((entry) => ({ ...entry, assetKeys: ['MSFT'] }))
  observe(detection, others)
  const [change] = observe(detection, rush(NOW, 12))
  assert.match(change?.signal.summary ?? '', /^Apple: \d+ entries in 24 hours \(usually none\) from \d publishers/)
})

test('good news while the price falls is a divergence in the direction of the news', () => {
  const closes = Array.from({ length: 63 }, (_, day) => 100 + (day % 2))
  const falling: AssetPrices = { at: () => 94, dailyCloses: (_, __, count) => closes.slice(-count) }
  const good = rush(NOW, 5, { sentimentScore: 0.6 })
  const [change, ...rest] = observe(create(), good, falling)
  assert.deepEqual(rest, [])
  assert.equal(change?.signal.kind, 'price_news_divergence')
  assert.equal(change.signal.direction, 'bullish')
  assert.equal(change.signal.title, 'Apple falls on good news')
  assert.equal(change.signal.referencePrice, 94)
  assert.ok((change.signal.metrics?.value ?? 0) <= -6 && (change.signal.metrics?.zScore ?? 0) < -1.5)
  const rising: AssetPrices = { ...falling, at: () => 108 }
  assert.deepEqual(observe(create(), good, rising), [])
  assert.deepEqual(observe(create(), good, { ...falling, dailyCloses: () => closes.slice(-10) }), [])
  const calm = mergeThresholds({ price_news_divergence: { leastMovePercent: 10 } })
  assert.deepEqual(observe(create(calm), good, falling), [])
})
