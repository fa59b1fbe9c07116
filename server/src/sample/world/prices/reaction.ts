import type { WorldNews } from '../news.ts'
import type { Traits } from './traits.ts'

/** News that is still working: returns (logarithms) that are to come, and how much is being traded on it. */
export interface Reaction {
  fast: number
  slow: number
  attention: number
}

/** News as one asset feels it. */
export interface Impulse {
  at: number
  /** The whole return it will make, as a logarithm. */
  push: number
  attention: number
}

/** In days of ordinary movement, for news that is as good as can be. */
const STRENGTH = 1
const MENTIONED = 0.5
const FAST_SHARE = 0.4
const FAST_MINUTES = 15
/** Even news that is neither good nor bad is traded on. */
const LEAST_ATTENTION = 0.3

export function impulsesOn(traits: Traits, news: readonly WorldNews[]): Impulse[] {
  const impulses: Impulse[] = []
  for (const { at, score, assetKeys } of news) {
    const place = assetKeys.indexOf(traits.key)
    if (place < 0) continue
    const weight = place === 0 ? 1 : MENTIONED
    const push = STRENGTH * traits.volatility * weight * score
    impulses.push({ at, push, attention: weight * (LEAST_ATTENTION + Math.abs(score)) })
  }
  return impulses
}

export function noReaction(): Reaction {
  return { fast: 0, slow: 0, attention: 0 }
}

export function feel(reaction: Reaction, { push, attention }: Impulse): void {
  reaction.fast += FAST_SHARE * push
  reaction.slow += (1 - FAST_SHARE) * push
  reaction.attention += attention
}

/** Lets it work for some minutes of trading: the return these make, and the mean attention paid in them. */
export function work(traits: Traits, reaction: Reaction, minutes: number): { push: number; attention: number } {
  if (minutes <= 0) return { push: 0, attention: 0 }
  const slowMinutes = traits.hours.minutesPerDay / 2
  const fastLeft = Math.exp(-minutes / FAST_MINUTES)
  const slowLeft = Math.exp(-minutes / slowMinutes)
  const push = reaction.fast * (1 - fastLeft) + reaction.slow * (1 - slowLeft)
  const attention = (reaction.attention * (1 - slowLeft) * slowMinutes) / minutes
  reaction.fast *= fastLeft
  reaction.slow *= slowLeft
  reaction.attention *= slowLeft
  return { push, attention }
}
