import type { sectors } from '../../../catalogue/built-in/assets.ts'

export type Direction = 'positive' | 'negative' | 'neutral'

/** The subject of an event; it decides which assets are involved and how large the numbers are. */
export type EventScope = 'company' | 'deal' | 'coin' | 'fund' | 'index' | 'pair' | 'commodity' | 'economy' | 'sector'

/**
 * Templates of one event in one language. `{slot}` is filled from the occurrence (../templates.ts), `{Slot}` with a
 * capital first letter. Pairs such as `{pctHigh}` and `{pctLow}` keep their order, so a beat is always a beat.
 */
export interface EventTemplates {
  titles: readonly string[]
  leads: readonly string[]
  details: readonly string[]
}

/** A kind of event in the sample world, with its English templates. Other languages add theirs by `kind`. */
export interface SampleEvent extends EventTemplates {
  kind: string
  about: EventScope
  direction: Direction
  /** Strength of the sentiment, 0 to 1; 0 for a neutral event. */
  strength: number
  /** Frequency relative to other events of the same scope. */
  weight: number
  topics: readonly string[]
  /** Asset keys, for an event that can only be about these. */
  assets?: readonly string[]
  /** For an event limited to companies of one sector. */
  sector?: keyof typeof sectors
  /** Regulators announce these events and nothing else. */
  official?: true
}
