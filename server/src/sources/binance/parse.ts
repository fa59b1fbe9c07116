import { readJson, readText, unexpected } from '../answer.ts'
import { type CandleAnswer, columnsOf, type RawCandle, readCandles } from '../candles.ts'
import { readCsv } from '../csv.ts'

/** Parses klines of the API (JSON), or a file of the public archive (CSV with the same columns, some with a header). */
export function parseBinanceKlines(bytes: Uint8Array): CandleAnswer {
  const text = readText(bytes)
  if (/^\s*(?:open_time|\d+),/i.test(text)) {
    const { rows } = readCsv(text)
    return readCandles(/^\d/.test(rows[0]?.[0] ?? '') ? rows : rows.slice(1), fromColumns)
  }
  const document = readJson(bytes)
  if (!Array.isArray(document)) throw unexpected(document, 'klines')
  return readCandles(document, fromColumns)
}

function fromColumns(row: unknown): RawCandle {
  const [openedAt, open, high, low, close, volume, , quoteVolume, tradeCount] = columnsOf(row)
  return { openedAt, open, high, low, close, volume, quoteVolume, tradeCount }
}
