import type { Finding } from './finding.ts'
import { type AssetMoment, BASELINE_DAYS, type News, publishersOf } from './news.ts'
import { robustZ, round, saturate } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'
import { toneOf, toneText } from './tone.ts'

/** Detects far more entries in the last 24 hours than on the days of the four weeks before. */
export function newsVolumeSpike(
  news: News,
  { assetKey, name, at, recent }: AssetMoment,
  limits: Thresholds['news_volume_spike'],
  everyKind: Thresholds['every_kind'],
): Finding | undefined {
  if (recent.length < limits.leastEntries) return undefined
  const { today, before } = news.days(assetKey, at)
  const [all = 0, ...allBefore] = news.entriesByDay(at)
  const others = all - today.entries
  const usual = before
    .map(({ entries }, day) => ({ entries, all: allBefore[day] ?? 0 }))
    .filter((day) => day.all > 0 && day.all - day.entries >= limits.leastCoverage * others)
    .map(({ entries }) => entries)
  if (usual.length < limits.leastDays) return undefined
  const { median, z } = robustZ(today.entries, usual, leastDeviation(usual))
  if (z < limits.leastZ) return undefined
  const publishers = publishersOf(recent)
  if (publishers < limits.leastPublishers) return undefined
  const tone = toneOf(recent, everyKind)
  return {
    kind: 'news_volume_spike',
    direction: tone.direction,
    lean: tone.mean,
    assetKey,
    strength: saturate(z, limits.leastZ),
    confidence: saturate(publishers, limits.halfPublishers) * (0.5 + usual.length / BASELINE_DAYS / 2),
    title: `${name} is in the news far more than usual`,
    summary:
      `${name}: ${today.entries} entries in 24 hours (usually ${median === 0 ? 'none' : round(median, 1)}) ` +
      `from ${publishers} publishers${toneText(tone)}.`,
    metrics: { value: today.entries, baseline: round(median, 4), zScore: round(z, 2), window: '24h' },
    entryIds: recent.map(({ id }) => id),
  }
}

/**
 * Returns the standard deviation of independent entries, the root of their mean. One is added, so that one or two entries
 * about an asset that is rarely in the news are no surprise.
 */
function leastDeviation(usual: readonly number[]): number {
  return Math.sqrt(1 + usual.reduce((sum, entries) => sum + entries, 0) / usual.length)
}
