import { readJson, unexpected } from '../answer.ts'
import { type CandleAnswer, columnsOf, type RawCandle, readCandles } from '../candles.ts'
import { isFields, listField } from '../fields.ts'

/** Parses candles of Coinbase Exchange (lists) or of Advanced Trade (objects, also from its channel `candles`). */
export function parseCoinbaseCandles(bytes: Uint8Array): CandleAnswer {
  const document = readJson(bytes)
  if (Array.isArray(document)) return readCandles(document, fromColumns)
  if (isFields(document)) {
    const holders = [document, ...listField(document.events)].filter(isFields).filter(({ candles }) => candles)
    if (holders.length > 0)
      return readCandles(
        holders.flatMap(({ candles }) => listField(candles)),
        fromObject,
      )
  }
  throw unexpected(document, 'candles')
}

function fromColumns(row: unknown): RawCandle {
  const [openedAt, low, high, open, close, volume] = columnsOf(row)
  return { openedAt, open, high, low, close, volume }
}

function fromObject(row: unknown): RawCandle {
  const { start, open, high, low, close, volume } = isFields(row) ? row : {}
  return { openedAt: start, open, high, low, close, volume }
}
