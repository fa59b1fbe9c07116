import type { Cluster } from '../../model/clusters.ts'
import type { Db } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'

/** Maximum number of members to return; larger clusters keep their newest. */
const MAX_MEMBERS = 500

/** A cluster at the time one of its entries arrived. */
export interface ClusterAtEntry {
  id: string
  title: string
  assetKeys: readonly string[]
  /** In the order of the feed; the last one is the entry itself. */
  members: readonly ClusterMember[]
}

interface ClusterMember {
  seq: number
  id: string
  publisherId: string
  publishedAt: number
  sentimentScore: number | null
}

/** Returns the clusters of entries by entry seq, each with its members up to that entry. */
export async function listClustersAtEntries(
  db: Db,
  entrySeqs: readonly number[],
): Promise<Map<number, ClusterAtEntry>> {
  const found = new Map<number, ClusterAtEntry>()
  for (const { clusterSeq, doc, seqs } of await listClusters(db, entrySeqs)) {
    const { id, title, assetKeys }: Cluster = JSON.parse(doc)
    const members = await listMembers(db, clusterSeq, Math.max(...seqs), MAX_MEMBERS + seqs.length)
    for (const seq of seqs) {
      const end = members.findIndex((member) => member.seq === seq) + 1
      found.set(seq, { id, title, assetKeys, members: members.slice(Math.max(0, end - MAX_MEMBERS), end) })
    }
  }
  return found
}

interface ClusterOfEntries {
  clusterSeq: number
  doc: string
  /** The given entries that belong to the cluster. */
  seqs: number[]
}

async function listClusters(db: Db, entrySeqs: readonly number[]): Promise<ClusterOfEntries[]> {
  const clusters = new Map<number, ClusterOfEntries>()
  await forEachChunk(entrySeqs, async (params, list) => {
    const rows = await db.query<{ seq: number; clusterSeq: number; doc: string }>(
      `select m.entry_seq as seq, m.cluster_seq as "clusterSeq", r.doc
       from cluster_entries m join clusters_docs r on r.seq = m.cluster_seq where m.entry_seq in (${list})`,
      params.values,
    )
    for (const { seq, clusterSeq, doc } of rows) {
      const known = clusters.get(clusterSeq)
      if (known === undefined) clusters.set(clusterSeq, { clusterSeq, doc, seqs: [seq] })
      else known.seqs.push(seq)
    }
  })
  return [...clusters.values()]
}

/** Lists the last `limit` members up to the entry `upTo`, in the order of the feed. */
async function listMembers(db: Db, clusterSeq: number, upTo: number, limit: number): Promise<ClusterMember[]> {
  const rows = await db.query<ClusterMember>(
    `select e.seq, e.id, p.id as "publisherId", e.published_at as "publishedAt", e.sentiment_score as "sentimentScore"
     from cluster_entries m join entries e on e.seq = m.entry_seq join publishers p on p.ref = e.publisher_ref
     where m.cluster_seq = $1 and m.entry_seq <= $2 order by m.entry_seq desc limit ${Math.trunc(limit)}`,
    [clusterSeq, upTo],
  )
  return rows.reverse()
}
