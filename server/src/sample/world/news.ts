import type { NewEntry } from '../../model/entries.ts'
import type { Occurrence } from './occurrence.ts'

/** The effect of one occurrence on the rest of the world: prices and odds move with it. */
export interface NewsItem {
  /** First publication, in epoch milliseconds. */
  at: number
  /** From -1 (bad) to 1 (good). */
  score: number
  /** The first is the subject, the others are only mentioned. */
  assetKeys: readonly string[]
  topicSlugs: readonly string[]
}

export interface Report {
  entry: Pick<NewEntry, 'publishedAt'>
  occurrence: Pick<Occurrence, 'event' | 'assets' | 'topicSlugs'>
}

/** Returns one item per occurrence, however many entries report it, ordered by time. */
export function newsOf(reports: Iterable<Report>): NewsItem[] {
  return reportedOccurrences(reports).map(({ occurrence: { event, assets, topicSlugs }, at }) => {
    const sign = { positive: 1, negative: -1, neutral: 0 }[event.direction]
    return { at, score: sign * event.strength, assetKeys: assets.map((asset) => asset.key), topicSlugs }
  })
}

export interface ReportedOccurrence<Reported = Occurrence> {
  occurrence: Reported
  /** First publication, in epoch milliseconds. */
  at: number
}

/** Returns every occurrence once, ordered by first publication. */
export function reportedOccurrences<Reported>(
  reports: Iterable<{ entry: Pick<NewEntry, 'publishedAt'>; occurrence: Reported }>,
): ReportedOccurrence<Reported>[] {
  const reported = new Map<Reported, ReportedOccurrence<Reported>>()
  for (const { entry, occurrence } of reports) {
    const known = reported.get(occurrence)
    if (known === undefined) reported.set(occurrence, { occurrence, at: entry.publishedAt })
    else known.at = Math.min(known.at, entry.publishedAt)
  }
  return [...reported.values()].sort((a, b) => a.at - b.at)
}
