import type { Cluster } from '../../model/clusters.ts'
import type { Db } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'

/** Of a story that has more, the newest tell how it goes on. */
const MAX_MEMBERS = 500

/** A story as it was known when one of its entries came. */
export interface ClusterAtEntry {
  id: string
  title: string
  assetKeys: readonly string[]
  /** In the order in which they came; the last is the entry itself. */
  members: readonly ClusterMember[]
}

export interface ClusterMember {
  seq: number
  id: string
  publisherId: string
  publishedAt: number
  sentimentScore: number | null
}

/** The stories of entries, by the entry, each with the entries that had come by then. */
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
  /** Those of the given entries that are in it. */
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

/** The last `limit` that came up to the entry `upTo`, in the order in which they came. */
async function listMembers(db: Db, clusterSeq: number, upTo: number, limit: number): Promise<ClusterMember[]> {
  const rows = await db.query<ClusterMember>(
    `select e.seq, e.id, p.id as "publisherId", e.published_at as "publishedAt", e.sentiment_score as "sentimentScore"
     from cluster_entries m join entries e on e.seq = m.entry_seq join publishers p on p.ref = e.publisher_ref
     where m.cluster_seq = $1 and m.entry_seq <= $2 order by m.entry_seq desc limit ${Math.trunc(limit)}`,
    [clusterSeq, upTo],
  )
  return rows.reverse()
}
