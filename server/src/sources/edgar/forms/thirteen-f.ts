import { Refused } from '../../../model/refused.ts'
import type { InstitutionalHolding } from '../../../model/sec/institutional-holdings.ts'
import { type Rejected, readRows } from '../../answer.ts'
import { required } from '../../fields.ts'
import { type Amendment, type FilingFields, filingFields } from '../filing.ts'
import { notThe, readSubmission } from '../submission.ts'
import { cikAt, dayAt, numberAt, textAt, toNumber, toText } from '../values.ts'
import { findXml, listXml, type XmlElement } from '../xml.ts'

/** The cover page of a 13F with its totals. */
export interface ThirteenFCover extends FilingFields {
  managerCik: string | null
  managerName: string | null
  reportType: string | null
  tableEntryTotal: number | null
  /** As filed, in the unit of the form. */
  tableValueTotal: number | null
  valueUnit: ValueUnit
  tableValueTotalUsd: number | null
}

type ValueUnit = 'dollars' | 'thousands'

/** `position-changes.ts` adds the comparison with the quarter before. */
type Position = Omit<InstitutionalHolding, keyof FilingFields | 'managerCik' | 'managerName'>

export type ThirteenFHolding = FilingFields &
  Position & { managerCik: string | null; managerName: string | null; valueUnit: ValueUnit }

export interface ThirteenF {
  /** Null if the file has only the table. */
  cover: ThirteenFCover | null
  holdings: ThirteenFHolding[]
  rejected: Rejected[]
}

/** Parses a 13F: the cover, the table in XML or as the page that EDGAR renders, or the submission with both. */
export function parseThirteenF(bytes: Uint8Array): ThirteenF {
  const submission = readSubmission(bytes)
  const { text, header } = submission
  const root = findXml(text, 'edgarSubmission')
  const hasTable = /<(?:[\w.-]+:)?informationTable[\s>]/i.test(text)
  const isCover = root?.find('formdata', 'coverpage', 'reportcalendarorquarter') !== undefined
  if (!isCover && !hasTable && !RENDERED.test(text)) throw notThe('13F', submission)
  const rows = readRows(hasTable ? xmlRows(text) : renderedRows(text), toPosition)
  const form = isCover ? root : undefined
  const signedAt = form && dayAt(form, 'formdata', 'signatureblock', 'signaturedate')
  const valueUnit = unitOf(rows.records, {
    filedOn: header.filingDate ?? signedAt ?? null,
    isRounded: ROUNDED.test(text),
  })
  const factor = valueUnit === 'thousands' ? 1_000 : 1
  const managerCik =
    (form && cikAt(form, 'headerdata', 'filerinfo', 'filer', 'credentials', 'cik')) ?? header.parties[0]?.cik ?? null
  const managerName =
    (form && textAt(form, 'formdata', 'coverpage', 'filingmanager', 'name')) ?? header.parties[0]?.name ?? null
  const filing = filingFields(header, {
    formType: form ? textAt(form, 'headerdata', 'submissiontype') : null,
    periodOfReport: form ? periodOf(form) : null,
    cik: managerCik,
    companyName: managerName,
    ticker: null,
    amendment: form && amendmentOf(form),
  })
  const shared = { ...filing, managerCik, managerName, valueUnit }
  const total = form ? numberAt(form, 'formdata', 'summarypage', 'tablevaluetotal') : null
  return {
    cover: form
      ? {
          ...shared,
          reportType: textAt(form, 'formdata', 'coverpage', 'reporttype'),
          tableEntryTotal: numberAt(form, 'formdata', 'summarypage', 'tableentrytotal'),
          tableValueTotal: total,
          tableValueTotalUsd: total === null ? null : total * factor,
        }
      : null,
    // The companies held are known by CUSIP and name only.
    holdings: rows.records.map((position) => ({
      ...shared,
      ...position,
      cik: null,
      companyName: position.issuerName,
      valueUsd: position.valueUsd * factor,
    })),
    rejected: rows.rejected,
  }
}

const RENDERED = /<title>\s*SEC FORM 13-F Information Table/i
const ROUNDED = /\(x ?\$ ?1,?000\)/i

const periodOf = (form: XmlElement) =>
  dayAt(form, 'headerdata', 'filerinfo', 'periodofreport') ??
  dayAt(form, 'formdata', 'coverpage', 'reportcalendarorquarter')

/** A restatement replaces the earlier table; new holdings, often confidential at first, add to it. */
function amendmentOf(root: XmlElement): Partial<Amendment> {
  const cover = root.find('formdata', 'coverpage')
  const type = cover === undefined ? null : textAt(cover, 'amendmentinfo', 'amendmenttype')
  return {
    number: cover === undefined ? null : numberAt(cover, 'amendmentno'),
    effect: /new/i.test(type ?? '') ? 'adds' : 'replaces',
  }
}

/** Values of a row as filed. */
type Cells = Record<keyof typeof PATHS, string | undefined>

