import type { InsiderTrade, TRANSACTION_TYPES } from '../../../model/sec/insider-trades.ts'
import type { NewRecord } from '../../../model/sec/record.ts'
import { ParseError } from '../../answer.ts'
import { type FilingFields, filingFields } from '../filing.ts'
import { notThe, readSubmission } from '../submission.ts'
import { cikAt, dayAt, flagAt, numberAt, textAt, toText, toTicker } from '../values.ts'
import { findXml, type XmlElement } from '../xml.ts'

export interface Owner {
  cik: string | null
  name: string | null
  isDirector: boolean
  isOfficer: boolean
  isTenPercentOwner: boolean
  isOther: boolean
  officerTitle: string | null
}

/** Fields that are null if the file lacks them, although a stored record always has them. */
type Lacking = 'ownerCik' | 'ownerName' | 'securityTitle' | 'ownershipType'
type Line = Omit<NewRecord<InsiderTrade>, keyof FilingFields | Lacking> & {
  [Field in Lacking]: InsiderTrade[Field] | null
}

/** A row of a Form 3, 4 or 5, of the first of its owners. */
export type OwnershipRow = FilingFields & Line & { owners: Owner[] }

/** Parses a Form 3, 4 or 5, alone or within its submission. Rows are in the order of the filing. */
export function parseOwnership(bytes: Uint8Array): OwnershipRow[] {
  const submission = readSubmission(bytes)
  const root = findXml(submission.text, 'ownershipDocument')
  if (root === undefined) throw notThe('Form 3, 4 or 5 in XML', submission)
  const filing = filingFields(submission.header, {
    formType: textAt(root, 'documenttype'),
    periodOfReport: dayAt(root, 'periodofreport'),
    cik: cikAt(root, 'issuer', 'issuercik'),
    companyName: textAt(root, 'issuer', 'issuername'),
    ticker: toTicker(root.find('issuer', 'issuertradingsymbol')?.text),
    amendment: { filingDate: dayAt(root, 'dateoforiginalsubmission') },
  })
  if (filing.cik === null && filing.companyName === null) throw new ParseError('has no issuer')
  const owners = root.list('reportingowner').map(toOwner)
  const notes = new Map(root.find('footnotes')?.list('footnote').map(toFootnote))
  const is10b5One = flagAt(root, 'aff10b5one')
  const rows = root.elements.filter(({ name }) => TABLE.test(name)).flatMap((table) => table.elements)
  return rows
    .filter(({ name }) => ROW.test(name))
    .map((row, index) => ({ ...filing, ...toLine(row, owners[0], notes), is10b5One, lineNumber: index + 1, owners }))
}

const TABLE = /^(?:non)?derivativetable$/
const ROW = /^(?:non)?derivative(?:transaction|holding)$/

function toOwner(owner: XmlElement): Owner {
  const relation = (name: string) => flagAt(owner, 'reportingownerrelationship', name) ?? false
  return {
    cik: cikAt(owner, 'reportingownerid', 'rptownercik'),
    name: textAt(owner, 'reportingownerid', 'rptownername'),
    isDirector: relation('isdirector'),
    isOfficer: relation('isofficer'),
    isTenPercentOwner: relation('istenpercentowner'),
    isOther: relation('isother'),
    officerTitle: textAt(owner, 'reportingownerrelationship', 'officertitle'),
  }
}

const toFootnote = ({ attributes, text }: XmlElement): [string, string] => [attributes.id ?? '', toText(text) ?? '']

function toLine(
  row: XmlElement,
  owner: Owner | undefined,
  notes: ReadonlyMap<string, string>,
): Omit<Line, 'is10b5One' | 'lineNumber'> {
  const isHolding = row.name.endsWith('holding')
  const transactionCode = textAt(row, 'transactioncoding', 'transactioncode')?.toUpperCase() ?? null
  const shares = numberAt(row, 'transactionamounts', 'transactionshares')
  const pricePerShare = numberAt(row, 'transactionamounts', 'transactionpricepershare')
  const total = numberAt(row, 'transactionamounts', 'transactiontotalvalue')
  const after = 'posttransactionamounts'
  return {
    ownerCik: owner?.cik ?? null,
    ownerName: owner?.name ?? null,
    isDirector: owner?.isDirector ?? false,
    isOfficer: owner?.isOfficer ?? false,
    isTenPercentOwner: owner?.isTenPercentOwner ?? false,
    officerTitle: owner?.officerTitle ?? null,
    transactionDate: dayAt(row, 'transactiondate'),
    transactionCode,
    transactionType: TYPES[transactionCode ?? ''] ?? 'other',
    isOpenMarket: transactionCode === 'P' || transactionCode === 'S',
    acquiredDisposed: letterOf(textAt(row, 'transactionamounts', 'transactionacquireddisposedcode'), LETTERS),
    securityTitle: textAt(row, 'securitytitle'),
    isDerivative: row.name.startsWith('derivative'),
    isHolding,
    shares,
    pricePerShare,
    value: shares === null || pricePerShare === null ? total : roundCents(shares * pricePerShare),
    sharesOwnedAfter: numberAt(row, after, 'sharesownedfollowingtransaction'),
    ownershipType: letterOf(textAt(row, 'ownershipnature', 'directorindirectownership'), OWNERSHIP),
    ownershipNature: textAt(row, 'ownershipnature', 'natureofownership'),
    exercisePrice: numberAt(row, 'conversionorexerciseprice'),
    exerciseDate: dayAt(row, 'exercisedate'),
    expirationDate: dayAt(row, 'expirationdate'),
    underlyingSecurityTitle: textAt(row, 'underlyingsecurity', 'underlyingsecuritytitle'),
    underlyingShares: numberAt(row, 'underlyingsecurity', 'underlyingsecurityshares'),
    footnotes: footnotesOf(row, notes),
  }
}

/** Codes of the SEC; all others are other. */
const TYPES: Readonly<Record<string, (typeof TRANSACTION_TYPES)[number]>> = {
  P: 'purchase',
  S: 'sale',
  A: 'grant',
  M: 'exercise',
  O: 'exercise',
  X: 'exercise',
  F: 'tax_withholding',
  G: 'gift',
  C: 'conversion',
}

const LETTERS = { A: 'A', D: 'D' } as const
const OWNERSHIP = { D: 'direct', I: 'indirect' } as const

function letterOf<Meaning>(text: string | null, meanings: Readonly<Record<string, Meaning>>): Meaning | null {
  return meanings[text?.charAt(0).toUpperCase() ?? ''] ?? null
}

/** Returns the notes that any field of the row refers to, sorted by id. */
function footnotesOf(row: XmlElement, notes: ReadonlyMap<string, string>): InsiderTrade['footnotes'] {
  const ids = new Set([...row.descendants('footnoteid')].flatMap(({ attributes }) => attributes.id ?? []))
  return [...ids].sort().map((id) => ({ id, text: notes.get(id) ?? '' }))
}

const roundCents = (value: number) => Math.round(value * 100) / 100
