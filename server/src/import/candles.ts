import Type, { type Static } from 'typebox'
import { Candle, isSampleMarket, type NewCandle, STORED_INTERVALS } from '../model/markets.ts'
import { nullable } from '../model/schema.ts'
import { candleProblem } from '../store/markets/candle-units.ts'
import type { Series } from '../store/markets/markets.ts'
import { fieldNames, type Importable, type Written, writer } from './importable.ts'
import { rowReader } from './row-reader.ts'

const optionalNumber = () => Type.Optional(nullable(Type.Number()))

const CandleRow = Type.Object({
  symbol: Type.String(),
  interval: Type.Enum(STORED_INTERVALS),
  ...Type.Pick(Candle, ['openedAt', 'open', 'high', 'low', 'close']).properties,
  volume: optionalNumber(),
  quoteVolume: optionalNumber(),
  tradeCount: optionalNumber(),
})
type CandleRow = Static<typeof CandleRow>

const names = fieldNames([...Object.keys(CandleRow.properties), 'marketId'], Object.keys(Candle.properties))
const readRow = rowReader(CandleRow)

export const candles: Importable = {
  noun: 'candles',
  key: 'symbol, interval and openedAt',
  about: `symbol (or marketId) names an existing market, interval is one of ${STORED_INTERVALS.join(', ')}; other intervals are rolled up from these. openedAt is the start of the interval in UTC. volume, quoteVolume and tradeCount may be missing. A candle is ignored where candles of a finer interval are known.`,
  example: {
    symbol: 'QUUX-GBP',
    interval: '1d',
    openedAt: '2026-01-30',
    open: 101.5,
    high: 104,
    low: 100.25,
    close: 103,
    volume: 120_000,
  },
  batchRows: 20_000,
  fieldsOf: () => names,
  write: writer(readCandleRow, async (rows, { update }, { store, now }) => {
    const written: Written = { added: 0, changed: 0, known: 0, refused: [] }
    const placed = rows.map((row, index) => ({ ...row, index }))
    for (const [symbol, ofMarket] of Map.groupBy(placed, (row) => row.symbol)) {
      const market = await store.markets.findSeries(symbol)
      const reason = refusalOf(market)
      if (market === undefined || reason !== undefined) {
        written.refused.push(...ofMarket.map(({ index }) => ({ index, reason: reason ?? '' })))
        continue
      }
      for (const [interval, ofInterval] of Map.groupBy(ofMarket, (row) => row.interval)) {
        const valid: NewCandle[] = []
        for (const { index, candle } of ofInterval) {
          const problem = candleProblem(candle, interval, market)
          if (problem === undefined) valid.push(candle)
          else written.refused.push({ index, reason: problem })
        }
        const counts = await store.candles.upsert({ marketId: market.id, interval, candles: valid }, now, { update })
        for (const name of ['added', 'changed', 'known'] as const) written[name] += counts[name]
      }
    }
    return written
  }),
}

function refusalOf(market: Series | undefined): string | undefined {
  if (market === undefined) return 'symbol is not a market of the store; import the market first'
  return isSampleMarket(market) ? 'symbol is a market of the sample; run "mintick sample clear" first' : undefined
}

function readCandleRow(row: unknown): Pick<CandleRow, 'symbol' | 'interval'> & { candle: NewCandle } {
  const { symbol, interval, openedAt, volume, quoteVolume, tradeCount, ...prices } = readRow(withSymbol(row))
  return {
    symbol,
    interval,
    candle: {
      ...prices,
      openedAt: Date.parse(openedAt),
      volume: volume ?? 0,
      quoteVolume: quoteVolume ?? null,
      tradeCount: tradeCount ?? null,
    },
  }
}

/** The store finds a market by its id as well. */
function withSymbol(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || !('marketId' in row) || 'symbol' in row) return row
  return { ...row, symbol: row.marketId }
}
