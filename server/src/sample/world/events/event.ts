import type { sectors } from '../../../catalogue/built-in/assets.ts'

export type Direction = 'positive' | 'negative' | 'neutral'

/** What a story is about decides which assets it gets and how large its numbers are. */
export type EventScope = 'company' | 'deal' | 'coin' | 'fund' | 'index' | 'pair' | 'commodity' | 'economy' | 'sector'

/**
 * Templates of one event in one language; `{slot}` is filled from the story (../slots.ts), `{Slot}` with a capital first
 * letter. Pairs such as `{pctHigh}` and `{pctLow}` keep their order, so a beat is always a beat.
 */
export interface Telling {
  titles: readonly string[]
  leads: readonly string[]
  details: readonly string[]
}

/** Something that happens in the sample world, with its English wording. Other languages add theirs by `kind`. */
export interface SampleEvent extends Telling {
  kind: string
  about: EventScope
  direction: Direction
  /** How strongly the wording leans to its direction, 0 to 1; 0 for a neutral event. */
  strength: number
  /** How often it happens, against the other events about the same. */
  weight: number
  topics: readonly string[]
  /** Keys of fixed assets, for an event that can only be about these. */
  assets?: readonly string[]
  /** For an event that happens to companies of one sector only. */
  sector?: keyof typeof sectors
  /** A regulator may announce it; regulators publish nothing else. */
  official?: true
}
