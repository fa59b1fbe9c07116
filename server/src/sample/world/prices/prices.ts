import { builtInAssets } from '../../../catalogue/built-in/assets.ts'
import type { NewCandle } from '../../../model/markets.ts'
import { DAY, MINUTE, startOfDay } from '../../../model/time.ts'
import { sampleMarkets } from '../markets.ts'
import { type NewsItem, newsOf, type Report } from '../news.ts'
import { createRandom } from '../random.ts'
import { createDailyCandles, type DayPath, type DayWalk, walkDays } from './daily-walk.ts'
import { walkMinutes } from './minute-walk.ts'
import { impulsesOn } from './news-reaction.ts'
import { type Factor, priceModelOf, roundPrice } from './price-model.ts'
import { findSession, tradingMinutes } from './trading-hours.ts'

export interface Prices {
  /**
   * Returns the price of an asset at a time within the last 366 days: the close of the candle that covers the time, or
   * of the one before. An asset without a market has no minutes: its last week is interpolated between daily closes.
   */
  at(assetKey: string, time: number): number | undefined
  /** Returns daily candles of a year, up to the first day that has minutes. Only assets with a market have candles. */
  daily(assetKey: string): NewCandle[]
  /** Returns the minutes of the last seven whole days and of today; the last one may still be open. */
  minutes(assetKey: string): NewCandle[]
}

interface PricesOptions {
  now: number
  reports: Iterable<Report>
  seed: string | number
}

const YEAR_DAYS = 366
const WEEK_DAYS = 7
const NEWS_DAYS = 90

/** Creates prices of all assets: a random walk plus a factor that similar assets share plus reactions to news. */
export function createPrices({ now, reports, seed }: PricesOptions): Prices {
  const today = startOfDay(now)
  const first = today - YEAR_DAYS * DAY
  const week = today - WEEK_DAYS * DAY
  const newsByKey = groupByAsset(newsOf(reports))
  const dayFactors = createFactors(`${seed}:days`, YEAR_DAYS + 1)
  const minuteFactors = createFactors(`${seed}:minutes`, ((WEEK_DAYS + 1) * DAY) / MINUTE)
  const paths = new Map<string, { walk: DayWalk; path: DayPath }>()
  const closesOfMinutes = new Map<string, Closes>()

  function pathOf(key: string) {
    const known = paths.get(key)
    if (known !== undefined) return known
    const model = priceModelOf(key)
    const impulses = impulsesOn(model, newsByKey.get(key) ?? [])
    const driftFrom = today - NEWS_DAYS * DAY
    // Some assets get mostly good news. The drift offsets the average, so that only surprises move the price for long.
    const expected = impulses.reduce((sum, impulse) => sum + impulse.push, 0)
    const drift = -expected / tradingMinutes(model.hours, driftFrom, now)
    const random = createRandom(`${seed}:days:${key}`)
    const factors = dayFactors[model.factor]
    const walk = { model, first, week, last: today, impulses, drift, driftFrom, random, factors }
    const walked = { walk, path: walkDays(walk) }
    paths.set(key, walked)
    return walked
  }

  function daily(key: string): NewCandle[] {
    if (!keysWithMarket.has(key)) return []
    const { walk, path } = pathOf(key)
    return createDailyCandles(walk, path, `${seed}:day-candles:${key}`)
  }

  function minutes(key: string): NewCandle[] {
    if (!keysWithMarket.has(key)) return []
    const { walk, path } = pathOf(key)
    const random = createRandom(`${seed}:minutes:${key}`)
    const factors = minuteFactors[walk.model.factor]
    const candles = walkMinutes({
      model: walk.model,
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
    const { walk, path } = pathOf(key)
    const day = startOfDay(time)
    if (time < week) return roundPrice(walk.model, priceOn(path, day))
    if (keysWithMarket.has(key)) {
      if (!closesOfMinutes.has(key)) minutes(key)
      return findClose(closesOfMinutes.get(key), time) ?? roundPrice(walk.model, priceOn(path, week - DAY))
    }
    const before = priceOn(path, day - DAY)
    const share = shareOfSession(findSession(walk.model.hours, day), time)
    return roundPrice(walk.model, before + share * (priceOn(path, day) - before))
  }

  return { at, daily, minutes }
}

const assetKeys = new Set(builtInAssets.map((asset) => asset.key))
const keysWithMarket = new Set(sampleMarkets.map((market) => market.assetKey))

function groupByAsset(news: readonly NewsItem[]): Map<string, NewsItem[]> {
  const groups = new Map<string, NewsItem[]>()
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

/** Times and closes of minute candles: enough for `at`, in a fraction of their memory. */
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
