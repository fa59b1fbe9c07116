import { isDeepStrictEqual } from 'node:util'
import type { TObject } from 'typebox'
import { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import { SEC_DATASETS, SEC_RECORDS, type SecDataset, type SecRecords } from '../../model/sec/datasets.ts'
import type { NewFiling, NewRecord, SecRecord } from '../../model/sec/record.ts'
import { isoTime } from '../../model/time.ts'
import type { Db, Transaction, Value } from '../db.ts'
import type { UpsertOptions } from '../lists/catalogue-writes.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import type { PageRequest } from '../lists/feed-pages.ts'
import { timeOf, UNKNOWN } from '../lists/filters.ts'
import { type NewRow, Records } from '../lists/records.ts'
import { forEachChunk, refsBy } from '../lists/refs.ts'
import { insertSideRows } from '../lists/side-rows.ts'
import { SEC_TABLES, type SecFilters, type SecTable } from './sec-tables.ts'

export type Sec = ReturnType<typeof secStore>

export function secStore(db: Db) {
  const records = Object.fromEntries(
    SEC_DATASETS.map((dataset) => [dataset, new Records<SecRecord>(db, SEC_TABLES[dataset].list)]),
  ) as Record<SecDataset, Records<SecRecord>>

  return {
    page: <Dataset extends SecDataset>(
      dataset: Dataset,
      request: PageRequest<SecFilters[Dataset]>,
    ): Promise<CursorPage<SecRecord>> => records[dataset].page(request),

    async find(dataset: SecDataset, id: string): Promise<Json<SecRecord> | undefined> {
      const found = await records[dataset].find('id', id.toLowerCase())
      if (found === undefined) return undefined
      return found.detail === null ? Json.text(found.doc) : Json.merge(found.doc, found.detail)
    },

    /** Returns the seq of the last record. */
    head: async (dataset: SecDataset): Promise<number> => (await records[dataset].head()).seq,

    /** Lists records in the order of arrival. */
    listAfter: <Dataset extends SecDataset>(dataset: Dataset, range: RecordRange): Promise<PlacedRecord<Dataset>[]> =>
      listRecords(db, dataset, range),

    /** Returns the number of records in an unfiltered list. */
    total: (dataset: SecDataset): Promise<number> => records[dataset].total(),

    /** Adds filings; existing records stay as they are. */
    insert<Dataset extends SecDataset>(
      dataset: Dataset,
      filings: readonly NewFiling<SecRecords[Dataset]>[],
      now: number,
    ): Promise<number> {
      return records[dataset].write((tx) => insertFilings(tx, records[dataset], dataset, filings, now))
    },

    /** Adds filings and, unless told otherwise, replaces existing records by id. */
    upsert<Dataset extends SecDataset>(
      dataset: Dataset,
      filings: readonly NewFiling<SecRecords[Dataset]>[],
      now: number,
      { update = true }: UpsertOptions = {},
    ): Promise<{ added: number; changed: number }> {
      return records[dataset].write(async (tx) => {
        const changed = update ? await replaceFilings(tx, records[dataset], dataset, filings, now) : 0
        return { added: await insertFilings(tx, records[dataset], dataset, filings, now), changed }
      })
    },

    /** Removes up to `limit` records whose document contains a text; returns their number. */
    removeContaining<Dataset extends SecDataset>(dataset: Dataset, text: string, limit: number): Promise<number> {
      const table: SecTable<SecRecords[Dataset]> = SEC_TABLES[dataset]
      return records[dataset].write(async (tx) => {
        const rows = await records[dataset].listContaining(tx, text, limit)
        const found = rows.map(({ seq, doc }) => ({ seq, record: JSON.parse(doc) as SecRecords[Dataset] }))
        await removeSideRows(tx, table, found)
        await records[dataset].removeAll(
          tx,
          rows.map(({ seq }) => seq),
        )
        return rows.length
      })
    },
  }
}

/** Records with from < seq <= to, optionally filed after a time. */
interface RecordRange {
  from: number
  to: number
  limit: number
  filedAfter?: number
}

interface PlacedRecord<Dataset extends SecDataset> {
  seq: number
  record: SecRecords[Dataset]
}

async function listRecords<Dataset extends SecDataset>(
  db: Db,
  dataset: Dataset,
  { from, to, limit, filedAfter }: RecordRange,
): Promise<PlacedRecord<Dataset>[]> {
  const { table } = SEC_TABLES[dataset].list
  // In an archive few records may be recent, so the scan may be long.
  const rows = await (filedAfter === undefined ? db : db.heavy).query<{ seq: number; doc: string }>(
    `select t.seq, r.doc from ${table} t join ${table}_docs r on r.seq = t.seq
     where t.seq > $1 and t.seq <= $2 and t.filed_at > $3 order by t.seq limit ${Math.trunc(limit)}`,
    [from, to, filedAfter ?? UNKNOWN - 1],
  )
  return rows.map(({ seq, doc }) => ({ seq, record: JSON.parse(doc) }))
}

async function insertFilings<Dataset extends SecDataset>(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: Dataset,
  given: readonly NewFiling<SecRecords[Dataset]>[],
  now: number,
): Promise<number> {
  const table: SecTable<SecRecords[Dataset]> = SEC_TABLES[dataset]
  const isNew = new Set(
    await records.onlyNew(
      tx,
      given.map(({ record }) => record),
    ),
  )
  const fresh = given.filter(({ record }) => isNew.has(record))
  if (fresh.length === 0) return 0
  const firstSeq = await records.append(tx, await rowsOf(tx, dataset, fresh, now), now)
  await insertSides(
    tx,
    table,
    fresh.map(({ record }, index) => ({ seq: firstSeq + index, record })),
  )
  await supersede(tx, records, table.list.table, fresh)
  return fresh.length
}

async function rowsOf<Dataset extends SecDataset>(
  tx: Transaction,
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
  return filings.map(({ record, detail }) => {
    const asset = record.assetKey === null ? undefined : assets.get(record.assetKey)
    return {
      columns: columnsOf(table, record, asset?.ref ?? null),
      doc: docOf(dataset, record, asset?.id ?? null, now),
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

async function removeSideRows<R extends SecRecord>(
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

/** Replaces the records that exist and differ; returns their number. The last of several with the same id wins. */
async function replaceFilings<Dataset extends SecDataset>(
  tx: Transaction,
  records: Records<SecRecord>,
  dataset: Dataset,
  given: readonly NewFiling<SecRecords[Dataset]>[],
  now: number,
): Promise<number> {
  const table: SecTable<SecRecords[Dataset]> = SEC_TABLES[dataset]
  const byId = new Map(given.map((filing) => [filing.record.id, filing]))
  const filings = [...byId.values()]
  const rows = await rowsOf(tx, dataset, filings, now)
  const seqs = await records.seqsOf(tx, [...byId.keys()])
  let changed = 0
  for (const [index, { record, detail }] of filings.entries()) {
    const seq = seqs.get(record.id)
    const row = rows[index]
    if (seq === undefined || row === undefined) continue
    const before = await records.docOf(tx, seq)
    const { supersededById, createdAt } = before
    const doc = { ...row.doc, supersededById, createdAt }
    const known = detail && (await records.find('id', record.id))?.detail
    if (isDeepStrictEqual(doc, before) && (detail === undefined || known === JSON.stringify(detail))) continue
    await removeSideRows(tx, table, [{ seq, record: before as SecRecords[Dataset] }])
    await records.replace(tx, seq, {
      ...row,
      doc,
      columns: { ...row.columns, superseded: Number(supersededById !== null) },
    })
    await insertSides(tx, table, [{ seq, record }])
    await supersede(tx, records, table.list.table, [{ record }])
    changed += 1
  }
  return changed
}

function columnsOf<R extends SecRecord>(
  table: SecTable<R>,
  record: NewRecord<R>,
  assetRef: number | null,
): Record<string, Value> {
  return {
    id: record.id,
    superseded: 0,
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

/** Marks records that the new ones replace, and new ones that earlier arrivals replace. */
async function supersede(
  tx: Transaction,
  records: Records<SecRecord>,
  table: string,
  fresh: readonly NewFiling<SecRecord>[],
): Promise<void> {
  const replacedBy = new Map<string, string>()
  for (const { record } of fresh) if (record.supersedesId !== null) replacedBy.set(record.supersedesId, record.id)
  const ids = fresh.map(({ record }) => record.id)
  await forEachChunk(ids, async (params, list) => {
    const rows = await tx.query<{ id: string; supersedes_id: string }>(
      `select id, supersedes_id from ${table} where supersedes_id in (${list}) order by filed_at, seq`,
      params.values,
    )
    for (const row of rows) replacedBy.set(row.supersedes_id, row.id)
  })
  const seqs = await records.seqsOf(tx, [...replacedBy.keys()])
  for (const [id, seq] of seqs) {
    const doc = await records.docOf(tx, seq)
    await records.edit(tx, seq, { superseded: 1 }, { ...doc, supersededById: replacedBy.get(id) ?? null })
  }
}
