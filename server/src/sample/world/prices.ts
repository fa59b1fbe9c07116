import { sampleAssets } from '../../catalogue/built-in/assets.ts'
import type { NewCandle } from '../../model/markets.ts'
import { DAY, MINUTE } from '../../model/time.ts'
import { sampleMarkets } from './markets.ts'
import { newsOf, type Report, type WorldNews } from './news.ts'
import { type DayPath, type DayWalk, tellDays, walkDays } from './prices/days.ts'
import { findSession, startOfTradingDay, tradingMinutes } from './prices/hours.ts'
import { walkMinutes } from './prices/minutes.ts'
import { impulsesOn } from './prices/reaction.ts'
import { type Factor, roundPrice, traitsOf } from './prices/traits.ts'
import { createRandom } from './random.ts'

export interface Prices {
  /**
   * What an asset costs at a time of the last 366 days: the close of the candle which that time lies in, else of the one
   * before. Without a market there are no minutes: the last week then goes straight from one day's close to the next.
   */
  at(assetKey: string, time: number): number | undefined
  /** Whole days of a year, up to the first day that is told by the minute. Only an asset with a market has candles. */
  daily(assetKey: string): NewCandle[]
  /** The last seven whole days and today. The last minute may be the open one. */
  minutes(assetKey: string): NewCandle[]
}

export interface PricesOptions {
  now: number
  reports: Iterable<Report>
  seed: string | number
}

const YEAR_DAYS = 366
const WEEK_DAYS = 7
const NEWS_DAYS = 90

/** Prices of all sample assets, moved by chance, by what assets of a kind have in common, and by the news. */
export function createPrices({ now, reports, seed }: PricesOptions): Prices {
  const today = startOfTradingDay(now)
  const first = today - YEAR_DAYS * DAY
  const week = today - WEEK_DAYS * DAY
  const newsByKey = groupByAsset(newsOf(reports))
  const dayFactors = createFactors(`${seed}:days`, YEAR_DAYS + 1)
  const minuteFactors = createFactors(`${seed}:minutes`, ((WEEK_DAYS + 1) * DAY) / MINUTE)
  const ways = new Map<string, { walk: DayWalk; path: DayPath }>()
  const closesOfMinutes = new Map<string, Closes>()

  function wayOf(key: string) {
    const known = ways.get(key)
    if (known !== undefined) return known
    const traits = traitsOf(key)
    const impulses = impulsesOn(traits, newsByKey.get(key) ?? [])
    const driftFrom = today - NEWS_DAYS * DAY
    // Some assets have mostly good news; that much is expected, and only what differs from it moves the price for long.
    const expected = impulses.reduce((sum, impulse) => sum + impulse.push, 0)
    const drift = -expected / tradingMinutes(traits.hours, driftFrom, now)
    const random = createRandom(`${seed}:days:${key}`)
    const factors = dayFactors[traits.factor]
    const walk = { traits, first, week, last: today, impulses, drift, driftFrom, random, factors }
    const way = { walk, path: walkDays(walk) }
    ways.set(key, way)
    return way
  }

  function daily(key: string): NewCandle[] {
    if (!keysWithMarket.has(key)) return []
    const { walk, path } = wayOf(key)
    return tellDays(walk, path, `${seed}:day-candles:${key}`)
  }

  function minutes(key: string): NewCandle[] {
    if (!keysWithMarket.has(key)) return []
    const { walk, path } = wayOf(key)
    const random = createRandom(`${seed}:minutes:${key}`)
    const factors = minuteFactors[walk.traits.factor]
    const candles = walkMinutes({
      traits: walk.traits,
      from: week,
      until: now,
      price: priceOn(path, week - DAY),
      reaction: { ...path.reactionAtWeek },
      impulses: walk.impulses.filter((impulse) => impulse.at >= week),
      drift: walk.drift,
      randomAt: () => random,
      factorAt: (openedAt) => factors[(openedAt - week) / MINUTE] ?? 0,
    })
    closesOfMinutes.set(key, closesOf(candles))
    return candles
  }

  function priceOn(path: DayPath, day: number): number {
    return path.closes[(day - first) / DAY] ?? Number.NaN
  }

  function at(key: string, time: number): number | undefined {
    if (!assetKeys.has(key) || time > now || time < now - YEAR_DAYS * DAY) return undefined
    const { walk, path } = wayOf(key)
    const day = startOfTradingDay(time)
    if (time < week) return roundPrice(walk.traits, priceOn(path, day))
    if (keysWithMarket.has(key)) {
      if (!closesOfMinutes.has(key)) minutes(key)
      return findClose(closesOfMinutes.get(key), time) ?? roundPrice(walk.traits, priceOn(path, week - DAY))
    }
    const before = priceOn(path, day - DAY)
    const share = shareOfSession(findSession(walk.traits.hours, day), time)
    return roundPrice(walk.traits, before + share * (priceOn(path, day) - before))
  }

  return { at, daily, minutes }
}

const assetKeys = new Set(sampleAssets.map((asset) => asset.key))
const keysWithMarket = new Set(sampleMarkets.map((market) => market.assetKey))

function groupByAsset(news: readonly WorldNews[]): Map<string, WorldNews[]> {
  const groups = new Map<string, WorldNews[]>()
  for (const item of news) {
    for (const key of item.assetKeys) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [item])
      else group.push(item)
    }
  }
  return groups
}

function createFactors(seed: string, count: number): Record<Factor, Float64Array> {
  const series = (factor: Factor) => {
    const random = createRandom(`${seed}:${factor}`)
    return Float64Array.from({ length: count }, () => random.normal())
  }
  return { stocks: series('stocks'), coins: series('coins'), other: series('other') }
}

/** What `at` needs of the minutes, in a fraction of their size. */
interface Closes {
  times: Float64Array
  prices: Float64Array
}

function closesOf(candles: readonly NewCandle[]): Closes {
  return {
    times: Float64Array.from(candles, (candle) => candle.openedAt),
    prices: Float64Array.from(candles, (candle) => candle.close),
  }
}

function findClose(closes: Closes | undefined, time: number): number | undefined {
  if (closes === undefined) return undefined
  let low = 0
  let high = closes.times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((closes.times[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return closes.prices[low - 1]
}

function shareOfSession(session: { from: number; to: number } | undefined, time: number): number {
  if (session === undefined) return 0
  return Math.min(Math.max((time - session.from) / (session.to - session.from), 0), 1)
}
