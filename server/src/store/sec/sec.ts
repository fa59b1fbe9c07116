import { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import { SEC_DATASETS, type SecDataset, type SecRecords } from '../../model/sec/datasets.ts'
import type { AcceptedFiling, NewFiling, SecRecord } from '../../model/sec/record.ts'
import type { ChangeLog } from '../changes/change-log.ts'
import type { Db } from '../db.ts'
import type { UpsertOptions } from '../lists/catalogue-writes.ts'
import type { ListWalk, PageRequest, WalkRequest } from '../lists/feed-pages.ts'
import { UNKNOWN } from '../lists/filters.ts'
import type { AsOf } from '../lists/past-query.ts'
import { Records } from '../lists/records.ts'
import { updateFilingValues } from './filing-values.ts'
import { type Amends, addAmendment, listAmendments } from './sec-amendments.ts'
import { recordAsOf, secHistory } from './sec-history.ts'
import { SEC_TABLES, type SecFilters, type SecTable } from './sec-tables.ts'
import { addFilings, insertFilings, removeSideRows, replaceFilings } from './sec-writes.ts'

export type Sec = ReturnType<typeof secStore>

export function secStore(db: Db, changes: ChangeLog) {
  const records = Object.fromEntries(
    SEC_DATASETS.map((dataset) => [
      dataset,
      new Records<SecRecord>(db, SEC_TABLES[dataset].list, {
        history: secHistory(db, dataset),
        log: { changes, source: dataset },
      }),
    ]),
  ) as Record<SecDataset, Records<SecRecord>>

  return {
    page: <Dataset extends SecDataset>(
      dataset: Dataset,
      request: PageRequest<SecFilters[Dataset] & AsOf>,
    ): Promise<CursorPage<SecRecord>> => records[dataset].page(request),

    walk: <Dataset extends SecDataset>(
      dataset: Dataset,
      request: WalkRequest<SecFilters[Dataset] & AsOf>,
    ): Promise<ListWalk> => records[dataset].walk(request),

    /** Finds a record, as it was at `asOf` if that is given. */
    async find(dataset: SecDataset, id: string, { asOf }: AsOf = {}): Promise<Json<SecRecord> | undefined> {
      if (asOf === undefined) return records[dataset].findAnswer(id.toLowerCase())
      const found = await records[dataset].find('id', id.toLowerCase())
      const doc = found && (await recordAsOf(db, dataset, found.doc, asOf))
      return doc === undefined ? undefined : Json.merge(doc, found?.detail ?? '{}')
    },

    /** Returns the seq of the last record. */
    head: async (dataset: SecDataset): Promise<number> => (await records[dataset].head()).seq,

    /** Lists records in the order of arrival. */
    listAfter: <Dataset extends SecDataset>(dataset: Dataset, range: RecordRange): Promise<PlacedRecord<Dataset>[]> =>
      listRecords(db, dataset, range),

    /** Returns the number of records in an unfiltered list. */
    total: (dataset: SecDataset): Promise<number> => records[dataset].total(),

    /**
     * Adds whole filings in any order, and hides the filings that they supersede. A filing that is given again changes
     * nothing. Returns the number of new records.
     */
    add<Dataset extends SecDataset>(
      dataset: Dataset,
      filings: readonly AcceptedFiling<SecRecords[Dataset]>[],
      now: number,
    ): Promise<number> {
      return records[dataset].write((tx) => addFilings(tx, records[dataset], dataset, filings, now), now)
    },

    addAmendment: (dataset: SecDataset, amendment: Amends): Promise<void> => addAmendment(db, dataset, amendment),

    listAmendments: (dataset: SecDataset, amends: readonly string[]): Promise<Amends[]> =>
      listAmendments(db, dataset, amends),

    /** Adds records; existing ones stay as they are. */
    insert<Dataset extends SecDataset>(
      dataset: Dataset,
      filings: readonly NewFiling<SecRecords[Dataset]>[],
      now: number,
    ): Promise<number> {
      return records[dataset].write((tx) => insertFilings(tx, records[dataset], dataset, filings, now), now)
    },

    /** Adds records and, unless told otherwise, replaces existing ones by id. */
    upsert<Dataset extends SecDataset>(
      dataset: Dataset,
      filings: readonly NewFiling<SecRecords[Dataset]>[],
      now: number,
      { update = true }: UpsertOptions = {},
    ): Promise<{ added: number; changed: number }> {
      return records[dataset].write(async (tx) => {
        const changed = update ? await replaceFilings(tx, records[dataset], dataset, filings, now) : 0
        return { added: await insertFilings(tx, records[dataset], dataset, filings, now), changed }
      }, now)
    },

    /** Removes up to `limit` records whose document contains a text; returns their number. */
    removeContaining<Dataset extends SecDataset>(
      dataset: Dataset,
      text: string,
      limit: number,
      now: number,
    ): Promise<number> {
      const table: SecTable<SecRecords[Dataset]> = SEC_TABLES[dataset]
      return records[dataset].write(async (tx) => {
        const rows = await records[dataset].listContaining(tx, text, limit)
        const found = rows.map(({ seq, doc }) => ({ seq, record: JSON.parse(doc) as SecRecords[Dataset] }))
        await removeSideRows(tx, table, found)
        await records[dataset].removeAll(
          tx,
          rows.map(({ seq }) => seq),
        )
        const accessionNumbers = found.map(({ record }) => record.accessionNumber)
        await updateFilingValues(tx, records[dataset], table, { accessionNumbers })
        return rows.length
      }, now)
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
