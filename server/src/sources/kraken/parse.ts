import { ParseError, readJson, unexpected } from '../answer.ts'
import { type CandleAnswer, columnsOf, type RawCandle, readCandles } from '../candles.ts'
import { isFields, listField, numberField, timeField } from '../fields.ts'

export interface KrakenCandles extends CandleAnswer {
  /** Opening time of the last closed candle (epoch milliseconds). The candle after it changes until it is closed. */
  lastClosedAt: number | null
}

/** Parses an answer of OHLC, or candles of Kraken Futures and of the channel `ohlc`. */
export function parseKrakenOhlc(bytes: Uint8Array): KrakenCandles {
  const document = readJson(bytes)
  if (!isFields(document)) throw unexpected(document, 'OHLC candles')
  // Kraken reports errors with status 200. Warnings, which start with W, come with a result.
  const errors = listField(document.error).filter((error) => String(error).startsWith('E'))
  if (errors.length > 0) throw new ParseError(`is an error of the service: ${errors.join(', ').slice(0, 200)}`)
  const { result } = document
  if (!isFields(result)) {
    const rows = document.candles ?? document.data
    if (!Array.isArray(rows)) throw unexpected(document, 'OHLC candles')
    return { ...readCandles(rows, fromObject), lastClosedAt: null }
  }
  // The result has the rows under Kraken's own name of the pair, such as XXBTZUSD for XBTUSD.
  const rows = Object.entries(result).find(([name, value]) => name !== 'last' && Array.isArray(value))?.[1]
  if (rows === undefined) throw unexpected(document, 'OHLC candles')
  return { ...readCandles(listField(rows), fromColumns), lastClosedAt: timeField(result.last) }
}

function fromColumns(row: unknown): RawCandle {
  const [openedAt, open, high, low, close, vwap, volume, tradeCount] = columnsOf(row)
  return { openedAt, open, high, low, close, volume, quoteVolume: quoteVolumeOf(vwap, volume), tradeCount }
}

function fromObject(row: unknown): RawCandle {
  const { time, interval_begin, open, high, low, close, vwap, volume, trades } = isFields(row) ? row : {}
  const openedAt = time ?? interval_begin
  return { openedAt, open, high, low, close, volume, quoteVolume: quoteVolumeOf(vwap, volume), tradeCount: trades }
}

function quoteVolumeOf(vwap: unknown, volume: unknown): number | null {
  const [price, amount] = [numberField(vwap), numberField(volume)]
  return price === null || amount === null ? null : price * amount
}
