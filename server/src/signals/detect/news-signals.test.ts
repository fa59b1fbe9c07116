import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { entryOf, eventfulHistory, NO_PRICES, START } from '../../../test/signal-history.ts'
import type { SignalChange } from '../../model/signals.ts'
import { DAY, HOUR, MINUTE } from '../../model/time.ts'
import { Detection } from './detection.ts'
import { medianOf } from './figures.ts'
import type { AssetPrices, EntryHappening, Happening } from './happening.ts'
import { DEFAULT_THRESHOLDS, mergeThresholds } from './thresholds.ts'

const create = (thresholds = DEFAULT_THRESHOLDS) => new Detection({ thresholds, nameOf: () => 'Apple' })

function take(detection: Detection, history: readonly Happening[], prices: AssetPrices = NO_PRICES): SignalChange[] {
  return history.flatMap((happening) => detection.take(happening, prices))
}

/** So many entries a day, with the same mean sentiment, for four weeks up to `until`. */
function usualNews(until: number, perDay: number, sentiment: number): EntryHappening[] {
  return Array.from({ length: 28 * perDay }, (_, index) => {
    const at = until - 28 * DAY + (index * DAY) / perDay
    const sentimentScore = sentiment + (index % 2 === 0 ? 0.1 : -0.1)
    return entryOf({ id: `usual-${index}`, at, sentimentScore, publisherId: `p${index % 5}` })
  })
}

function rush(from: number, count: number, fields: Partial<EntryHappening> = {}): EntryHappening[] {
  return Array.from({ length: count }, (_, index) =>
    entryOf({ id: `rush-${from}-${index}`, at: from + index * MINUTE, publisherId: `p${index % 6}`, ...fields }),
  )
}

const NOW = START + 40 * DAY

