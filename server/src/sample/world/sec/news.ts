import type { SampleReport } from '../entries.ts'
import type { Occurrence } from '../occurrence.ts'

export interface ReportedOccurrence {
  story: Occurrence
  /** When it was first published. */
  at: number
}

/** Every story once, in the order in which they were first published. */
export function toldStories(reports: readonly SampleReport[]): ReportedOccurrence[] {
  const told = new Map<number, ReportedOccurrence>()
  for (const { entry, story } of reports) {
    const known = told.get(story.number)
    if (known === undefined) told.set(story.number, { story, at: entry.publishedAt })
    else known.at = Math.min(known.at, entry.publishedAt)
  }
  return [...told.values()].sort((a, b) => a.at - b.at)
}
