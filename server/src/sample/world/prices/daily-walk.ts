import type { NewCandle } from '../../../model/markets.ts'
import { DAY, MINUTE } from '../../../model/time.ts'
import { createRandom, type Random } from '../random.ts'
import { createCandle } from './candle.ts'
import { GAP, UNEXPLAINED } from './minute-walk.ts'
import { addImpulse, advance, type Impulse, noReaction, type Reaction } from './news-reaction.ts'
import { type PriceModel, roundPrice } from './price-model.ts'
import { findSession, tradingMinutes } from './trading-hours.ts'

export interface DayWalk {
  model: PriceModel
  /** Starts of UTC days: the first, the first with minute candles, and the last. */
  first: number
  week: number
  last: number
  impulses: readonly Impulse[]
  /** Added to the return of every trading minute from `driftFrom` on. */
  drift: number
  driftFrom: number
  random: Random
  /** Shared move per day of all assets with the same factor: mean 0, standard deviation 1. */
  factors: Float64Array
}

export interface DayPath {
  /** Unrounded prices at the end of each day; a closed day repeats the previous one. */
  closes: Float64Array
  /** Trading caused by news, per day. */
  attention: Float64Array
  /** The pending reaction when the week of minutes began. */
  reactionAtWeek: Reaction
}

/** Walks a price from day to day, by the same rules as `walkMinutes`. */
export function walkDays(walk: DayWalk): DayPath {
  const { model, first, week, last, impulses, drift, driftFrom, random } = walk
  const { hours, base, beta, reversion, volatility } = model
  const own = Math.sqrt(1 - beta * beta)
  const count = (last - first) / DAY + 1
  const closes = new Float64Array(count)
  const attention = new Float64Array(count)
  const reaction = noReaction()
  let reactionAtWeek = noReaction()
  let level = 5 * volatility * random.normal()
  let next = impulses.findIndex((impulse) => impulse.at >= first)

  for (let index = 0; index < count; index++) {
    const day = first + index * DAY
    if (day === week) reactionAtWeek = { ...reaction }
    const session = findSession(hours, day)
    const minutes = session === undefined ? 0 : (session.to - session.from) / MINUTE
    const before = advance(model, reaction, minutes)
    let push = before.push
    let paid = before.attention * minutes
    for (let impulse = impulses[next]; impulse !== undefined && impulse.at < day + DAY; impulse = impulses[++next]) {
      const fresh = noReaction()
      addImpulse(fresh, impulse)
      const left = tradingMinutes(hours, impulse.at, day + DAY)
      const worked = advance(model, fresh, left)
      push += worked.push
      paid += worked.attention * left
      reaction.fast += fresh.fast
      reaction.slow += fresh.slow
      reaction.attention += fresh.attention
    }
    const share = minutes / hours.minutesPerDay
    const noise = UNEXPLAINED * volatility * (beta * (walk.factors[index] ?? 0) + own * random.normal())
    const expected = day >= driftFrom ? drift * minutes : 0
    level += push + expected + noise * Math.sqrt(share) - reversion * share * level
    closes[index] = base * Math.exp(level)
    attention[index] = minutes === 0 ? 0 : paid / minutes
  }
  return { closes, attention, reactionAtWeek }
}

/** Creates candles of the trading days before the week of minutes. */
export function createDailyCandles(
  walk: Pick<DayWalk, 'model' | 'first' | 'week'>,
  path: DayPath,
  seed: string,
): NewCandle[] {
  const { model, first, week } = walk
  const { hours, volatility, base } = model
  const random = createRandom(seed)
  const candles: NewCandle[] = []
  let last = roundPrice(model, path.closes[0] ?? base)
  for (let openedAt = first, index = 0; openedAt < week; openedAt += DAY, index++) {
    const session = findSession(hours, openedAt)
    if (session === undefined) continue
    const share = (session.to - session.from) / MINUTE / hours.minutesPerDay
    const close = roundPrice(model, path.closes[index] ?? base)
    const gap = session.from > openedAt ? GAP * volatility * random.normal() : 0
    const open = roundPrice(model, last * Math.exp(gap))
    const volumeShare = share * (1 + 2 * (path.attention[index] ?? 0))
    const reach = 0.8 * volatility * Math.sqrt(share)
    candles.push(createCandle(model, random, { openedAt, open, close, reach, volumeShare }))
    last = close
  }
  return candles
}
