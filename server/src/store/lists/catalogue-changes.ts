import type { Queryable, Transaction } from '../db.ts'
import type { CatalogueTable } from './refs.ts'

/** The feed whose epoch is the version of all catalogues, including their counts. */
export const CATALOGUES = 'catalogues'

/**
 * Gives the changed rows of catalogues a new version. Locks out other changes until the transaction ends, so that
 * versions are in the order of commits. Call it last: a lock taken later could deadlock. Afterwards call `changed` of
 * the feed.
 */
export async function markChanged(
  tx: Transaction,
  changed: Partial<Record<CatalogueTable, readonly number[]>>,
): Promise<void> {
  const refs = Object.entries(changed).flatMap(([catalogue, own]) => own.map((ref) => [catalogue, ref] as const))
  if (refs.length === 0) return
  const version = await nextEpoch(tx, CATALOGUES)
  await tx.insert(
    'catalogue_changes',
    ['catalogue', 'ref', 'version'],
    refs.map((ref) => [...ref, version]),
    'on conflict (catalogue, ref) do update set version = excluded.version',
  )
}

export async function nextEpoch(tx: Queryable, feed: string): Promise<number> {
  const [row] = await tx.query<{ epoch: number }>(
    'update feeds set epoch = epoch + 1 where name = $1 returning epoch',
    [feed],
  )
  if (row === undefined) throw new Error(`no feed is called ${feed}`)
  return row.epoch
}
