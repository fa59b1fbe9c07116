import { type Rejected, readJson, readRows, unexpected } from '../answer.ts'
import { type Fields, isFields, listField, required, textField } from '../fields.ts'
import { acceptanceTimes } from './eastern-time.ts'
import { filingFolder, filingUrl } from './filing.ts'
import { toAccession, toCik, toDay, toText } from './values.ts'

export interface FormerName {
  name: string
  from: string | null
  to: string | null
}

/** A company as its submissions describe it. */
export interface Company {
  cik: string
  name: string
  tickers: string[]
  /** In the order of the tickers. */
  exchanges: (string | null)[]
  formerNames: FormerName[]
  sicDescription: string | null
  countryCode: string | null
  websiteUrl: string | null
  lei: string | null
}

/** A filing in a list of EDGAR. The pages of older filings do not say whose they are. */
export interface ListedFiling {
  accessionNumber: string
  formType: string
  isAmendment: boolean
  filedAt: string | null
  filingDate: string | null
  periodOfReport: string | null
  cik: string | null
  companyName: string | null
  ticker: string | null
  /** Codes of the items of an 8-K. */
  items: string[]
  isXbrl: boolean
  size: number | null
  primaryDocument: string | null
  primaryDocumentUrl: string | null
  filingUrl: string | null
}

export interface Submissions {
  /** Null on the pages of older filings. */
  company: Company | null
  filings: ListedFiling[]
  /** Names of the pages of older filings, with the days of their first and last filing. */
  pages: { name: string; from: string | null; to: string | null }[]
  rejected: Rejected[]
}

/** Parses the submissions of a company, or a page of its older filings. The filings are columns of equal length. */
export function parseSubmissions(bytes: Uint8Array): Submissions {
  const document = readJson(bytes)
  const answer = isFields(document) ? document : {}
  const filings = isFields(answer.filings) ? answer.filings : {}
  const columns = isFields(filings.recent) ? filings.recent : answer
  if (!Array.isArray(columns.accessionNumber)) throw unexpected(document, 'filings')
  const company = isFields(answer.filings) ? readCompany(answer) : null
  const times = acceptanceTimes(
    columns.accessionNumber.map((_, row) => ({
      text: textAt(columns, 'acceptanceDateTime', row) ?? '',
      filingDate: dayAt(columns, 'filingDate', row),
      formType: textAt(columns, 'form', row),
    })),
  )
  const { records, rejected } = readRows(columns.accessionNumber.keys(), (row) =>
    toFiling(columns, row, times[row] ?? null, company),
  )
  return { company, filings: records, pages: listField(filings.files).filter(isFields).flatMap(toPage), rejected }
}

const textAt = (columns: Fields, name: string, row: number) => textField(listField(columns[name])[row])
const dayAt = (columns: Fields, name: string, row: number) => toDay(textAt(columns, name, row) ?? undefined)

function toFiling(columns: Fields, row: number, filedAt: string | null, company: Company | null): ListedFiling {
  const text = (name: string) => textAt(columns, name, row)
  const given = text('accessionNumber')
  const accessionNumber = required('accessionNumber', toAccession(given ?? undefined), given)
  const formType = required('form', text('form'), text('form'))
  const cik = company?.cik ?? null
  const primaryDocument = text('primaryDocument')
  return {
    accessionNumber,
    formType,
    isAmendment: /\/A$/.test(formType),
    filedAt,
    filingDate: dayAt(columns, 'filingDate', row),
    periodOfReport: dayAt(columns, 'reportDate', row),
    cik,
    companyName: company?.name ?? null,
    ticker: company?.tickers[0] ?? null,
    items:
      text('items')
        ?.split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '') ?? [],
    isXbrl: text('isXBRL') === '1',
    size: Number(text('size') ?? Number.NaN) || null,
    primaryDocument,
    primaryDocumentUrl:
      cik === null || primaryDocument === null ? null : `${filingFolder(cik, accessionNumber)}/${primaryDocument}`,
    filingUrl: cik === null ? null : filingUrl(cik, accessionNumber),
  }
}

function readCompany(answer: Fields): Company {
  const tickers = listField(answer.tickers).flatMap((ticker) => textField(ticker)?.toUpperCase() ?? [])
  const business = isFields(answer.addresses) && isFields(answer.addresses.business) ? answer.addresses.business : {}
  const cik = toCik(textField(answer.cik) ?? undefined)
  const name = textField(answer.name)
  if (cik === null || name === null) throw unexpected(answer, 'cik and name')
  return {
    cik,
    name,
    tickers,
    exchanges: tickers.map((_, index) => textField(listField(answer.exchanges)[index])),
    formerNames: listField(answer.formerNames).filter(isFields).flatMap(toFormerName),
    sicDescription: textField(answer.sicDescription),
    countryCode: countryOf(business),
    websiteUrl: textField(answer.website),
    lei: textField(answer.lei),
  }
}

/** Codes of the SEC for states of the US have two letters, those of countries a letter and a digit. */
function countryOf({ stateOrCountry, countryCode, isForeignLocation }: Fields): string | null {
  const country = textField(countryCode)
  if (country !== null && /^[A-Z]{2}$/.test(country)) return country
  const state = textField(stateOrCountry) ?? ''
  return isForeignLocation !== 1 && /^[A-Z]{2}$/.test(state) ? 'US' : null
}

function toFormerName({ name, from, to }: Fields): FormerName[] {
  const text = toText(textField(name) ?? undefined)
  const day = (value: unknown) => toDay(textField(value) ?? undefined)
  return text === null ? [] : [{ name: text, from: day(from), to: day(to) }]
}

function toPage({ name, filingFrom, filingTo }: Fields): Submissions['pages'] {
  const text = textField(name)
  // The name becomes a part of an address.
  if (text === null || !/^[\w.-]+\.json$/.test(text)) return []
  return [{ name: text, from: toDay(textField(filingFrom) ?? undefined), to: toDay(textField(filingTo) ?? undefined) }]
}
