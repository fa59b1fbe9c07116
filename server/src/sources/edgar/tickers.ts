import { type Rejected, readJson, readRows, unexpected } from '../answer.ts'
import { type Fields, isFields, listField, required, textField } from '../fields.ts'
import { toCik } from './values.ts'

/** A ticker of a company or, without a name, of a class of a fund. */
export interface ListedTicker {
  cik: string
  ticker: string
  companyName: string | null
  exchange: string | null
  seriesId: string | null
  classId: string | null
}

/** Parses company_tickers.json, company_tickers_exchange.json and company_tickers_mf.json. */
export function parseTickers(bytes: Uint8Array): { tickers: ListedTicker[]; rejected: Rejected[] } {
  const document = readJson(bytes)
  const rows = rowsOf(document)
  if (rows === undefined) throw unexpected(document, 'tickers')
  const { records, rejected } = readRows(rows, toTicker)
  return { tickers: records, rejected }
}

/** Two of the files have rows of cells with the names of the columns, one has objects by number. */
function rowsOf(document: unknown): unknown[] | undefined {
  if (!isFields(document)) return undefined
  const { fields, data } = document
  if (Array.isArray(fields) && Array.isArray(data)) {
    return data.map((cells) => Object.fromEntries(fields.map((name, index) => [name, listField(cells)[index]])))
  }
  const rows = Object.values(document)
  return rows.length > 0 && rows.every((row) => isFields(row) && 'ticker' in row) ? rows : undefined
}

function toTicker(row: unknown): ListedTicker {
  const fields: Fields = isFields(row) ? row : {}
  const cik = fields.cik_str ?? fields.cik
  const ticker = fields.ticker ?? fields.symbol
  return {
    cik: required('cik', toCik(textField(cik) ?? undefined), cik),
    ticker: required('ticker', textField(ticker), ticker).toUpperCase(),
    companyName: textField(fields.title) ?? textField(fields.name),
    exchange: textField(fields.exchange),
    seriesId: textField(fields.seriesId),
    classId: textField(fields.classId),
  }
}
