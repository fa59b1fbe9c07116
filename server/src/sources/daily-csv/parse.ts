import { ParseError, readJson, readText, unexpected } from '../answer.ts'
import { type CandleAnswer, type RawCandle, readCandles } from '../candles.ts'
import { readCsv } from '../csv.ts'
import { isFields } from '../fields.ts'
import { numberReader } from './local-numbers.ts'

/** Names of the columns, in any order and case. The last ones are those of stooq.pl. */
const COLUMNS = {
  openedAt: ['date', 'datetime', 'timestamp', 'time', 'data'],
  open: ['open', 'otwarcie'],
  high: ['high', 'najwyzszy'],
  low: ['low', 'najnizszy'],
  close: ['close', 'zamkniecie'],
  volume: ['volume', 'vol', 'wolumen'],
} as const satisfies Record<string, readonly string[]>

type Column = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS) as Column[]
const NUMBERS = NAMES.filter((name) => name !== 'openedAt')

/** Parses daily prices as Stooq and Tiingo write them: CSV, or the same rows as JSON. */
export function parseDailyCsv(bytes: Uint8Array): CandleAnswer {
  const text = readText(bytes)
  return /^\s*[[{]/.test(text) ? parseRecords(readJson(bytes)) : parseCsv(text)
}

function parseCsv(text: string): CandleAnswer {
  const { rows, delimiter } = readCsv(text)
  const [header = [], ...lines] = rows
  const places = placesOf(header, header.join(delimiter))
  const cell = (line: readonly string[], name: Column) => line[places[name]]?.trim() ?? ''
  const readNumber = numberReader(lines.flatMap((line) => NUMBERS.map((name) => cell(line, name))))
  return readCandles(lines, (line) =>
    toRaw(cell(line, 'openedAt'), (name) => readNumber(cell(line, name)) ?? cell(line, name)),
  )
}

function parseRecords(document: unknown): CandleAnswer {
  if (!Array.isArray(document)) throw unexpected(document, 'list of prices')
  const header = Object.keys(document.find(isFields) ?? {})
  if (document.length === 0) return { candles: [], rejected: [] }
  const places = placesOf(header, header.join(', '))
  return readCandles(document, (row) => {
    const cell = (name: Column) => (isFields(row) ? row[header[places[name]] ?? ''] : undefined)
    return toRaw(cell('openedAt'), cell)
  })
}

/** Indices and currencies have no volume. */
function toRaw(date: unknown, number: (name: Column) => unknown): RawCandle {
  const [open, high, low, close] = [number('open'), number('high'), number('low'), number('close')]
  return { openedAt: isoDate(date), open, high, low, close, volume: number('volume') || 0 }
}

/** Returns the index of each column; -1 for a missing volume. */
function placesOf(header: readonly string[], shown: string): Record<Column, number> {
  const names = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const places = NAMES.map((column) => {
    const place = COLUMNS[column].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1
    return [column, place] as const
  })
  const missing = places
    .filter(([column, place]) => place < 0 && column !== 'volume')
    .map(([column]) => COLUMNS[column][0])
  if (missing.length > 0) {
    throw new ParseError(`has no columns ${missing.join(', ')}; it starts with ${JSON.stringify(shown.slice(0, 100))}`)
  }
  return Object.fromEntries(places) as Record<Column, number>
}

/** Rewrites dates such as 20240131, 2024/01/31 and 31.01.2024; 01/02/2024 may mean two days and is refused. */
function isoDate(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value
    .replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
    .replace(/^(\d{4})[/.](\d{2})[/.](\d{2})/, '$1-$2-$3')
    .replace(/^(\d{2})\.(\d{2})\.(\d{4})/, '$3-$2-$1')
}
