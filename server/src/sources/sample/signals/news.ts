import type { NewEntry } from '../../../model/entries.ts'
import { DAY, HOUR } from '../../../model/time.ts'
import {
  clampShare,
  deviation,
  directionOf,
  type Finding,
  latestOf,
  mean,
  meanSentiment,
  nameOf,
  round,
  type SignalContext,
  saturate,
  signed,
} from './signal.ts'

/** What the entries about each asset tell: a turn in tone, a rush of news, and news that the price does not follow. */
export function newsFindings(context: SignalContext): Finding[] {
  const entries = context.reports.map(({ entry }) => entry).sort((a, b) => a.publishedAt - b.publishedAt)
  const startedAt = entries[0]?.publishedAt ?? context.now
  const byAsset = new Map<string, NewEntry[]>()
  for (const entry of entries) {
    for (const key of entry.assetKeys) {
      const list = byAsset.get(key)
      if (list === undefined) byAsset.set(key, [entry])
      else list.push(entry)
    }
  }
  return [...byAsset].flatMap(([assetKey, about]) => {
    const scored = about.filter((entry) => entry.sentimentScore !== null)
    return [
      ...eachQuietly(scored, 20 * HOUR, (at) => sentimentShift(assetKey, scored, at)),
      ...eachQuietly(about, DAY, (at) => volumeSpike(assetKey, about, at, startedAt)),
      ...eachQuietly(about, 4 * DAY, (at) => priceDivergence(context, assetKey, about, at)),
    ]
  })
}

/** Looks after every entry, and after a finding not again until the pause is over. */
function eachQuietly(about: readonly NewEntry[], pause: number, look: (at: number) => Finding | undefined): Finding[] {
  const found: Finding[] = []
  let quietUntil = 0
  for (const { publishedAt } of about) {
    if (publishedAt < quietUntil) continue
    const finding = look(publishedAt)
    if (finding === undefined) continue
    found.push(finding)
    quietUntil = publishedAt + pause
  }
  return found
}

const SHIFT_WINDOW = 2 * DAY
const SHIFT_BASELINE = 14 * DAY

function sentimentShift(assetKey: string, scored: readonly NewEntry[], at: number): Finding | undefined {
  const recent = between(scored, at - SHIFT_WINDOW, at)
  const earlier = between(scored, at - SHIFT_WINDOW - SHIFT_BASELINE, at - SHIFT_WINDOW)
  if (recent.length < 4 || earlier.length < 5) return undefined
  const value = mean(recent.map(scoreOf))
  const scores = earlier.map(scoreOf)
  const baseline = mean(scores)
  const zScore = (value - baseline) / (Math.max(deviation(scores), 0.15) / Math.sqrt(recent.length))
  if (Math.abs(zScore) < 2 || Math.abs(value - baseline) < 0.4) return undefined
  const turned = value > baseline ? 'better' : 'worse'
  return {
    kind: 'sentiment_shift',
    direction: value > baseline ? 'bullish' : 'bearish',
    strength: clampShare(Math.abs(value - baseline) / 1.2),
    confidence: clampShare(0.3 + 0.1 * Math.abs(zScore) + 0.02 * recent.length),
    horizon: '1d',
    assetKey,
    title: `News about ${nameOf(assetKey)} turns ${turned}`,
    summary:
      `${recent.length} entries of the last 48 hours have a mean sentiment of ${signed(value, 2)}, ` +
      `after ${signed(baseline, 2)} in the 14 days before (${earlier.length} entries).`,
    metrics: { value: round(value, 4), baseline: round(baseline, 4), zScore: round(zScore, 2), window: '48h' },
    knownAt: latestOf(recent),
    entries: recent,
  }
}

const SPIKE_WINDOW = DAY
const SPIKE_BASELINE = 14 * DAY

/** Against the days before it that there are; counts of rare things scatter like the root of their mean. */
function volumeSpike(assetKey: string, about: readonly NewEntry[], at: number, startedAt: number): Finding | undefined {
  const from = Math.max(at - SPIKE_WINDOW - SPIKE_BASELINE, startedAt)
  const days = (at - SPIKE_WINDOW - from) / DAY
  if (days < 5) return undefined
  const recent = between(about, at - SPIKE_WINDOW, at)
  const baseline = between(about, from - 1, at - SPIKE_WINDOW).length / days
  const zScore = (recent.length - baseline) / Math.sqrt(Math.max(baseline, 0.5))
  if (recent.length < 5 || zScore < 4) return undefined
  const sentiment = meanSentiment(recent)
  return {
    kind: 'news_volume_spike',
    direction: directionOf(sentiment),
    strength: saturate(zScore, 5),
    confidence: saturate(recent.length, 5),
    horizon: 'intraday',
    assetKey,
    title: `${nameOf(assetKey)} is in the news far more than usual`,
    summary:
      `${recent.length} entries within 24 hours, against ${baseline.toFixed(1)} a day before; ` +
      `their mean sentiment is ${sentiment === null ? 'unknown' : signed(sentiment, 2)}.`,
    metrics: { value: recent.length, baseline: round(baseline, 4), zScore: round(zScore, 2), window: '24h' },
    knownAt: latestOf(recent),
    entries: recent,
  }
}

const DIVERGENCE_WINDOW = 3 * DAY
const LEAST_MOVE_PERCENT = 2.5
const LEAST_SENTIMENT = 0.35

/** The price is expected to follow the news in the end. */
function priceDivergence(
  context: SignalContext,
  assetKey: string,
  about: readonly NewEntry[],
  at: number,
): Finding | undefined {
  const recent = between(about, at - DIVERGENCE_WINDOW, at)
  const sentiment = meanSentiment(recent)
  if (recent.length < 4 || sentiment === null || Math.abs(sentiment) < LEAST_SENTIMENT) return undefined
  const before = context.priceAt(assetKey, at - DIVERGENCE_WINDOW)
  const price = context.priceAt(assetKey, at)
  if (before === undefined || price === undefined || before === 0) return undefined
  const move = (price / before - 1) * 100
  if (Math.abs(move) < LEAST_MOVE_PERCENT || Math.sign(move) === Math.sign(sentiment)) return undefined
  const name = nameOf(assetKey)
  return {
    kind: 'price_news_divergence',
    direction: sentiment > 0 ? 'bullish' : 'bearish',
    strength: saturate(Math.abs(move) * Math.abs(sentiment), 2.5),
    confidence: saturate(recent.length, 6),
    horizon: '1w',
    assetKey,
    title: sentiment > 0 ? `${name} falls on good news` : `${name} rises on bad news`,
    summary:
      `The price moved ${signed(move, 1)} percent in three days, while ${recent.length} entries ` +
      `have a mean sentiment of ${signed(sentiment, 2)}.`,
    metrics: { value: round(move, 4), baseline: null, zScore: null, window: '72h' },
    knownAt: Math.max(latestOf(recent), at),
    entries: recent,
  }
}

/** Published after `from` and not after `to`; the entries are in the order of publication. */
function between(entries: readonly NewEntry[], from: number, to: number): NewEntry[] {
  return entries.slice(firstAfter(entries, from), firstAfter(entries, to))
}

function firstAfter(entries: readonly NewEntry[], time: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.publishedAt ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}

function scoreOf(entry: NewEntry): number {
  return entry.sentimentScore ?? 0
}
