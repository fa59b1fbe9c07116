import { ParseError } from '../answer.ts'
import { decodeText } from '../feed/decode.ts'
import { acceptanceTime } from './eastern-time.ts'
import { filingUrl } from './filing.ts'
import { toAccession, toCik, toDay, toText } from './values.ts'
import { findXml, type XmlElement } from './xml.ts'

/** A filing in the feed of the latest filings. */
export interface LatestFiling {
  accessionNumber: string
  formType: string | null
  isAmendment: boolean
  filedAt: string | null
  filingDate: string | null
  filingUrl: string | null
  /** Codes of the items of an 8-K. */
  items: string[]
  parties: { name: string | null; cik: string | null; role: string | null }[]
}

/** Parses a page of the Atom feed of the latest filings, which has an entry for each party of a filing. */
export function parseLatestFilings(bytes: Uint8Array): LatestFiling[] {
  const text = decodeText(bytes)
  if (text.trim() === '') throw new ParseError('is empty')
  const feed = findXml(text, 'feed')
  if (feed === undefined) throw new ParseError('is no Atom feed; past its end EDGAR answers with a web page')
  const filings = new Map<string, LatestFiling>()
  for (const entry of feed.list('entry')) {
    const filing = toFiling(entry)
    if (filing === null) continue
    const known = filings.get(filing.accessionNumber)
    if (known === undefined) filings.set(filing.accessionNumber, filing)
    else known.parties.push(...filing.parties)
  }
  return [...filings.values()]
}

const TITLE = /^(.+?) - (.*?)(?: \((\d{1,10})\))?(?: \(([^()]+)\))?$/

function toFiling(entry: XmlElement): LatestFiling | null {
  const url = entry.find('link')?.attributes.href ?? ''
  const summary = entry.find('summary')?.text ?? entry.find('content')?.text ?? ''
  const [given] = /\d{10}-\d\d-\d{6}/.exec(`${entry.find('id')?.text} ${url} ${summary}`) ?? []
  const accessionNumber = toAccession(given)
  if (accessionNumber === null) return null
  const [, titleForm, name, cik, role] = TITLE.exec(toText(entry.find('title')?.text) ?? '') ?? []
  const formType = toText(entry.find('category')?.attributes.term) ?? toText(titleForm)
  const party = { name: toText(name), cik: toCik(cik), role: toText(role) }
  return {
    accessionNumber,
    formType,
    isAmendment: /\/A$/.test(formType ?? ''),
    filedAt: acceptanceTime(entry.find('updated')?.text),
    filingDate: toDay(/Filed:\s*(?:<\/b>)?\s*(\d{4}-\d\d-\d\d)/i.exec(summary)?.[1]),
    filingUrl: party.cik === null ? null : filingUrl(party.cik, accessionNumber),
    items: [...summary.matchAll(/\bItem (\d\.\d\d)/g)].map(([, code = '']) => code),
    parties: [party],
  }
}
