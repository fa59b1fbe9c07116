import { DAY, MINUTE, startOfDay } from '../model/time.ts'
import type { AssetPrices } from '../signals/detect/observation.ts'
import { getAsset } from './world/popularity.ts'
import { findSession, tradingHoursOf } from './world/prices/trading-hours.ts'
import type { SampleWorld } from './world/world.ts'

/** Days of closes that detectors may ask for. */
const CLOSE_DAYS = 180
const MINUTE_DAYS = 7

/** Returns the prices of the sample's markets as they were known at a time. */
export function samplePrices({ markets, prices }: SampleWorld, now: number): AssetPrices {
  const keys = new Set(markets.map(({ assetKey }) => assetKey))
  const firstMinute = startOfDay(now) - MINUTE_DAYS * DAY
  const closes = new Map<string, Close[]>()

  /** Interpolates between daily closes where there are no minutes: using the close itself would foresee the day. */
  function at(assetKey: string, time: number): number | undefined {
    if (!keys.has(assetKey)) return undefined
    // The current minute has no close yet.
    if (time >= firstMinute) return prices.at(assetKey, time - (time % MINUTE) - 1)
    const day = startOfDay(time)
    const from = prices.at(assetKey, day - 1)
    const to = prices.at(assetKey, day + DAY - 1)
    if (from === undefined || to === undefined) return undefined
    return Number((from + ((time - day) / DAY) * (to - from)).toPrecision(7))
  }

  function closesOf(assetKey: string): Close[] {
    const known = closes.get(assetKey)
    if (known !== undefined) return known
    const hours = tradingHoursOf(getAsset(assetKey))
    const found = Array.from({ length: CLOSE_DAYS + 1 }, (_, index) => startOfDay(now) - (CLOSE_DAYS - index) * DAY)
      .filter((day) => findSession(hours, day) !== undefined)
      .flatMap((day) => {
        const price = prices.at(assetKey, Math.min(day + DAY - 1, now))
        return price === undefined ? [] : [{ endedAt: day + DAY, price }]
      })
    closes.set(assetKey, found)
    return found
  }

  function dailyCloses(assetKey: string, time: number, count: number): number[] {
    if (!keys.has(assetKey)) return []
    const all = closesOf(assetKey)
    const after = all.findIndex(({ endedAt }) => endedAt > time)
    const end = after < 0 ? all.length : after
    return all.slice(Math.max(0, end - count), end).map(({ price }) => price)
  }

  return { at, dailyCloses }
}

interface Close {
  endedAt: number
  price: number
}
