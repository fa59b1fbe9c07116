import { exactSum } from '../../model/exact-sum.ts'
import type { InsiderTrade } from '../../model/sec/insider-trades.ts'
import type { NewRecord, SecRecord } from '../../model/sec/record.ts'
import type { Transaction } from '../db.ts'
import { UNKNOWN } from '../lists/filters.ts'
import type { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import type { SecTable } from './sec-tables.ts'

/** The fields of an insider trade that its `filingValue` depends on. */
export type FilingLine = Pick<
  InsiderTrade,
  'id' | 'accessionNumber' | 'ownerCik' | 'transactionType' | 'acquiredDisposed' | 'value'
>

type StoredLine = FilingLine & { seq: number; filingValue: number }

/**
 * Updates the filing values of stored records for records that are about to be written, or for filings that have lost
 * some. Returns the filing values of the former, by id.
 */
export async function updateFilingValues<R extends SecRecord>(
  tx: Transaction,
  records: Records<SecRecord>,
  { list, line }: SecTable<R>,
  { written = [], accessionNumbers = [] }: { written?: readonly NewRecord<R>[]; accessionNumbers?: readonly string[] },
): Promise<Map<string, number | null>> {
  if (line === undefined) return new Map()
  const given = new Map(written.map((record) => [record.id, line(record)]))
  const stored = await listLines(tx, list.table, [...given.values()], accessionNumbers)
  const lines = [...stored.filter(({ id }) => !given.has(id)), ...given.values()]
  const values = new Map(
    [...Map.groupBy(lines, tradeOf)].map(([trade, own]) => {
      const known = own.flatMap(({ value }) => value ?? [])
      return [trade, known.length === 0 ? null : exactSum(known)]
    }),
  )
  const sumOf = (one: FilingLine) => values.get(tradeOf(one)) ?? null
  for (const one of stored) {
    const filingValue = sumOf(given.get(one.id) ?? one)
    if ((filingValue ?? UNKNOWN) === one.filingValue) continue
    const doc = { ...(await records.docOf(tx, one.seq)), filingValue }
    await records.edit(tx, one.seq, { filing_value: filingValue ?? UNKNOWN }, doc)
  }
  return new Map([...given].map(([id, one]) => [id, sumOf(one)]))
}

/** Returns the key of the lines that are summed up. */
const tradeOf = (line: FilingLine) =>
  JSON.stringify([line.accessionNumber, line.ownerCik, line.transactionType, line.acquiredDisposed])

/** Lists the stored lines of filings, and of those that the given lines belonged to so far. */
async function listLines(
  tx: Transaction,
  table: string,
  given: readonly FilingLine[],
  accessionNumbers: readonly string[],
): Promise<StoredLine[]> {
  const filings = new Set([...accessionNumbers, ...given.map((line) => line.accessionNumber)])
  const ids = given.map(({ id }) => id)
  await forEachChunk(ids, async (params, list) => {
    const rows = await tx.query<{ filing: string }>(
      `select accession_number as filing from ${table} where id in (${list})`,
      params.values,
    )
    for (const { filing } of rows) filings.add(filing)
  })
  const found: StoredLine[] = []
  await forEachChunk([...filings], async (params, list) => {
    const rows = await tx.query<StoredLine>(
      `select seq, id, accession_number as "accessionNumber", owner_cik as "ownerCik", value,
         transaction_type as "transactionType", acquired_disposed as "acquiredDisposed", filing_value as "filingValue"
       from ${table} where superseded in (0, 1) and accession_number in (${list})`,
      params.values,
    )
    for (const row of rows) found.push({ ...row, value: row.value === UNKNOWN ? null : row.value })
  })
  return found
}
