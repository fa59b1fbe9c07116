import { setImmediate } from 'node:timers/promises'
import { MINUTE } from '../../model/time.ts'
import type { ClosingPrice } from '../../store/markets/closing-prices.ts'
import type { Store } from '../../store/store.ts'
import type { AssetPrices } from '../detect/observation.ts'
import type { SourceItem } from './source.ts'

/** More days than any detector needs. */
const DAYS = 100

/** Loads the prices that detectors may need for these observations. */
export async function loadPrices(store: Store, observations: readonly SourceItem[]): Promise<AssetPrices> {
  const prices = new Map<string, number>()
  const daily = new Map<string, ClosingPrice[]>()
  const lastAt = Math.max(...observations.map(({ observation }) => observation.at))
  for (const { observation, assetKeys } of observations) {
    for (const assetKey of assetKeys) {
      const key = keyOf(assetKey, observation.at)
      if (!daily.has(assetKey)) daily.set(assetKey, await store.candles.listDailyCloses(assetKey, lastAt, DAYS))
      if (prices.has(key)) continue
      const close = await store.candles.findClose(assetKey, observation.at)
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

/** Candles close at full minutes, so the price is the same within a minute. */
const keyOf = (assetKey: string, time: number) => `${Math.floor(time / MINUTE)} ${assetKey}`
