import { isDeepStrictEqual } from 'node:util'
import type { TObject } from 'typebox'
import { SEC_RECORDS, type SecDataset, type SecRecords } from '../../model/sec/datasets.ts'
import type { AcceptedFiling, NewFiling, NewRecord, SecRecord } from '../../model/sec/record.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction, Value } from '../db.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import { timeOf, UNKNOWN } from '../lists/filters.ts'
import type { NewRow, Records } from '../lists/records.ts'
import { forEachChunk, refsBy } from '../lists/refs.ts'
import { insertSideRows } from '../lists/side-rows.ts'
import { updateFilingValues } from './filing-values.ts'
import { insertSupersessions, markSuperseded } from './sec-supersession.ts'
import { SEC_TABLES, type SecTable } from './sec-tables.ts'

/** Adds whole filings; those that the store has records of stay as they are. Returns the number of new records. */
export async function addFilings<Dataset extends SecDataset>(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: Dataset,
  filings: readonly AcceptedFiling<SecRecords[Dataset]>[],
  now: number,
): Promise<number> {
  const known = await listAccessionNumbers(tx, dataset, filings)
  const fresh = filings.filter(({ accessionNumber }) => !known.has(accessionNumber) && known.add(accessionNumber))
  await insertSupersessions(tx, dataset, filings)
  const added = await insertFilings(
    tx,
    records,
    dataset,
    fresh.flatMap((filing) => filing.records),
    now,
  )
  const accessionNumbers = filings.flatMap(({ supersedes }) => supersedes)
  await markSuperseded(tx, records, dataset, [], { ids: [], accessionNumbers })
  return added
}

async function listAccessionNumbers(
  tx: Transaction,
  dataset: SecDataset,
  filings: readonly { accessionNumber: string }[],
): Promise<Set<string>> {
  const known = new Set<string>()
  const given = filings.map(({ accessionNumber }) => accessionNumber)
  await forEachChunk(given, async (params, list) => {
    const rows = await tx.query<{ known: string }>(
      `select distinct accession_number as known from ${SEC_TABLES[dataset].list.table}
       where superseded in (0, 1) and accession_number in (${list})`,
      params.values,
    )
    for (const row of rows) known.add(row.known)
  })
  return known
}

/** Adds records; existing ones stay as they are. Returns the number of new ones. */
export async function insertFilings<Dataset extends SecDataset>(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: Dataset,
  given: readonly NewFiling<SecRecords[Dataset]>[],
  now: number,
): Promise<number> {
  const isNew = new Set(
    await records.onlyNew(
      tx,
      given.map(({ record }) => record),
    ),
  )
  const fresh = given.filter(({ record }) => isNew.has(record))
  if (fresh.length === 0) return 0
  const firstSeq = await records.append(tx, await rowsOf(tx, records, dataset, fresh, now), now)
  const placed = fresh.map(({ record }, index) => ({ seq: firstSeq + index, record }))
  await insertSides(tx, SEC_TABLES[dataset], placed)
  await markSuperseded(
    tx,
    records,
    dataset,
    fresh.map(({ record }) => record),
    supersededBy(fresh.map(({ record }) => record)),
  )
  return fresh.length
}

const supersededBy = (records: readonly Pick<SecRecord, 'supersedesId'>[]) => ({
  ids: records.flatMap(({ supersedesId }) => supersedesId ?? []),
  accessionNumbers: [],
})

