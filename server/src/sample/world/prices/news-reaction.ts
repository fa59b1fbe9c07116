import type { NewsItem } from '../news.ts'
import type { PriceModel } from './price-model.ts'

/** The pending effect of news: log returns still to come, fast and slow, and the trading it causes. */
export interface Reaction {
  fast: number
  slow: number
  attention: number
}

/** The effect of one news item on one asset. */
export interface Impulse {
  at: number
  /** The total log return it causes. */
  push: number
  attention: number
}

/** Effect of the best possible news, in average daily moves. */
const STRENGTH = 1
const MENTIONED = 0.5
const FAST_SHARE = 0.4
const FAST_MINUTES = 15
/** Neutral news causes trading, too. */
const LEAST_ATTENTION = 0.3

export function impulsesOn(model: PriceModel, news: readonly NewsItem[]): Impulse[] {
  const impulses: Impulse[] = []
  for (const { at, score, assetKeys } of news) {
    const place = assetKeys.indexOf(model.key)
    if (place < 0) continue
    const weight = place === 0 ? 1 : MENTIONED
    const push = STRENGTH * model.volatility * weight * score
    impulses.push({ at, push, attention: weight * (LEAST_ATTENTION + Math.abs(score)) })
  }
  return impulses
}

export function noReaction(): Reaction {
  return { fast: 0, slow: 0, attention: 0 }
}

export function addImpulse(reaction: Reaction, { push, attention }: Impulse): void {
  reaction.fast += FAST_SHARE * push
  reaction.slow += (1 - FAST_SHARE) * push
  reaction.attention += attention
}

/** Advances the reaction by trading minutes; returns the log return they cause and their mean attention. */
export function advance(model: PriceModel, reaction: Reaction, minutes: number): { push: number; attention: number } {
  if (minutes <= 0) return { push: 0, attention: 0 }
  const slowMinutes = model.hours.minutesPerDay / 2
  const fastLeft = Math.exp(-minutes / FAST_MINUTES)
  const slowLeft = Math.exp(-minutes / slowMinutes)
  const push = reaction.fast * (1 - fastLeft) + reaction.slow * (1 - slowLeft)
  const attention = (reaction.attention * (1 - slowLeft) * slowMinutes) / minutes
  reaction.fast *= fastLeft
  reaction.slow *= slowLeft
  reaction.attention *= slowLeft
  return { push, attention }
}
