import { changeOfPosition, type InstitutionalHolding } from '../../model/sec/institutional-holdings.ts'
import { isoDay } from '../../model/time.ts'
import type { Sec } from '../../store/sec/sec.ts'
import type { FilingRow } from './amendments.ts'
import { listStored, replaceStored } from './stored-records.ts'

type Holding = Pick<InstitutionalHolding, 'accessionNumber' | 'cusip' | 'putCall' | 'shareType' | 'shares'>
type Dated = Record<'managerCik' | 'periodOfReport' | 'filedAt', string>

/**
 * Compares positions of a 13F with the quarter before, both as known when the 13F was accepted: later restatements are no part
 * of what a backtest could see. The quarters may arrive in any order.
 */
export class PositionChanges {
  readonly #sec: Sec

  constructor(sec: Sec) {
    this.#sec = sec
  }

  /** Returns the rows of a new 13F with the changes of their positions. */
  async compare(rows: readonly FilingRow[]): Promise<FilingRow[]> {
    const [row] = rows
    if (!isDated(row)) return [...rows]
    const { now, before } = await this.#tablesAt(row)
    const isWhole = row.amendment?.effect === 'replaces'
    const others = now.filter(({ accessionNumber }) => !isWhole && accessionNumber !== row.accessionNumber)
    return compared(rows as (FilingRow & Holding)[], [...others, ...(rows as (FilingRow & Holding)[])], before)
  }

  /** Compares the stored filings on which a stored 13F has a bearing; returns the number of changed records. */
  async compareLater(row: FilingRow, at: number): Promise<number> {
    if (!isDated(row)) return 0
    const quarters: (string | null)[] = [row.periodOfReport, nextQuarterEnd(row.periodOfReport)]
    const later = await this.#list({ managerCik: [row.managerCik], filedAfter: Date.parse(row.filedAt) })
    const affected = later.filter(({ periodOfReport }) => quarters.includes(periodOfReport))
    let changed = 0
    for (const records of Map.groupBy(affected, ({ accessionNumber }) => accessionNumber).values()) {
      const [first] = records
      if (!isDated(first)) continue
      const { now, before } = await this.#tablesAt(first)
      const different = compared(records, now, before).filter((record, index) => {
        const known = records[index]
        return record.priorShares !== known?.priorShares || record.sharesChange !== known.sharesChange
      })
      changed += await replaceStored(this.#sec, 'institutional-holdings', different, at)
    }
    return changed
  }

  /** Returns the tables of a quarter and of the one before, as they were when a filing of the quarter was accepted. */
  async #tablesAt({ managerCik, periodOfReport, filedAt }: Dated): Promise<Record<'now' | 'before', Holding[]>> {
    const previous = previousQuarterEnd(periodOfReport)
    const records = await this.#list({
      managerCik: [managerCik],
      filedAfter: Date.parse(previous),
      asOf: Date.parse(filedAt),
      includeSuperseded: false,
    })
    return {
      now: records.filter((record) => record.periodOfReport === periodOfReport),
      before: records.filter((record) => record.periodOfReport === previous),
    }
  }

  #list(filters: object): Promise<InstitutionalHolding[]> {
    return listStored(this.#sec, 'institutional-holdings', filters) as Promise<unknown[]> as Promise<
      InstitutionalHolding[]
    >
  }
}

function isDated<Row extends { [Field in keyof Dated]?: unknown }>(row: Row | undefined): row is Row & Dated {
  return [row?.managerCik, row?.periodOfReport, row?.filedAt].every((value) => typeof value === 'string')
}

/** Several lines of a table may belong to one position. */
const positionOf = ({ cusip, putCall, shareType }: Holding) => JSON.stringify([cusip, putCall, shareType])

function compared<Row extends Holding>(rows: readonly Row[], now: readonly Holding[], before: readonly Holding[]) {
  const [held, heldBefore] = [sharesOf(now), sharesOf(before)]
  return rows.map((row) => {
    const position = positionOf(row)
    const prior = before.length === 0 ? null : (heldBefore.get(position) ?? 0)
    return { ...row, ...changeOfPosition(held.get(position) ?? row.shares, prior) }
  })
}

function sharesOf(holdings: readonly Holding[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const holding of holdings) {
    const position = positionOf(holding)
    shares.set(position, (shares.get(position) ?? 0) + holding.shares)
  }
  return shares
}

const previousQuarterEnd = (day: string) => monthEnd(day, -3)
const nextQuarterEnd = (day: string) => monthEnd(day, 3)

function monthEnd(day: string, months: number): string {
  return isoDay(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) + months, 0))
}
