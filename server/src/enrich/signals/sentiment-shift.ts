import { robustZ, round, saturate, signed } from './figures.ts'
import { directionOf, type Finding } from './finding.ts'
import { BASELINE_DAYS, type News, publishersOf, sentimentOf } from './news.ts'
import type { Thresholds } from './thresholds.ts'

/** The mean sentiment of the last 24 hours is far from that of the four weeks before. */
export function sentimentShift(
  news: News,
  { assetKey, name, at }: { assetKey: string; name: string; at: number },
  limits: Thresholds['sentiment_shift'],
): Finding | undefined {
  const recent = news.recent(assetKey, at)
  if (recent.length < limits.leastEntries) return undefined
  const { today, before } = news.days(assetKey, at)
  const value = sentimentOf(today)
  const usual = before.flatMap((day) => sentimentOf(day) ?? [])
  if (value === null || today.scored < limits.leastEntries || usual.length < limits.leastDays) return undefined
  const { median, z } = robustZ(value, usual, limits.scoreSpread / Math.sqrt(today.scored))
  if (Math.abs(z) < limits.leastZ || Math.abs(value - median) < limits.leastShift) return undefined
  const publishers = publishersOf(recent)
  if (publishers < limits.leastPublishers) return undefined
  return {
    kind: 'sentiment_shift',
    direction: directionOf(z),
    assetKey,
    strength: saturate(Math.abs(z), limits.leastZ),
    confidence: saturate(publishers, 3) * (0.5 + usual.length / BASELINE_DAYS / 2),
    title: `News about ${name} turns ${z > 0 ? 'better' : 'worse'}`,
    summary:
      `${name}: ${today.scored} entries of the last 24 hours have a mean sentiment of ${signed(value, 2)} ` +
      `against a usual ${signed(median, 2)}.`,
    metrics: { value: round(value, 4), baseline: round(median, 4), zScore: round(z, 2), window: '24h' },
    entryIds: recent.map(({ id }) => id),
  }
}
