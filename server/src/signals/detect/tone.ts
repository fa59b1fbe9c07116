import type { NewSignal } from '../../model/signals.ts'
import { leaningOf } from './finding.ts'
import { type KnownEntry, newsSentiment } from './news.ts'
import { signed } from './numbers.ts'
import type { Thresholds } from './thresholds.ts'

/** Mean sentiment of entries. */
export interface Tone {
  direction: NewSignal['direction']
  /** 0 if unknown. */
  mean: number
  /** Whether enough entries have a sentiment. */
  isKnown: boolean
  scored: number
  all: number
}

export function toneOf(
  entries: readonly Pick<KnownEntry, 'sentimentScore'>[],
  { leastScored, leaningSentiment }: Thresholds['every_kind'],
): Tone {
  const scored = entries.filter(({ sentimentScore }) => sentimentScore !== null)
  const isKnown = scored.length >= leastScored
  const mean = isKnown ? (newsSentiment(scored) ?? 0) : 0
  return { direction: leaningOf(mean, leaningSentiment), mean, isKnown, scored: scored.length, all: entries.length }
}

/** Returns the end of a sentence about the entries. */
export function toneText({ mean, isKnown, scored, all }: Tone): string {
  if (!isKnown) return `, too few of them scored to lean either way (${scored} of ${all})`
  return `, with a mean sentiment of ${signed(mean, 2)}${scored === all ? '' : ` (${scored} of ${all} scored)`}`
}
