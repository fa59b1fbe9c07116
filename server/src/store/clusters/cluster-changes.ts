import type { Cluster, NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import type { Transaction } from '../db.ts'
import type { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import {
  entryIdsOf,
  inWordsOfRepresentative,
  MIN_ENTRIES,
  removeCluster,
  represented,
  upsertClusters,
} from './cluster-writes.ts'

/** Rebuilds the clusters of entries that have changed. `before` has their old documents. */
export async function refreshClusters(
  tx: Transaction,
  records: Records<Cluster>,
  before: readonly EntryText[],
  now: number,
): Promise<void> {
  await records.lock(tx)
  const clusters: NewCluster[] = []
  for (const seq of await seqsOfEntries(tx, before)) {
    const cluster = await records.docOf(tx, seq)
    clusters.push(await retold(tx, { ...cluster, entryIds: await entryIdsOf(tx, seq) }, before))
  }
  if (clusters.length > 0) await upsertClusters(tx, records, clusters, now)
}

/** A cluster that lost entries. */
export interface ShrunkCluster {
  before: Cluster
  /** Undefined if the cluster is gone. */
  title: string | undefined
  /** The entries that are left. */
  entryIds: readonly string[]
}

/** Takes removed entries out of their clusters, and removes clusters with fewer than two entries left. */
export async function dropFromClusters(
  tx: Transaction,
  records: Records<Cluster>,
  removed: readonly EntryText[],
  now: number,
): Promise<ShrunkCluster[]> {
  await records.lock(tx)
  const shrunk: ShrunkCluster[] = []
  const left: NewCluster[] = []
  for (const seq of await seqsOfEntries(tx, removed)) {
    const before = await records.docOf(tx, seq)
    const entryIds = await entryIdsOf(tx, seq)
    if (entryIds.length < MIN_ENTRIES) {
      await removeCluster(tx, records, seq)
      shrunk.push({ before, title: undefined, entryIds })
    } else {
      const cluster = await retold(tx, represented(before, entryIds), removed)
      left.push(cluster)
      shrunk.push({ before, title: cluster.title, entryIds })
    }
  }
  if (left.length > 0) await upsertClusters(tx, records, left, now)
  return shrunk
}

/** An entry whose text a cluster may repeat. */
interface EntryText {
  seq: number
  entry: Entry
}

async function seqsOfEntries(tx: Transaction, entries: readonly EntryText[]): Promise<Set<number>> {
  const seqs = new Set<number>()
  const entrySeqs = entries.map(({ seq }) => seq)
  await forEachChunk(entrySeqs, async (params, list) => {
    const rows = await tx.query<{ seq: number }>(
      `select distinct cluster_seq as seq from cluster_entries where entry_seq in (${list})`,
      params.values,
    )
    for (const { seq } of rows) seqs.add(seq)
  })
  return seqs
}

/** Replaces a title and a summary that repeat one of these entries by those of the representative entry. */
async function retold(tx: Transaction, cluster: NewCluster, entries: readonly EntryText[]): Promise<NewCluster> {
  const isTitle = entries.some(({ entry }) => entry.title === cluster.title)
  const isSummary = entries.some(({ entry }) => entry.excerpt === cluster.summary)
  if (!isTitle && !isSummary) return cluster
  const { title, summary } = await inWordsOfRepresentative(tx, cluster)
  return { ...cluster, title: isTitle ? title : cluster.title, summary: isSummary ? summary : cluster.summary }
}
