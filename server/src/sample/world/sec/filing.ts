import { SEC_DATASETS, type SecDataset } from '../../../model/sec/datasets.ts'
import type { NewRecord, SecRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay, isoTime, startOfDay } from '../../../model/time.ts'
import { createSeriesId, type Random } from '../random.ts'
import type { Issuer } from './companies.ts'
import type { SecContext } from './context.ts'
import { edgarTime } from './edgar.ts'

/** A filing with the rows it adds to a dataset. */
export interface Filing<Row> {
  formType: string
  filedAt: number
  periodOfReport: string | null
  /** The issuer of all rows, or a function of the row. */
  issuer: Issuer | ((row: Row) => Issuer)
  /** Set if the filer is not the issuer. */
  filerCik?: string
  rows: readonly Row[]
  /** For an amendment: the rows it replaces, in the same order. */
  amends?: readonly Row[]
}

/** The fields that are specific to a dataset. */
export type RowOf<R extends SecRecord> = Omit<NewRecord<R>, keyof SecRecord>

const SPAN = 365 * DAY

/** Keeps the filings of the year before `now`. */
export function ofTheYear<Row>(context: SecContext, filings: readonly Filing<Row>[]): Filing<Row>[] {
  return filings.filter(({ filedAt }) => filedAt > context.now - SPAN && filedAt <= context.now)
}

/** Creates later amendments of a share of the filings. */
export function amend<Row>(
  random: Random,
  context: SecContext,
  filings: readonly Filing<Row>[],
  share: number,
  correct: (row: Row) => Row,
): Filing<Row>[] {
  return filings
    .filter(() => random.chance(share))
    .map((filing) => ({
      ...filing,
      formType: `${filing.formType}/A`,
      filedAt: edgarTime(random, startOfDay(filing.filedAt) + random.int(2, 24) * DAY),
      rows: filing.rows.map(correct),
      amends: filing.rows,
    }))
    .filter(({ filedAt }) => filedAt <= context.now)
}

/** Returns the records of all filings, ordered by filing time. Accession numbers count the filings of a year. */
export function toRecords<Row extends object>(
  dataset: SecDataset,
  context: SecContext,
  filings: readonly Filing<Row>[],
): (NewRecord<SecRecord> & Row)[] {
  const agent = agentOf(dataset)
  const idOf = createSeriesId(`${dataset}:${context.seed}`)
  const ids = new Map<Row, string>()
  const counts = new Map<string, number>()
  const records: (NewRecord<SecRecord> & Row)[] = []
  for (const filing of [...filings].sort((a, b) => a.filedAt - b.filedAt)) {
    const filingDate = isoDay(filing.filedAt)
    const year = filingDate.slice(2, 4)
    const count = (counts.get(year) ?? 0) + 1
    counts.set(year, count)
    const accessionNumber = `${agent}-${year}-${String(count).padStart(6, '0')}`
    filing.rows.forEach((row, index) => {
      const id = idOf(records.length)
      ids.set(row, id)
      const amended = filing.amends?.[index]
      const issuer = typeof filing.issuer === 'function' ? filing.issuer(row) : filing.issuer
      const folder = filingFolder(filing.filerCik ?? issuer.cik, accessionNumber)
      records.push({
        id,
        accessionNumber,
        formType: filing.formType,
        isAmendment: filing.amends !== undefined,
        supersedesId: amended === undefined ? null : (ids.get(amended) ?? null),
        filedAt: isoTime(filing.filedAt),
        filingDate,
        periodOfReport: filing.periodOfReport,
        cik: issuer.cik,
        companyName: issuer.companyName,
        ticker: issuer.ticker,
        assetKey: issuer.assetKey,
        filingUrl: `${folder}/${accessionNumber}-index.htm`,
        ...row,
      })
    })
  }
  return records
}

/** Returns the base URL of a filing's documents. */
export function filingFolder(cik: string, accessionNumber: string): string {
  return `https://sec.sample.example/Archives/edgar/data/${Number(cik)}/${accessionNumber.replaceAll('-', '')}`
}

/** Returns an invented filing agent per dataset, so that no two filings share an accession number. */
function agentOf(dataset: SecDataset): string {
  return `000${9_999_991 + SEC_DATASETS.indexOf(dataset)}`
}
