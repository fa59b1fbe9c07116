import type { NewCandle } from '../../../model/markets.ts'
import { DAY, MINUTE } from '../../../model/time.ts'
import type { Random } from '../random.ts'
import { makeCandle } from './candle.ts'
import { findSession, startOfTradingDay } from './hours.ts'
import { feel, type Impulse, type Reaction, work } from './reaction.ts'
import { roundPrice, type Traits } from './traits.ts'

export interface MinuteWalk {
  traits: Traits
  /** The first minute, and a time in the last one. */
  from: number
  until: number
  /** The price before, unrounded. */
  price: number
  /** What is still at work before the first minute; it is used up. */
  reaction: Reaction
  /** In the order of time; none that `reaction` already has. */
  impulses: readonly Impulse[]
  /** Added to the return of every minute. */
  drift: number
  randomAt(openedAt: number): Random
  /** What all assets of its factor have in common in this minute: mean 0, standard deviation 1. */
  factorAt(openedAt: number): number
}

/** The share of an asset's movement that no news explains. */
export const UNEXPLAINED = 0.8
/** How far the open may be from the last close, against the movement of a day. */
export const GAP = 0.15

/** Candles of all minutes of trading. News moves the price from the minute after it on. */
export function walkMinutes(walk: MinuteWalk): NewCandle[] {
  const { traits, from, until, reaction, impulses, drift } = walk
  const { hours, base, beta, reversion } = traits
  const perMinute = UNEXPLAINED * traits.volatility * Math.sqrt(1 / hours.minutesPerDay)
  const own = Math.sqrt(1 - beta * beta)
  const candles: NewCandle[] = []
  let level = Math.log(walk.price / base)
  let last = roundPrice(traits, walk.price)
  let next = 0

  for (let day = startOfTradingDay(from); day <= until; day += DAY) {
    const session = findSession(hours, day)
    if (session === undefined) continue
    for (let openedAt = Math.max(session.from, from); openedAt < session.to && openedAt <= until; openedAt += MINUTE) {
      for (let impulse = impulses[next]; impulse !== undefined && impulse.at <= openedAt; impulse = impulses[++next]) {
        feel(reaction, impulse)
      }
      const random = walk.randomAt(openedAt)
      if (openedAt === session.from && session.from > day) {
        level += GAP * traits.volatility * random.normal()
        last = roundPrice(traits, base * Math.exp(level))
      }
      const { push, attention } = work(traits, reaction, 1)
      const noise = perMinute * (beta * walk.factorAt(openedAt) + own * random.normal())
      level += push + noise + drift - (reversion * level) / hours.minutesPerDay
      const close = roundPrice(traits, base * Math.exp(level))
      const volumeShare = (bustle(openedAt, session) * (1 + 2 * attention)) / hours.minutesPerDay
      candles.push(makeCandle(traits, random, { openedAt, open: last, close, reach: 0.7 * perMinute, volumeShare }))
      last = close
    }
  }
  return candles
}

/** How busy a minute is against the mean: most at open and close, or in the afternoon where there is neither. */
function bustle(openedAt: number, { from, to }: { from: number; to: number }): number {
  if (to - from > DAY / 2) return 1 + 0.5 * Math.cos((2 * Math.PI * (openedAt - from - 15 * 60 * MINUTE)) / DAY)
  const place = (2 * (openedAt - from)) / (to - from) - 1
  return 0.75 + 1.25 * place ** 4
}
