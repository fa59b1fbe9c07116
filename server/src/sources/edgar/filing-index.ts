import { Refused } from '../../model/refused.ts'
import { ParseError, type Rejected, readRows, readText } from '../answer.ts'
import { required } from '../fields.ts'
import { filingUrl } from './filing.ts'
import { datasetOfForm } from './filing-forms.ts'
import { toAccession, toCik, toDay, toText } from './values.ts'

/** A filing in a daily or quarterly index. A filing of several parties has a row for each. */
export interface IndexedFiling {
  accessionNumber: string
  formType: string
  isAmendment: boolean
  filingDate: string
  cik: string
  companyName: string
  filingUrl: string
}

/** Limits of the filings to keep: forms, first and last day. */
interface WantedFilings {
  forms?: readonly string[]
  from?: string
  to?: string
}

/** Parses form.idx, company.idx, master.idx and crawler.idx, daily and quarterly. A day without filings has no rows. */
export function parseFilingIndex(
  bytes: Uint8Array,
  { forms, from = '', to = '9999-99-99' }: WantedFilings = {},
): { filings: IndexedFiling[]; rejected: Rejected[] } {
  const lines = readText(bytes).split(/\r?\n/)
  const start = lines.findIndex((line) => /^-{20,}\s*$/.test(line))
  const titles = lines.slice(0, Math.max(start, 0)).join('\n')
  const isFormFirst = titles.search(/Form Type/) < titles.search(/Company Name/)
  if (start < 0 || !/Form Type/.test(titles)) throw new ParseError('is no index of filings')
  const rows = lines.slice(start + 1).filter((line) => line.trim() !== '')
  const column = columnOf(titles, isFormFirst ? 'Company Name' : 'Form Type')
  const { records, rejected } = readRows(rows, (line) =>
    line.includes('|') ? fromPipes(line) : fromColumns(line, isFormFirst, column),
  )
  const filings = records.filter(
    ({ formType, filingDate }) =>
      filingDate >= from && filingDate <= to && (forms === undefined || datasetOfForm(formType, forms) !== undefined),
  )
  return { filings, rejected }
}

/** Returns the column at which a title starts. */
function columnOf(titles: string, name: string): number {
  const line = titles.split('\n').find((title) => title.includes(name)) ?? ''
  return line.indexOf(name)
}

/** master.idx: CIK|Company Name|Form Type|Date Filed|File Name. */
function fromPipes(line: string): IndexedFiling {
  const [cik, name, form, date, ...path] = line.split('|')
  return toFiling({ cik, name, form, date, path: path.join('|') })
}

const ROW = /^(?<first>.*?\S)\s+(?<cik>\d{1,10})\s+(?<date>\d{4}-?\d\d-?\d\d)\s+(?<path>\S+)\s*$/

/** Columns have a fixed width, but a long name moves those after it, and a long form runs into the name. */
function fromColumns(line: string, isFormFirst: boolean, column: number): IndexedFiling {
  const { first = '', cik, date, path } = ROW.exec(line)?.groups ?? {}
  const isAligned = column > 0 && /\s/.test(first.charAt(column - 1)) && /\S/.test(first.charAt(column))
  const gap = isFormFirst ? /^(.+?)\s{2,}(.+)$/.exec(first) : /^(.+)\s{2,}(.+?)$/.exec(first)
  const [left = '', right = ''] = isAligned ? [first.slice(0, column), first.slice(column)] : (gap?.slice(1) ?? [])
  const [form, name] = isFormFirst ? [left, right] : [right, left]
  return toFiling({ cik, name, form, date, path })
}

function toFiling(row: Record<'cik' | 'name' | 'form' | 'date' | 'path', string | undefined>): IndexedFiling {
  const cik = required('cik', toCik(row.cik), row.cik)
  const formType = required('form type', toText(row.form), row.form)
  const [given] = /\d{10}-\d\d-\d{6}/.exec(row.path ?? '') ?? []
  const accessionNumber = toAccession(given)
  if (accessionNumber === null) throw new Refused('file name has no accession number')
  return {
    accessionNumber,
    formType,
    isAmendment: /\/A$/.test(formType),
    filingDate: required('date filed', toDay(row.date), row.date),
    cik,
    companyName: required('company name', toText(row.name), row.name),
    filingUrl: filingUrl(cik, accessionNumber),
  }
}
