import type { Cluster } from '../../model/clusters.ts'
import type { Transaction } from '../db.ts'
import type { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import type { Member } from './cluster-doc.ts'
import { changeMembers, findWords, MIN_ENTRIES, removeCluster } from './cluster-writes.ts'

/** An entry before and after a change. */
interface Revision {
  before: Member
  after: Member
}

/** Updates the clusters of entries that have changed. */
export async function refreshClusters(
  tx: Transaction,
  records: Records<Cluster>,
  revisions: readonly Revision[],
  now: number,
): Promise<void> {
  await records.lock(tx)
  for (const [seq, changed] of await byCluster(tx, revisions, ({ after }) => after.seq)) {
    const lost = changed.map(({ before }) => before)
    const told = await retold(tx, await records.docOf(tx, seq), lost)
    await changeMembers(tx, records, seq, { lost, gained: changed.map(({ after }) => after), told }, now)
  }
}

/** A cluster that lost entries. */
export interface ShrunkCluster {
  /** Its id, and the ids of the clusters merged into it. */
  ids: ReadonlySet<string>
  /** Its title and those of the entries it lost. */
  oldTitles: readonly string[]
  /** Undefined if the cluster is gone. */
  title: string | undefined
  /** The entries that are left. */
  entryIds: readonly string[]
}

/** Takes removed entries out of their clusters, and removes clusters with fewer than two entries left. */
export async function dropFromClusters(
  tx: Transaction,
  records: Records<Cluster>,
  removed: readonly Member[],
  now: number,
): Promise<ShrunkCluster[]> {
  await records.lock(tx)
  const shrunk: ShrunkCluster[] = []
  for (const [seq, lost] of await byCluster(tx, removed, (member) => member.seq)) {
    const before = await records.docOf(tx, seq)
    const ids = new Set([before.id, ...(await mergedIdsOf(tx, seq))])
    const isGone = before.entryCount - lost.length < MIN_ENTRIES
    const cluster = isGone
      ? undefined
      : await changeMembers(tx, records, seq, { lost, told: await retold(tx, before, lost) }, now)
    const oldTitles = [before.title, ...lost.map(({ entry }) => entry.title)]
    shrunk.push({ ids, oldTitles, title: cluster?.title, entryIds: await entryIdsOf(tx, seq) })
    if (cluster === undefined) await removeCluster(tx, records, seq)
  }
  return shrunk
}

/** Groups items by the cluster of their entry, and leaves out those in none. */
async function byCluster<Item>(
  tx: Transaction,
  items: readonly Item[],
  seqOf: (item: Item) => number,
): Promise<Map<number, Item[]>> {
  const clusterSeqs = new Map<number, number>()
  await forEachChunk(items.map(seqOf), async (params, list) => {
    const rows = await tx.query<{ seq: number; clusterSeq: number }>(
      `select entry_seq as seq, cluster_seq as "clusterSeq" from cluster_entries where entry_seq in (${list})`,
      params.values,
    )
    for (const { seq, clusterSeq } of rows) clusterSeqs.set(seq, clusterSeq)
  })
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const clusterSeq = clusterSeqs.get(seqOf(item))
    if (clusterSeq === undefined) continue
    const group = groups.get(clusterSeq)
    if (group === undefined) groups.set(clusterSeq, [item])
    else group.push(item)
  }
  return groups
}

async function entryIdsOf(tx: Transaction, seq: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select e.id from cluster_entries c join entries e on e.seq = c.entry_seq
     where c.cluster_seq = $1 order by c.published_at, c.entry_seq`,
    [seq],
  )
  return rows.map(({ id }) => id)
}

async function mergedIdsOf(tx: Transaction, seq: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>('select id from merged_clusters where cluster_seq = $1 order by id', [
    seq,
  ])
  return rows.map(({ id }) => id)
}

/** Replaces a title and a summary that repeat one of these entries by those of the representative entry. */
async function retold(tx: Transaction, cluster: Cluster, entries: readonly Member[]): Promise<Cluster> {
  const isTitle = entries.some(({ entry }) => entry.title === cluster.title)
  const isSummary = entries.some(({ entry }) => entry.excerpt === cluster.summary)
  const words = isTitle || isSummary ? await findWords(tx, cluster) : undefined
  if (words === undefined) return cluster
  return {
    ...cluster,
    title: isTitle ? words.title : cluster.title,
    summary: isSummary ? words.summary : cluster.summary,
  }
}
