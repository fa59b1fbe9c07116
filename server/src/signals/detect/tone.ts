import type { NewSignal } from '../../model/signals.ts'
import { signed } from './figures.ts'
import { leaningOf } from './finding.ts'
import { hourSentiment, type KnownEntry } from './news.ts'
import type { Thresholds } from './thresholds.ts'

/** How entries lean, as far as enough of them have a sentiment to tell. */
export interface Tone {
  direction: NewSignal['direction']
  /** 0 when they do not tell. */
  mean: number
  tells: boolean
  scored: number
  all: number
}

export function toneOf(
  entries: readonly Pick<KnownEntry, 'sentimentScore'>[],
  { leastScored, leaningSentiment }: Thresholds['every_kind'],
): Tone {
  const scored = entries.filter(({ sentimentScore }) => sentimentScore !== null)
  const tells = scored.length >= leastScored
  const mean = tells ? (hourSentiment(scored) ?? 0) : 0
  return { direction: leaningOf(mean, leaningSentiment), mean, tells, scored: scored.length, all: entries.length }
}

/** The end of a sentence about the entries. */
export function toneText({ mean, tells, scored, all }: Tone): string {
  if (!tells) return `, too few of them scored to lean either way (${scored} of ${all})`
  return `, with a mean sentiment of ${signed(mean, 2)}${scored === all ? '' : ` (${scored} of ${all} scored)`}`
}
