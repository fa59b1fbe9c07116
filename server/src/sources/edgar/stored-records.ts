import type { Position } from '../../model/paging.ts'
import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
import type { Sec } from '../../store/sec/sec.ts'

/** A record of any dataset. */
export type StoredRecord = SecRecord & { [field: string]: unknown }

const PAGE = 500

/** Lists records in the order of acceptance, those of a filing in the order of its lines; also superseded ones by default. */
export async function listStored(sec: Sec, dataset: SecDataset, filters: object): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  let from: Position | undefined
  for (;;) {
    const request = { filters: { includeSuperseded: true, ...filters }, sort: 'filedAt:asc', limit: PAGE, from }
    // The filters are those of any dataset.
    const { data, hasMore, last } = await sec.page(dataset, request as never)
    records.push(...(data.parse() as StoredRecord[]))
    if (!hasMore || last === null) return records
    from = { direction: 'after', key: last, inclusive: false }
  }
}

/** Replaces stored records, a few in a transaction, so that other writers need not wait long. Returns the number of changed ones. */
export async function replaceStored(
  sec: Sec,
  dataset: SecDataset,
  records: readonly object[],
  now: number,
): Promise<number> {
  let changed = 0
  for (let start = 0; start < records.length; start += PAGE) {
    const filings = records.slice(start, start + PAGE).map((record) => ({ record }))
    // The records are of the dataset.
    changed += (await sec.upsert(dataset, filings as never, now)).changed
  }
  return changed
}
