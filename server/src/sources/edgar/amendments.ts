import type { SecDataset } from '../../model/sec/datasets.ts'
import type { Sec } from '../../store/sec/sec.ts'
import type { FilingFields } from './filing.ts'
import { baseForm } from './filing-forms.ts'
import { listStored, replaceStored, type StoredRecord } from './stored-records.ts'

/** A line of a filing, read or stored. */
type Line = Omit<FilingFields, 'amendment'> & { [field: string]: unknown }
export type FilingRow = FilingFields & { [field: string]: unknown }

/** Finds the records that amendments replace, whichever arrives first. */
export class Amendments {
  readonly #sec: Sec

  constructor(sec: Sec) {
    this.#sec = sec
  }

  /** Returns the rows of a filing, linked to the stored records that they replace. Remembers what an amendment replaces. */
  async link<Row extends FilingRow>(dataset: SecDataset, rows: readonly Row[]): Promise<Row[]> {
    const [row] = rows
    const amends = row && amendedBy(dataset, row)
    if (row?.accessionNumber == null || amends === undefined) return [...rows]
    await this.#sec.addAmendment(dataset, { accessionNumber: row.accessionNumber, amends })
    return linked(rows, await this.#listAmended(dataset, row, amends))
  }

  /**
   * Links the stored amendments that a stored filing has a part in: itself, and those that arrived before it. Returns the
   * number of changed records.
   */
  async relink(dataset: SecDataset, row: FilingRow, now: number): Promise<number> {
    const { accessionNumber } = row
    if (accessionNumber === null) return 0
    const series = seriesOf(dataset, row)
    let changed = 0
    for (const amendment of await this.#sec.listAmendments(dataset, [
      accessionNumber,
      series,
      amendedBy(dataset, row) ?? series,
    ])) {
      changed += await this.#relinkOne(dataset, amendment, now)
    }
    return changed
  }

  async #relinkOne(
    dataset: SecDataset,
    { accessionNumber, amends }: { accessionNumber: string; amends: string },
    now: number,
  ): Promise<number> {
    const records = await listStored(this.#sec, dataset, { accessionNumber: [accessionNumber] })
    const [first] = records
    if (first === undefined) return 0
    const amended = await this.#listAmended(dataset, first, amends)
    const different = linked(records, amended).filter(
      ({ supersedesId }, index) => supersedesId !== records[index]?.supersedesId,
    )
    const changed = await replaceStored(this.#sec, dataset, different, now)
    if (dataset === 'institutional-holdings') {
      const supersedes = [...new Set(amended.map((record) => record.accessionNumber))]
      const acceptedAt = Date.parse(first.filedAt)
      await this.#sec.add(dataset, [{ accessionNumber, acceptedAt, supersedes, records: [] }], now)
    }
    return changed
  }

  /** Lists the records of the filings that an amendment replaces. */
  async #listAmended(dataset: SecDataset, row: Line, amends: string): Promise<StoredRecord[]> {
    if (amends !== seriesOf(dataset, row)) return listStored(this.#sec, dataset, { accessionNumber: [amends] })
    const { periodOfReport, filedAt } = row
    const filer =
      dataset === 'institutional-holdings'
        ? { managerCik: [row.managerCik], ...(periodOfReport !== null && { filedAfter: Date.parse(periodOfReport) }) }
        : { cik: [row.cik] }
    const owner = dataset === 'insider-trades' ? { ownerCik: [row.ownerCik] } : {}
    const filters = { ...filer, ...owner, filedBefore: Date.parse(filedAt ?? '') }
    const earlier = (await listStored(this.#sec, dataset, filters))
      .filter((record) => seriesOf(dataset, record) === amends && compareFilings(record, row) < 0)
      .sort(compareFilings)
    // A 13F restates its whole quarter; another amendment corrects the filing before it.
    if (dataset === 'institutional-holdings') return earlier
    const last = earlier.at(-1)?.accessionNumber
    return earlier.filter(({ accessionNumber }) => accessionNumber === last)
  }
}

/** Returns the accession number or the series that an amendment replaces; undefined if it replaces nothing. */
function amendedBy(dataset: SecDataset, row: FilingRow): string | undefined {
  if (row.amendment?.effect !== 'replaces' || row.filedAt === null || filerOf(dataset, row) == null) return undefined
  return row.amendment.accessionNumber ?? seriesOf(dataset, row)
}

const filerOf = (dataset: SecDataset, row: Line) => (dataset === 'institutional-holdings' ? row.managerCik : row.cik)

/** Returns the name of the filings of the same form, company, owner and period. */
function seriesOf(dataset: SecDataset, row: Line): string {
  const owner = dataset === 'insider-trades' ? row.ownerCik : null
  return JSON.stringify([baseForm(row.formType ?? ''), filerOf(dataset, row), owner, row.periodOfReport])
}

/** Compares the acceptance of filings. Of those accepted at the same time, the amendments are later. */
function compareFilings(one: Line, other: Line): number {
  return (
    Date.parse(one.filedAt ?? '') - Date.parse(other.filedAt ?? '') ||
    Number(one.isAmendment) - Number(other.isAmendment) ||
    compareTexts(one.accessionNumber ?? '', other.accessionNumber ?? '')
  )
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

/** Fields that tell the lines of a filing apart. A dataset with one record per filing has none of them. */
const LINE = ['lineNumber', 'cusip', 'putCall', 'shareType', 'investmentDiscretion', 'securityTitle'] as const

const lineOf = (row: Line) => JSON.stringify(LINE.map((field) => row[field]))

/** Returns rows that name the amended records with the same line, those of the last filing first. */
function linked<Row extends Line>(rows: readonly Row[], amended: readonly StoredRecord[]): Row[] {
  const replaced = Map.groupBy(amended, lineOf)
  return rows.map((row) => ({ ...row, supersedesId: replaced.get(lineOf(row))?.pop()?.id ?? null }))
}
