import type { Entry } from '../../model/entries.ts'
import { addCounts } from '../clusters/cluster-counts.ts'
import type { Transaction } from '../db.ts'

const ENTRIES_AT_ONCE = 1000

/** Counts the entries of all clusters. */
export async function migrate(tx: Transaction): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await tx.query<{ clusterSeq: number; seq: number; publisherRef: number; doc: string }>(
      `select m.cluster_seq as "clusterSeq", e.seq, e.publisher_ref as "publisherRef", e.doc
       from cluster_entries m join entries e on e.seq = m.entry_seq
       where m.entry_seq > $1 order by m.entry_seq limit ${ENTRIES_AT_ONCE}`,
      [last],
    )
    if (rows.length === 0) return
    last = rows.at(-1)?.seq ?? last
    for (const [clusterSeq, members] of Map.groupBy(rows, (row) => row.clusterSeq)) {
      const gained = members.map(({ seq, publisherRef, doc }) => ({
        seq,
        publisherRef,
        entry: JSON.parse(doc) as Entry,
      }))
      await addCounts(tx, clusterSeq, gained, [])
    }
  }
}
