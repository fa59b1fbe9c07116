import type { NewCandle } from '../../../model/markets.ts'
import { DAY, MINUTE } from '../../../model/time.ts'
import { createRandom, type Random } from '../random.ts'
import { makeCandle } from './candle.ts'
import { findSession, tradingMinutes } from './hours.ts'
import { GAP, UNEXPLAINED } from './minutes.ts'
import { feel, type Impulse, noReaction, type Reaction, work } from './reaction.ts'
import { roundPrice, type Traits } from './traits.ts'

export interface DayWalk {
  traits: Traits
  /** Starts of UTC days: the first, the first of which minutes are told, and the last. */
  first: number
  week: number
  last: number
  impulses: readonly Impulse[]
  /** Added to the return of every minute of trading from `driftFrom` on. */
  drift: number
  driftFrom: number
  random: Random
  /** What all assets of its factor have in common on the n-th day: mean 0, standard deviation 1. */
  factors: Float64Array
}

export interface DayPath {
  /** Prices at the end of each day, unrounded; on a closed day that of the day before. */
  closes: Float64Array
  /** How much was traded because of news, by day. */
  attention: Float64Array
  /** What was still at work when the week of minutes began. */
  reactionAtWeek: Reaction
}

/** The way of a price from day to day, in the same steps as by the minute. */
export function walkDays(walk: DayWalk): DayPath {
  const { traits, first, week, last, impulses, drift, driftFrom, random } = walk
  const { hours, base, beta, reversion, volatility } = traits
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
    const before = work(traits, reaction, minutes)
    let push = before.push
    let paid = before.attention * minutes
    for (let impulse = impulses[next]; impulse !== undefined && impulse.at < day + DAY; impulse = impulses[++next]) {
      const fresh = noReaction()
      feel(fresh, impulse)
      const left = tradingMinutes(hours, impulse.at, day + DAY)
      const worked = work(traits, fresh, left)
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

/** Candles of the days of trading before the week of minutes. */
export function tellDays(walk: Pick<DayWalk, 'traits' | 'first' | 'week'>, path: DayPath, seed: string): NewCandle[] {
  const { traits, first, week } = walk
  const { hours, volatility, base } = traits
  const random = createRandom(seed)
  const candles: NewCandle[] = []
  let last = roundPrice(traits, path.closes[0] ?? base)
  for (let openedAt = first, index = 0; openedAt < week; openedAt += DAY, index++) {
    const session = findSession(hours, openedAt)
    if (session === undefined) continue
    const share = (session.to - session.from) / MINUTE / hours.minutesPerDay
    const close = roundPrice(traits, path.closes[index] ?? base)
    const gap = session.from > openedAt ? GAP * volatility * random.normal() : 0
    const open = roundPrice(traits, last * Math.exp(gap))
    const volumeShare = share * (1 + 2 * (path.attention[index] ?? 0))
    const reach = 0.8 * volatility * Math.sqrt(share)
    candles.push(makeCandle(traits, random, { openedAt, open, close, reach, volumeShare }))
    last = close
  }
  return candles
}
