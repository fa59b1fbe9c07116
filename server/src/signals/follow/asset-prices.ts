import { setImmediate } from 'node:timers/promises'
import { MINUTE } from '../../model/time.ts'
import type { ClosingPrice } from '../../store/markets/closing-prices.ts'
import type { Store } from '../../store/store.ts'
import type { AssetPrices } from '../detect/happening.ts'
import type { Placed } from './followed.ts'

/** More days than a detector looks at. */
const DAYS = 100

/** The prices that detectors may ask for when they look at these: of the assets named, at the time of each. */
export async function loadPrices(store: Store, happenings: readonly Placed[]): Promise<AssetPrices> {
  const prices = new Map<string, number>()
  const daily = new Map<string, ClosingPrice[]>()
  const lastAt = Math.max(...happenings.map(({ happening }) => happening.at))
  for (const { happening, assetKeys } of happenings) {
    for (const assetKey of assetKeys) {
      const key = keyOf(assetKey, happening.at)
      if (!daily.has(assetKey)) daily.set(assetKey, await store.candles.listDailyCloses(assetKey, lastAt, DAYS))
      if (prices.has(key)) continue
      const close = await store.candles.findClose(assetKey, happening.at)
      if (close !== undefined) prices.set(key, close.price)
    }
    await setImmediate()
  }
  return {
    at: (assetKey, time) => prices.get(keyOf(assetKey, time)),
    dailyCloses(assetKey, time, count) {
      const ended = (daily.get(assetKey) ?? []).filter(({ closedAt }) => closedAt <= time)
      return ended.slice(-count).map(({ price }) => price)
    },
  }
}

/** Candles close at full minutes, so within one the price stays. */
const keyOf = (assetKey: string, time: number) => `${Math.floor(time / MINUTE)} ${assetKey}`
