import type { NewCandle } from '../model/markets.ts'
import { Refused } from '../model/refused.ts'
import { type Rejected, readRows } from './answer.ts'
import { amountField, countField, numberField, required, timeField } from './fields.ts'

export interface CandleAnswer {
  /** Oldest first. */
  candles: NewCandle[]
  rejected: Rejected[]
}

/** A candle as a vendor writes it: numbers may be texts, the time may have any unit. */
export interface RawCandle extends Partial<Record<'quoteVolume' | 'tradeCount', unknown>> {
  openedAt: unknown
  open: unknown
  high: unknown
  low: unknown
  close: unknown
  volume: unknown
}

/** Reads the rows of an answer, in any order, as candles. */
export function readCandles<Row>(rows: Iterable<Row>, toRaw: (row: Row) => RawCandle): CandleAnswer {
  const { records, rejected } = readRows(rows, (row) => toCandle(toRaw(row)))
  return { candles: records.sort((a, b) => a.openedAt - b.openedAt), rejected }
}

/** Returns the columns of a row that has to be a list. */
export function columnsOf(row: unknown): unknown[] {
  if (!Array.isArray(row)) throw new Refused('it is not a list')
  return row
}

function toCandle(raw: RawCandle): NewCandle {
  const number = (name: keyof RawCandle) => required(name, numberField(raw[name]), raw[name])
  const candle = {
    openedAt: required('openedAt', timeField(raw.openedAt), raw.openedAt),
    open: number('open'),
    high: number('high'),
    low: number('low'),
    close: number('close'),
    volume: required('volume', amountField(raw.volume), raw.volume),
    quoteVolume: amountField(raw.quoteVolume),
    tradeCount: countField(raw.tradeCount),
  }
  const { open, high, low, close } = candle
  if (low > Math.min(open, close)) throw new Refused(`low ${low} is above open ${open} or close ${close}`)
  if (high < Math.max(open, close)) throw new Refused(`high ${high} is below open ${open} or close ${close}`)
  return candle
}
