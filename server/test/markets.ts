/** Markets and candles for tests. */
import { randomUUID } from 'node:crypto'
import type { NewCandle, NewMarket } from '../src/model/markets.ts'
import type { Series } from '../src/store/markets/markets.ts'
import type { Store } from '../src/store/store.ts'

/** Returns a market of an asset in the sample, which the store must contain. */
export function newMarket(given: Partial<NewMarket> = {}): NewMarket {
  const id = given.id ?? randomUUID()
  return {
    id,
    symbol: `T${id.slice(0, 13).toUpperCase()}`,
    name: 'Test market',
    assetKey: 'BTC',
    type: 'crypto',
    venue: 'Testex',
    baseCurrency: 'BTC',
    quoteCurrency: 'USD',
    timezone: 'UTC',
    status: 'active',
    volumeDecimals: 3,
    quoteVolumeDecimals: 2,
    ...given,
  }
}

export async function insertMarket(store: Store, given: Partial<NewMarket> = {}): Promise<Series> {
  const market = newMarket(given)
  await store.markets.insert([market], 0)
  const series = await store.markets.findSeries(market.id)
  if (series === undefined) throw new Error('the market is not there')
  return series
}

/** Returns `count` candles without gaps, the first at `from`; each closes one above its open. */
export function risingCandles(from: number, step: number, count: number, price = 100): NewCandle[] {
  return Array.from({ length: count }, (_, index) => ({
    openedAt: from + index * step,
    open: price + index,
    high: price + index + 2,
    low: price + index - 1,
    close: price + index + 1,
    volume: 1.5,
    quoteVolume: 1.5 * (price + index),
    tradeCount: 2,
  }))
}
