import { SEC_DATASETS, type SecDataset } from '../../../model/sec/datasets.ts'
import type { NewRecord, SecRecord } from '../../../model/sec/record.ts'
import { DAY, isoDay, isoTime } from '../../../model/time.ts'
import { createSeriesId, type Random } from '../random.ts'
import type { Issuer, SecContext } from './context.ts'
import { edgarTime, startOfDay } from './edgar.ts'

/** One filing with the rows that it adds to a dataset. */
export interface Filing<Row> {
  formType: string
  filedAt: number
  periodOfReport: string | null
  /** Of all rows, or of each. */
  issuer: Issuer | ((row: Row) => Issuer)
  /** Where it is not the issuer who files. */
  filerCik?: string
  rows: readonly Row[]
  /** For an amendment: the rows that its rows take the place of, in the same order. */
  amends?: readonly Row[]
}

/** The fields of a dataset that not every record has. */
export type RowOf<R extends SecRecord> = Omit<R, keyof SecRecord>

const SPAN = 365 * DAY

/** Only what was filed in the year before `now`. */
export function ofTheYear<Row>(context: SecContext, filings: readonly Filing<Row>[]): Filing<Row>[] {
  return filings.filter(({ filedAt }) => filedAt > context.now - SPAN && filedAt <= context.now)
}

/** Later corrections of a share of the filings. */
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

/** The records of all filings in the order of filing. Accession numbers count the filings of a year. */
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

/** Where the documents of a filing would be. */
export function filingFolder(cik: string, accessionNumber: string): string {
  return `https://sec.sample.example/Archives/edgar/data/${Number(cik)}/${accessionNumber.replaceAll('-', '')}`
}

/** An invented filing agent for each dataset, so that no two filings share a number. */
function agentOf(dataset: SecDataset): string {
  return `000${9_999_991 + SEC_DATASETS.indexOf(dataset)}`
}
