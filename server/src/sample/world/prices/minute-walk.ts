import type { NewCandle } from '../../../model/markets.ts'
import { DAY, MINUTE, startOfDay } from '../../../model/time.ts'
import type { Random } from '../random.ts'
import { createCandle } from './candle.ts'
import { addImpulse, advance, type Impulse, type Reaction } from './news-reaction.ts'
import { type PriceModel, roundPrice } from './price-model.ts'
import { findSession } from './trading-hours.ts'

interface MinuteWalk {
  model: PriceModel
  /** The first minute, and any time within the last one. */
  from: number
  until: number
  /** The unrounded price before the first minute. */
  price: number
  /** The reaction pending before the first minute; the walk changes it. */
  reaction: Reaction
  /** Ordered by time, without those that `reaction` includes already. */
  impulses: readonly Impulse[]
  /** Added to the return of every minute. */
  drift: number
  randomAt(openedAt: number): Random
  /** Returns the shared move of all assets with the same factor: mean 0, standard deviation 1. */
  factorAt(openedAt: number): number
}

/** The share of an asset's volatility that is noise rather than news. */
export const UNEXPLAINED = 0.8
/** Deviation of the open from the previous close, relative to the daily volatility. */
export const GAP = 0.15

/** Creates candles of all trading minutes. News moves the price from the next minute on. */
export function walkMinutes(walk: MinuteWalk): NewCandle[] {
  const { model, from, until, reaction, impulses, drift } = walk
  const { hours, base, beta, reversion } = model
  const perMinute = UNEXPLAINED * model.volatility * Math.sqrt(1 / hours.minutesPerDay)
  const own = Math.sqrt(1 - beta * beta)
  const candles: NewCandle[] = []
  let level = Math.log(walk.price / base)
  let last = roundPrice(model, walk.price)
  let next = 0

  for (let day = startOfDay(from); day <= until; day += DAY) {
    const session = findSession(hours, day)
    if (session === undefined) continue
    for (let openedAt = Math.max(session.from, from); openedAt < session.to && openedAt <= until; openedAt += MINUTE) {
      for (let impulse = impulses[next]; impulse !== undefined && impulse.at <= openedAt; impulse = impulses[++next]) {
        addImpulse(reaction, impulse)
      }
      const random = walk.randomAt(openedAt)
      if (openedAt === session.from && session.from > day) {
        level += GAP * model.volatility * random.normal()
        last = roundPrice(model, base * Math.exp(level))
      }
      const { push, attention } = advance(model, reaction, 1)
      const noise = perMinute * (beta * walk.factorAt(openedAt) + own * random.normal())
      level += push + noise + drift - (reversion * level) / hours.minutesPerDay
      const close = roundPrice(model, base * Math.exp(level))
      const volumeShare = (bustle(openedAt, session) * (1 + 2 * attention)) / hours.minutesPerDay
      candles.push(createCandle(model, random, { openedAt, open: last, close, reach: 0.7 * perMinute, volumeShare }))
      last = close
    }
  }
  return candles
}

/** Returns a minute's volume relative to the mean: highest at open and close, or in the afternoon of a 24-hour day. */
function bustle(openedAt: number, { from, to }: { from: number; to: number }): number {
  if (to - from > DAY / 2) return 1 + 0.5 * Math.cos((2 * Math.PI * (openedAt - from - 15 * 60 * MINUTE)) / DAY)
  const place = (2 * (openedAt - from)) / (to - from) - 1
  return 0.75 + 1.25 * place ** 4
}