const PATHS = {
  issuerName: ['nameofissuer'],
  titleOfClass: ['titleofclass'],
  cusip: ['cusip'],
  value: ['value'],
  shares: ['shrsorprnamt', 'sshprnamt'],
  shareType: ['shrsorprnamt', 'sshprnamttype'],
  putCall: ['putcall'],
  investmentDiscretion: ['investmentdiscretion'],
  votingSole: ['votingauthority', 'sole'],
  votingShared: ['votingauthority', 'shared'],
  votingNone: ['votingauthority', 'none'],
}

function* xmlRows(text: string): Generator<Cells> {
  for (const row of listXml(text, 'infoTable')) {
    yield Object.fromEntries(Object.entries(PATHS).map(([name, path]) => [name, row.find(...path)?.text])) as Cells
  }
}

/** The columns of the rendered page, with and without FIGI. */
const COLUMNS: readonly (keyof Cells | null)[] = [
  ...(['issuerName', 'titleOfClass', 'cusip', null, 'value', 'shares', 'shareType', 'putCall'] as const),
  ...(['investmentDiscretion', null, 'votingSole', 'votingShared', 'votingNone'] as const),
]

function* renderedRows(text: string): Generator<Cells> {
  if (!RENDERED.test(text)) return
  for (const row of listXml(text, 'tr')) {
    const cells = row.list('td').map((cell) => cell.text)
    if (!row.list('td').some(({ attributes }) => attributes.class?.startsWith('FormData'))) continue
    const columns = cells.length === COLUMNS.length ? COLUMNS : COLUMNS.toSpliced(3, 1)
    const named = columns.flatMap((name, index) => (name === null ? [] : [[name, cells[index]]]))
    yield Object.fromEntries(named) as Cells
  }
}

function toPosition(cells: Cells): Position {
  const number = (name: keyof Cells) => required(name, toNumber(cells[name]), cells[name])
  const cusip = toText(cells.cusip)?.toUpperCase() ?? null
  const discretion = toText(cells.investmentDiscretion)?.toUpperCase() ?? ''
  const shareType = toText(cells.shareType)?.toUpperCase() ?? ''
  return {
    issuerName: required('nameOfIssuer', toText(cells.issuerName), cells.issuerName),
    titleOfClass: toText(cells.titleOfClass) ?? '',
    // Leading zeros are sometimes lost.
    cusip: required('cusip', cusip, cells.cusip).padStart(9, '0'),
    shares: number('shares'),
    shareType: shareType === 'PRN' ? 'PRN' : 'SH',
    putCall: putCallOf(cells.putCall),
    valueUsd: number('value'),
    investmentDiscretion: DISCRETIONS.find((known) => discretion.startsWith(known)) ?? 'OTR',
    votingSole: toNumber(cells.votingSole) ?? 0,
    votingShared: toNumber(cells.votingShared) ?? 0,
    votingNone: toNumber(cells.votingNone) ?? 0,
    priorShares: null,
    sharesChange: null,
    positionStatus: null,
  }
}

const DISCRETIONS = ['SOLE', 'DFND', 'OTR'] as const

function putCallOf(given: string | undefined): 'put' | 'call' | null {
  const text = toText(given)?.toLowerCase()
  if (text === undefined) return null
  if (text !== 'put' && text !== 'call')
    throw new Refused(`putCall is not readable: ${JSON.stringify(text.slice(0, 40))}`)
  return text
}

/** Filings from this day on have values in dollars, earlier ones in thousands. */
const DOLLARS_SINCE = '2023-01-03'
/** Half of the prices are above this, or the values are not in thousands of dollars. */
const HIGHEST_MEDIAN = 5
/** Half of the prices are below this, or the values are in dollars. */
const LOWEST_MEDIAN = 0.5

/** Tells the unit of the values: filers mistake it, so prices that make no sense outweigh the date. */
function unitOf(
  positions: readonly Position[],
  { filedOn, isRounded }: { filedOn: string | null; isRounded: boolean },
): ValueUnit {
  const price = medianPrice(positions)
  if (isRounded) return 'thousands'
  if (filedOn === null) return price !== null && price < 1 ? 'thousands' : 'dollars'
  const usual = filedOn < DOLLARS_SINCE ? 'thousands' : 'dollars'
  if (price === null) return usual
  if (usual === 'thousands') return price > HIGHEST_MEDIAN ? 'dollars' : usual
  return price < LOWEST_MEDIAN ? 'thousands' : usual
}

function medianPrice(positions: readonly Position[]): number | null {
  const prices = positions
    .filter(
      ({ shares, valueUsd, shareType, putCall }) =>
        shares > 0 && valueUsd > 0 && shareType === 'SH' && putCall === null,
    )
    .map(({ shares, valueUsd }) => valueUsd / shares)
    .sort((a, b) => a - b)
  return prices[Math.floor(prices.length / 2)] ?? null
}
