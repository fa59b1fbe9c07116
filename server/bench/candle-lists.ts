import { CANDLE_INTERVALS, type CandleInterval, CHART_RANGES, type NewCandle } from '../src/model/markets.ts'
import { DAY, HOUR, isoTime, MINUTE } from '../src/model/time.ts'
import type { SampleWorld } from '../src/sample/world/world.ts'
import { type BenchList, pathsOf } from './bench-list.ts'

const BATCH = 2_000
const START_TIMES = 120

/** Page sizes for which the small store has enough candles before each start time. */
const POINTS: Record<CandleInterval, number> = {
  '1m': 500,
  '5m': 500,
  '15m': 300,
  '30m': 150,
  '1h': 500,
  '4h': 500,
  '1d': 500,
  '1w': 100,
  '1mo': 50,
}

/**
 * Candles and charts of markets: six years of days, and for some markets one year of hours and `count` minutes in total. With
 * a week of minutes per market in the small store, both sizes return equally many candles.
 */
export function candleLists({ markets }: SampleWorld, now: number, marketsWithMinutes: number): BenchList {
  const symbols = markets.slice(0, marketsWithMinutes).map(({ symbol }) => encodeURIComponent(symbol))
  const today = now - (now % DAY)
  const candlesOf = (interval: CandleInterval) =>
    Array.from({ length: START_TIMES }, (_, place) => {
      const before = isoTime(today - place * 20 * MINUTE)
      const symbol = symbols[place % symbols.length]
      return `/api/v1/markets/${symbol}/candles?interval=${interval}&maxPoints=${POINTS[interval]}&openedBefore=${before}`
    })
  return {
    name: 'candles',
    rows: {
      tables: [],
      async fill({ store, count }) {
        await store.markets.insert(markets, now)
        for (const [index, { id }] of markets.entries()) {
          await store.candles.insert(id, '1d', candles(today - 6 * 365 * DAY, today, DAY), now)
          if (index >= marketsWithMinutes) continue
          await store.candles.insert(id, '1h', candles(today - 365 * DAY, today, HOUR), now)
          const from = today - Math.floor(count / marketsWithMinutes) * MINUTE
          for (let start = from; start < today; start += BATCH * MINUTE) {
            const end = Math.min(today, start + BATCH * MINUTE)
            await store.candles.insert(id, '1m', candles(start, end, MINUTE), now)
          }
        }
      },
    },
    queries: {
      ...Object.fromEntries(CANDLE_INTERVALS.map((interval) => [`candles ${interval}`, candlesOf(interval)])),
      ...Object.fromEntries(
        CHART_RANGES.map((range) => [
          `chart ${range}`,
          symbols.map((symbol) => `/api/v1/markets/${symbol}/chart?range=${range}`),
        ]),
      ),
      ...pathsOf('/markets', {
        markets: '',
        'markets by changePercent': 'sortBy=changePercent:desc',
        'markets by dayVolume': 'sortBy=dayVolume:desc',
        'markets type': 'type=crypto',
        'markets search': 'search=us',
      }),
    },
  }
}

function candles(from: number, to: number, step: number): NewCandle[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => {
    const openedAt = from + index * step
    const open = 100 + 20 * Math.sin(openedAt / (9 * DAY))
    const close = 100 + 20 * Math.sin((openedAt + step) / (9 * DAY))
    const high = Math.max(open, close) + 1
    return {
      openedAt,
      open,
      close,
      high,
      low: Math.min(open, close) - 1,
      volume: 1_000,
      quoteVolume: null,
      tradeCount: 10,
    }
  })
}