test('figures of news signals are those of a naive count over all entries', () => {
  let seen = 0
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const detection = create()
      const entries: EntryHappening[] = []
      for (const happening of eventfulHistory(seed, 60)) {
        if (happening.type === 'entry') entries.push(happening)
        for (const { signal } of detection.take(happening, NO_PRICES)) {
          if (signal.kind !== 'news_volume_spike' && signal.kind !== 'sentiment_shift') continue
          seen += 1
          const days = naiveDays(entries, signal.assetKey, happening.at)
          const { value, baseline } = signal.metrics ?? assert.fail()
          if (signal.kind === 'news_volume_spike') {
            assert.equal(value, days[0]?.length)
            assert.equal(baseline, medianOf(naiveKnown(entries, days, happening.at)))
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

/** The last 24 hours by the clock and the 28 days before, newest first. */
function naiveDays(entries: readonly EntryHappening[], assetKey: string, at: number): EntryHappening[][] {
  const end = Math.floor(at / HOUR) * HOUR + HOUR
  return Array.from({ length: 29 }, (_, day) =>
    entries.filter((entry) => {
      const time = Math.min(entry.publishedAt, entry.at)
      return entry.assetKeys.includes(assetKey) && time >= end - (day + 1) * DAY && time < end - day * DAY
    }),
  )
}

/** What was written on the days on which at least a fifth of what is written now was written about other assets. */
function naiveKnown(entries: readonly EntryHappening[], days: readonly EntryHappening[][], at: number): number[] {
  const keys = [...new Set(entries.flatMap(({ assetKeys }) => assetKeys))]
  const all = keys.map((assetKey) => naiveDays(entries, assetKey, at).map(({ length }) => length))
  const totals = days.map((_, day) => all.reduce((sum, counts) => sum + (counts[day] ?? 0), 0))
  const others = days.map(({ length }, day) => (totals[day] ?? 0) - length)
  return days
    .map(({ length }) => length)
    .filter((_, day) => day > 0 && (totals[day] ?? 0) > 0 && (others[day] ?? 0) >= 0.2 * (others[0] ?? 0))
}

function naiveMean(entries: readonly EntryHappening[]): number | null {
  const scores = entries.flatMap(({ sentimentScore }) => sentimentScore ?? [])
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

test('a rush of news is one signal that grows, not one for each entry', () => {
  const detection = create()
  assert.deepEqual(take(detection, usualNews(NOW, 3, 0.1)), [])
  const changes = take(detection, rush(NOW, 60, { sentimentScore: 0.1 }))
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

test('many entries of one or two publishers are no rush', () => {
  const detection = create()
  take(detection, usualNews(NOW, 1, 0))
  const same = rush(NOW, 40).map((entry, index) => ({ ...entry, publisherId: `p${index % 2}` }))
  assert.deepEqual(take(detection, same), [])
})

test('a service that has just started does not take its first days for a rush', () => {
  const detection = create()
  // What feeds still list of the weeks before they were first read: an entry here and there.
  const listed = Array.from({ length: 27 }, (_, day) =>
    entryOf({ id: `listed-${day}`, at: NOW, publishedAt: NOW - (day + 1) * DAY, assetKeys: ['MSFT'] }),
  )
  const today = Array.from({ length: 50 }, (_, index) =>
    entryOf({ id: `other-${index}`, at: NOW + index, assetKeys: [`A${index}`] }),
  )
  assert.deepEqual(take(detection, [...listed, ...today, ...rush(NOW + HOUR, 12)]), [])
})

test('a turn in tone is told with its direction, and a turn back takes its place', () => {
  const detection = create()
  assert.deepEqual(take(detection, usualNews(NOW, 6, 0.3)), [])
  const down = take(detection, rush(NOW, 6, { sentimentScore: -0.9 })).filter(isShift)
  assert.equal(down[0]?.signal.direction, 'bearish')
  assert.equal(down[0]?.signal.title, 'News about Apple worsens')
  assert.match(
    down[0]?.signal.summary ?? '',
    /^Apple: \d+ entries of the last 24 hours have a mean sentiment of -0\.\d\d against a usual \+0\.30\.$/,
  )
  const up = take(detection, rush(NOW + 20 * HOUR, 60, { sentimentScore: 1 })).filter(isShift)
  const turned = up.find(({ type }) => type === 'new')
  assert.equal(turned?.signal.direction, 'bullish')
  assert.deepEqual(turned.type === 'new' && turned.supersedes, [down[0]?.signal.id])
})

const isShift = ({ signal }: SignalChange) => signal.kind === 'sentiment_shift'

test('a direction does not flicker when the mean sentiment hovers around its limit', () => {
  const detection = create()
  take(detection, usualNews(NOW, 2, 0))
  const scores = [0.13, 0.13, 0.13, 0.13, 0.13]
  // Pulls the mean to just below and just above 0.12 in turn.
  for (let index = 5; index < 60; index += 1) {
    const sum = scores.reduce((total, score) => total + score, 0)
    scores.push((index % 2 === 0 ? 0.125 : 0.115) * (index + 1) - sum)
  }
  const entries = rush(NOW, 60).map((entry, index) => ({ ...entry, sentimentScore: scores[index] ?? 0 }))
  const spikes = take(detection, entries).filter(({ signal }) => signal.kind === 'news_volume_spike')
  assert.equal(spikes.filter(({ type }) => type === 'new').length, 1)
})

/** A story as its entries come in, ten minutes apart, each of another publisher; given are their assets and sentiments. */
function story(title: string, entries: { assetKeys: string[]; sentimentScore?: number | null }[], minutes = 10) {
  const members = entries.map(({ sentimentScore = -0.6 }, index) => {
    return {
      id: `told-${index}`,
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
      story: { id: 'story', title, members: members.slice(0, index + 1) },
    }),
  )
}

const NAMES = new Map([
  ['AAPL', 'Apple'],
  ['MSFT', 'Microsoft'],
  ['GS', 'Goldman Sachs'],
])

function breaking(told: readonly EntryHappening[]): SignalChange[] {
  const detection = new Detection({ thresholds: DEFAULT_THRESHOLDS, nameOf: (key) => NAMES.get(key) ?? key })
  return take(detection, told).filter(({ signal }) => signal.kind === 'breaking_cluster')
}

test('a story that publishers tell within hours is breaking, for the asset that most entries are about', () => {
  const about = Array.from({ length: 6 }, (_, index) => ({ assetKeys: index === 3 ? ['AAPL', 'MSFT'] : ['AAPL'] }))
  const changes = breaking(story('Apple recalls phones', about))
  assert.deepEqual(
    changes.map(({ type, signal }) => [type, signal.assetKey, signal.clusterId, signal.entryIds.length]),
    [
      ['new', 'AAPL', 'story', 4],
      ['update', 'AAPL', 'story', 6],
    ],
  )
  assert.equal(changes[0]?.signal.direction, 'bearish')
  assert.equal(changes[0]?.signal.title, 'Breaking: Apple recalls phones')
  assert.deepEqual(breaking(story('Apple recalls phones', about, 180)), [])
})

test('a story breaks for an asset by the entries that mention it, and not for one that is mentioned by the way', () => {
  const aside = Array.from({ length: 6 }, () => ({ assetKeys: ['AAPL', 'GS'] }))
  const assetsOf = (changes: readonly SignalChange[]) => new Set(changes.map(({ signal }) => signal.assetKey))
  assert.deepEqual(assetsOf(breaking(story('Apple cut to sell', aside))), new Set(['AAPL']))
  const both = Array.from({ length: 6 }, () => ({ assetKeys: ['AAPL', 'MSFT'] }))
  assert.deepEqual(assetsOf(breaking(story('Apple to buy Microsoft', both))), new Set(['AAPL', 'MSFT']))
  const few = ['AAPL', 'AAPL', 'AAPL', '', '', ''].map((key) => ({ assetKeys: key === '' ? [] : [key] }))
  assert.deepEqual(breaking(story('Apple recalls phones', few)), [])
  const mixed = ['AAPL', 'AAPL', 'GS', 'AAPL', 'AAPL'].map((key) => ({
    assetKeys: [key],
    sentimentScore: key === 'GS' ? 1 : -0.5,
  }))
  const [change] = breaking(story('Apple recalls phones', mixed))
  assert.deepEqual(change?.signal.entryIds, ['told-0', 'told-1', 'told-3', 'told-4'])
  assert.match(change.signal.summary, /^4 publishers .* about Apple .* with a mean sentiment of -0\.50\.$/)
})

test('a mean of too few scored entries leans neither way, and the summary says how many were scored', () => {
  const scored = (count: number) =>
    Array.from({ length: 4 }, (_, index) => ({ assetKeys: ['AAPL'], sentimentScore: index < count ? -0.9 : null }))
  const [few] = breaking(story('Apple recalls phones', scored(2)))
  assert.equal(few?.signal.direction, 'neutral')
  assert.match(few.signal.summary, /, too few of them scored to lean either way \(2 of 4\)\.$/)
  const [enough] = breaking(story('Apple recalls phones', scored(3)))
  assert.equal(enough?.signal.direction, 'bearish')
  assert.match(enough.signal.summary, /, with a mean sentiment of -0\.90 \(3 of 4 scored\)\.$/)
})

test('where nothing is usual, the summary says so', () => {
  const detection = create()
  const others = usualNews(NOW, 3, 0).map((entry) => ({ ...entry, assetKeys: ['MSFT'] }))
  take(detection, others)
  const [change] = take(detection, rush(NOW, 12))
  assert.match(change?.signal.summary ?? '', /^Apple: \d+ entries in 24 hours \(usually none\) from \d publishers/)
})

test('good news while the price falls is a divergence, with the direction of the news', () => {
  const closes = Array.from({ length: 63 }, (_, day) => 100 + (day % 2))
  const falling: AssetPrices = { at: () => 94, dailyCloses: (_, __, count) => closes.slice(-count) }
  const good = rush(NOW, 5, { sentimentScore: 0.6 })
  const [change, ...rest] = take(create(), good, falling)
  assert.deepEqual(rest, [])
  assert.equal(change?.signal.kind, 'price_news_divergence')
  assert.equal(change.signal.direction, 'bullish')
  assert.equal(change.signal.title, 'Apple falls on good news')
  assert.equal(change.signal.referencePrice, 94)
  assert.ok((change.signal.metrics?.value ?? 0) <= -6 && (change.signal.metrics?.zScore ?? 0) < -1.5)
  const rising: AssetPrices = { ...falling, at: () => 108 }
  assert.deepEqual(take(create(), good, rising), [])
  assert.deepEqual(take(create(), good, { ...falling, dailyCloses: () => closes.slice(-10) }), [])
  const calm = mergeThresholds({ price_news_divergence: { leastMovePercent: 10 } })
  assert.deepEqual(take(create(calm), good, falling), [])
})