/** Replaces the records that exist and differ; returns their number. The last of several with the same id wins. */
export async function replaceFilings<Dataset extends SecDataset>(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: Dataset,
  given: readonly NewFiling<SecRecords[Dataset]>[],
  now: number,
): Promise<number> {
  const byId = new Map(given.map((filing) => [filing.record.id, filing]))
  const seqs = await records.seqsOf(tx, [...byId.keys()])
  const filings = [...byId.values()].filter(({ record }) => seqs.has(record.id))
  const rows = await rowsOf(tx, records, dataset, filings, now)
  let changed = 0
  for (const [index, { record, detail }] of filings.entries()) {
    const seq = seqs.get(record.id)
    const row = rows[index]
    if (seq === undefined || row === undefined) continue
    const before = await records.docOf(tx, seq)
    const { supersededById, createdAt } = before
    const doc = { ...row.doc, createdAt }
    const known = detail && (await records.find('id', record.id))?.detail
    const isSame = isDeepStrictEqual({ ...doc, supersededById }, before)
    if (isSame && (detail === undefined || known === JSON.stringify(detail))) continue
    await removeSideRows(tx, SEC_TABLES[dataset], [{ seq, record: before as SecRecords[Dataset] }])
    await records.replace(tx, seq, { ...row, doc })
    await insertSides(tx, SEC_TABLES[dataset], [{ seq, record }])
    await markSuperseded(tx, records, dataset, [record], supersededBy([record, before]))
    changed += 1
  }
  return changed
}

async function rowsOf<Dataset extends SecDataset>(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: Dataset,
  filings: readonly NewFiling<SecRecords[Dataset]>[],
  now: number,
): Promise<NewRow[]> {
  const table: SecTable<SecRecords[Dataset]> = SEC_TABLES[dataset]
  const assets = await refsBy<{ ref: number; id: string }>(
    tx,
    'assets',
    'key',
    filings.flatMap(({ record }) => record.assetKey ?? []),
    ['id'],
  )
  const written = filings.map(({ record }) => record)
  const filingValues = await updateFilingValues(tx, records, table, { written })
  return filings.map(({ record, detail }) => {
    const asset = record.assetKey === null ? undefined : assets.get(record.assetKey)
    const filingValue = filingValues.get(record.id) ?? null
    return {
      columns: {
        ...columnsOf(table, record, asset?.ref ?? null),
        ...(table.line && { filing_value: filingValue ?? UNKNOWN }),
      },
      doc: docOf(dataset, { ...record, ...table.derived?.(record), filingValue }, asset?.id ?? null, now),
      ...(detail && { detail }),
      text: `${record.companyName} ${record.ticker ?? ''} ${table.searchText(record)}`,
    }
  })
}

interface PlacedFiling<R extends SecRecord> {
  seq: number
  record: NewRecord<R>
}

async function insertSides<R extends SecRecord>(
  tx: Transaction,
  { side }: SecTable<R>,
  filings: readonly PlacedFiling<R>[],
): Promise<void> {
  if (side === undefined) return
  await insertSideRows(
    tx,
    { table: side.table, column: side.column, sort: 'filed_at' },
    filings.map(({ seq, record }) => ({ seq, sort: timeOf(record.filedAt), values: side.values(record) })),
  )
}

export async function removeSideRows<R extends SecRecord>(
  tx: Transaction,
  { side }: SecTable<R>,
  filings: readonly PlacedFiling<R>[],
): Promise<void> {
  if (side === undefined) return
  for (const { seq, record } of filings) {
    for (const value of new Set(side.values(record))) {
      await tx.query(`delete from ${side.table} where ${side.column} = $1 and filed_at = $2 and seq = $3`, [
        value,
        timeOf(record.filedAt),
        seq,
      ])
    }
  }
}

function columnsOf<R extends SecRecord>(
  table: SecTable<R>,
  record: NewRecord<R>,
  assetRef: number | null,
): Record<string, Value> {
  return {
    id: record.id,
    superseded: 0,
    known_to: null,
    supersedes_id: record.supersedesId,
    filed_at: timeOf(record.filedAt),
    cik: record.cik,
    ticker: record.ticker,
    asset_ref: assetRef,
    form_type: record.formType,
    accession_number: record.accessionNumber,
    is_amendment: Number(record.isAmendment),
    ...table.columns(record),
  }
}

/** Returns the document with its fields in schema order. An asset that the store does not have becomes null. */
function docOf(dataset: SecDataset, record: NewRecord<SecRecord>, assetId: string | null, now: number): object {
  return inSchemaOrder<TObject>(SEC_RECORDS[dataset], {
    ...record,
    assetId,
    assetKey: assetId === null ? null : record.assetKey,
    supersededById: null,
    createdAt: isoTime(now),
  })
}
