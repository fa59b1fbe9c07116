import { directionOf, type Finding } from './finding.ts'
import { type AssetMoment, BASELINE_DAYS, meanTone, type News, publishersOf } from './news.ts'
import { DEVIATION_PER_MAD, medianOf, round, saturate, signed } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'

/** Detects a mean sentiment of the last 24 hours that is far from that of the four weeks before. */
export function sentimentShift(
  news: News,
  { assetKey, name, at, recent }: AssetMoment,
  limits: Thresholds['sentiment_shift'],
): Finding | undefined {
  const scored = recent.filter(({ sentimentScore }) => sentimentScore !== null)
  if (scored.length < limits.leastEntries) return undefined
  const { today, before } = news.days(assetKey, at)
  const value = meanTone(today)
  const days = before.flatMap((day) => {
    const mean = meanTone(day)
    return mean === null ? [] : [{ mean, root: Math.sqrt(day.scored) }]
  })
  if (value === null || days.length < limits.leastDays) return undefined
  const median = medianOf(days.map(({ mean }) => mean))
  if (Math.abs(value - median) < limits.leastShift) return undefined
  // A mean of few entries varies more than one of many; multiplying by the root makes days of any size comparable.
  const deviations = days.map(({ mean, root }) => Math.abs(mean - median) * root)
  const deviation = Math.max(DEVIATION_PER_MAD * medianOf(deviations), limits.scoreSpread) / Math.sqrt(today.scored)
  const z = (value - median) / deviation
  if (Math.abs(z) < limits.leastZ) return undefined
  const publishers = publishersOf(scored)
  if (publishers < limits.leastPublishers) return undefined
  return {
    kind: 'sentiment_shift',
    direction: directionOf(z),
    assetKey,
    strength: saturate(Math.abs(z), limits.leastZ),
    confidence: saturate(publishers, limits.halfPublishers) * (0.5 + days.length / BASELINE_DAYS / 2),
    title: `News about ${name} ${z > 0 ? 'improves' : 'worsens'}`,
    summary:
      `${name}: ${today.scored} entries of the last 24 hours have a mean sentiment of ${signed(value, 2)} ` +
      `against a usual ${signed(median, 2)}.`,
    metrics: { value: round(value, 4), baseline: round(median, 4), zScore: round(z, 2), window: '24h' },
    entryIds: scored.map(({ id }) => id),
  }
}
