import type { SecDataset } from '../../model/sec/datasets.ts'
import type { SecRecord } from '../../model/sec/record.ts'
import type { Db } from '../db.ts'
import type { History } from '../lists/past-query.ts'
import { listSuperseders } from './sec-supersession.ts'

const FROM = 'filed_at'
const TO = 'known_to'
/** Part of the document of a superseded record. */
const SUPERSEDED = '"supersededById":"'

/** A record is known from its acceptance to the acceptance of the first filing that supersedes it. */
export function secHistory(db: Db, dataset: SecDataset): History {
  return {
    from: FROM,
    past: (filters, asOf) => ({
      ...filters,
      ...(filters.filedBefore === undefined
        ? { acceptedBy: asOf }
        : { filedBefore: Math.min(asOf, Number(filters.filedBefore)) }),
      includeSuperseded: true,
      knownAt: filters.includeSuperseded ? undefined : asOf,
    }),
    ever: (filters) => [
      {
        filters: { ...filters, includeSuperseded: true },
        from: FROM,
        ...(!filters.includeSuperseded && { to: TO }),
      },
    ],
    restate: (rows, asOf, { includeSuperseded }) =>
      rows.restated(SUPERSEDED, (docs) => recordsAsOf(db, dataset, docs, includeSuperseded ? asOf : undefined)),
  }
}

/** Returns the document of a record as it was at a time; undefined before its acceptance. */
export async function recordAsOf(db: Db, dataset: SecDataset, doc: string, asOf: number): Promise<string | undefined> {
  const { filedAt } = JSON.parse(doc) as SecRecord
  if (Date.parse(filedAt) > asOf) return undefined
  return doc.includes(SUPERSEDED) ? (await recordsAsOf(db, dataset, [doc], asOf))[0] : doc
}

/**
 * Returns documents of superseded records that name what superseded them up to a time. Without a time nothing has: only a
 * list with superseded records needs to look it up.
 */
async function recordsAsOf(
  db: Db,
  dataset: SecDataset,
  docs: readonly string[],
  asOf: number | undefined,
): Promise<string[]> {
  const records = docs.map((doc): SecRecord => JSON.parse(doc))
  const superseders = asOf === undefined ? undefined : await listSuperseders(db, dataset, records)
  return records.map((record) => {
    const last = superseders?.get(record.id)?.findLast(({ at }) => at <= Number(asOf))
    return JSON.stringify({ ...record, supersededById: last?.id ?? null })
  })
}
