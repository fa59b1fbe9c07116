import type { Signal } from '../../model/signals.ts'

export interface EventItem {
  /** Object of the sentence "The company reports …". */
  what: string
  /** How much it usually matters, 0 to 1. */
  weight: number
  /** Neutral if the item may be good or bad. */
  direction: Signal['direction']
}

/** Items of Form 8-K that can lead to a signal. Other items (votes, exhibits, bylaws) never do. */
export const EVENT_ITEMS: Readonly<Record<string, EventItem>> = {
  '1.01': { what: 'a material agreement', weight: 0.45, direction: 'neutral' },
  '1.02': { what: 'the end of a material agreement', weight: 0.55, direction: 'bearish' },
  '1.03': { what: 'bankruptcy or receivership', weight: 1, direction: 'bearish' },
  '1.05': { what: 'a cybersecurity incident', weight: 0.65, direction: 'bearish' },
  '2.01': { what: 'a completed acquisition or disposal', weight: 0.5, direction: 'neutral' },
  '2.02': { what: 'results', weight: 0.5, direction: 'neutral' },
  '2.03': { what: 'a new financial obligation', weight: 0.3, direction: 'neutral' },
  '2.04': { what: 'an obligation that falls due early', weight: 0.8, direction: 'bearish' },
  '2.05': { what: 'costs of a restructuring', weight: 0.5, direction: 'bearish' },
  '2.06': { what: 'a material impairment', weight: 0.65, direction: 'bearish' },
  '3.01': { what: 'a notice of delisting', weight: 0.8, direction: 'bearish' },
  '3.02': { what: 'an unregistered sale of shares', weight: 0.45, direction: 'bearish' },
  '3.03': { what: 'changed rights of shareholders', weight: 0.3, direction: 'neutral' },
  '4.01': { what: 'a change of auditor', weight: 0.5, direction: 'bearish' },
  '4.02': { what: 'that earlier statements cannot be relied on', weight: 0.9, direction: 'bearish' },
  '5.01': { what: 'a change of control', weight: 0.75, direction: 'neutral' },
  '5.02': { what: 'a change of leadership', weight: 0.45, direction: 'neutral' },
  '7.01': { what: 'a disclosure to all investors', weight: 0.2, direction: 'neutral' },
  '8.01': { what: 'another event', weight: 0.25, direction: 'neutral' },
}
