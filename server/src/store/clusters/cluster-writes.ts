import type { Cluster, ClusterGrowth, NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction } from '../db.ts'
import { listRemoved } from '../entries/entry-changes.ts'
import { UNKNOWN } from '../lists/filters.ts'
import type { NewRow, Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRefRows, insertSideRows } from '../lists/side-rows.ts'
import { insertRecords } from '../sql.ts'
import { addCounts, listCommon, scoreSums } from './cluster-counts.ts'
import { buildCluster, type Member, type Spread } from './cluster-doc.ts'

/** A cluster is a story that several entries tell. */
export const MIN_ENTRIES = 2

/** Writes clusters with all their entries, and the other clusters that lose entries to them. */
export async function upsertClusters(
  tx: Transaction,
  records: Records<Cluster>,
  given: readonly NewCluster[],
  now: number,
): Promise<void> {
  const ids = given.flatMap(({ entryIds }) => [...new Set(entryIds)])
  if (new Set(ids).size < ids.length) throw new Error('an entry can belong to one cluster only')
  const known = await records.seqsOf(
    tx,
    given.map(({ id }) => id),
  )
  // Losses first: an entry that goes from one given cluster to another belongs to the second in the end.
  for (const { id, entryIds } of given) {
    const seq = known.get(id)
    if (seq === undefined) continue
    const kept = new Set(entryIds)
    const lost = (await listMembers(tx, seq)).filter(({ entry }) => !kept.has(entry.id))
    if (lost.length > 0) await changeMembers(tx, records, seq, { lost }, now)
  }
  for (const { entryIds, importanceScore, ...told } of given) {
    await growCluster(tx, records, { ...told, entryIds }, () => importanceScore, now)
  }
}

/** Adds entries to clusters, and takes them out of those they were in. Creates the clusters that are missing. */
export async function growClusters(
  tx: Transaction,
  records: Records<Cluster>,
  given: readonly ClusterGrowth[],
  importanceOf: (spread: Spread) => number,
  now: number,
): Promise<void> {
  for (const growth of given) await growCluster(tx, records, growth, importanceOf, now)
}

async function growCluster(
  tx: Transaction,
  records: Records<Cluster>,
  { id, entryIds, ...told }: ClusterGrowth,
  importanceOf: (spread: Spread) => number,
  now: number,
): Promise<void> {
  const known = (await records.seqsOf(tx, [id])).get(id)
  const { members, isComplete } = await findMembers(tx, entryIds)
  if (known === undefined && !isComplete && members.length < MIN_ENTRIES) return
  const seq = known ?? (await appendEmpty(tx, records, { id, ...told }, now))
  const gained = members.filter(({ clusterSeq }) => clusterSeq !== seq)
  for (const [other, lost] of Map.groupBy(gained, ({ clusterSeq }) => clusterSeq)) {
    if (other === null || (await changeMembers(tx, records, other, { lost }, now))) continue
    await forward(tx, other, seq)
    await removeCluster(tx, records, other)
  }
  await changeMembers(tx, records, seq, { gained, told, importanceOf }, now)
}

interface MemberChange {
  gained?: readonly Member[]
  lost?: readonly Member[]
  /** New words for the cluster. */
  told?: Words
  /** Without it the importance stays. */
  importanceOf?: (spread: Spread) => number
}

type Words = Pick<Cluster, 'title' | 'summary' | 'representativeEntryId'>

/**
 * Changes the entries of a cluster and everything that follows from them, at a cost that does not depend on its size.
 * Returns undefined, and leaves the row alone, if no entries are left.
 */
export async function changeMembers(
  tx: Transaction,
  records: Records<Cluster>,
  seq: number,
  { gained = [], lost = [], told, importanceOf }: MemberChange,
  now: number,
): Promise<Cluster | undefined> {
  const before = await records.docOf(tx, seq)
  await writeMembers(tx, seq, gained, lost)
  const publishers = await addCounts(tx, seq, gained, lost)
  const entryCount = before.entryCount + gained.length - lost.length
  if (entryCount === 0) return undefined
  const { firstAt = now, lastAt = now } = await findTimes(tx, seq)
  const cluster = buildCluster(
    { ...before, ...(await representedBy(tx, seq, told ?? before)) },
    {
      entryCount,
      publisherCount: before.publisherCount + publishers,
      firstAt,
      lastAt,
      scores: await scoreSums(tx, seq),
      assetKeys: await listCommon(tx, seq, 'asset'),
      topicSlugs: await listCommon(tx, seq, 'topic'),
      languages: await listCommon(tx, seq, 'language'),
    },
    importanceOf ?? (() => before.importanceScore),
    now,
  )
  await records.replace(tx, seq, rowOf(cluster))
  await writeSideRows(tx, seq, cluster)
  return cluster
}

/** Returns the words of the cluster, or those of its first entry if the representative is not among its entries. */
async function representedBy(tx: Transaction, seq: number, words: Words): Promise<Words> {
  const [known] = await tx.query<{ seq: number }>(
    `select e.seq from entries e join cluster_entries c on c.entry_seq = e.seq where e.id = $1 and c.cluster_seq = $2`,
    [words.representativeEntryId, seq],
  )
  if (known !== undefined) return words
  const [first] = await tx.query<{ doc: string }>(
    `select e.doc from cluster_entries c join entries e on e.seq = c.entry_seq
     where c.cluster_seq = $1 order by c.published_at, c.entry_seq limit 1`,
    [seq],
  )
  return first === undefined ? words : wordsOf(JSON.parse(first.doc))
}

function wordsOf({ id, title, excerpt }: Entry): Words {
  return { title, summary: excerpt, representativeEntryId: id }
}

/** Returns the words of the representative entry. */
export async function findWords(tx: Transaction, { representativeEntryId }: Words): Promise<Words | undefined> {
  const [row] = await tx.query<{ doc: string }>('select doc from entries where id = $1', [representativeEntryId])
  return row && wordsOf(JSON.parse(row.doc))
}

export async function removeCluster(tx: Transaction, records: Records<Cluster>, seq: number): Promise<void> {
  for (const table of SIDE_TABLES) await tx.query(`delete from ${table} where seq = $1`, [seq])
  for (const table of ['cluster_entries', 'cluster_counts', 'merged_clusters']) {
    await tx.query(`delete from ${table} where cluster_seq = $1`, [seq])
  }
  await records.remove(tx, seq)
}

/** Makes the id of a cluster, and the ids of those merged into it before, lead to another cluster. */
async function forward(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.query('update merged_clusters set cluster_seq = $2 where cluster_seq = $1', [from, to])
  await tx.query('insert into merged_clusters (id, cluster_seq) select id, $2 from clusters where seq = $1', [from, to])
}

interface PlacedMember extends Member {
  /** The cluster that the entry is in; null if none. */
  clusterSeq: number | null
}

/** Finds entries by id. Entries that were removed since the caller read them are missing; others must exist. */
async function findMembers(
  tx: Transaction,
  entryIds: readonly string[],
): Promise<{ members: PlacedMember[]; isComplete: boolean }> {
  const ids = [...new Set(entryIds)]
  const members = new Map<string, PlacedMember>()
  await forEachChunk(ids, async (params, list) => {
    const rows = await tx.query<{ seq: number; publisherRef: number; doc: string; clusterSeq: number | null }>(
      `select e.seq, e.publisher_ref as "publisherRef", e.doc, c.cluster_seq as "clusterSeq"
       from entries e left join cluster_entries c on c.entry_seq = e.seq where e.id in (${list})`,
      params.values,
    )
    for (const { doc, ...row } of rows) {
      const entry: Entry = JSON.parse(doc)
      members.set(entry.id, { ...row, entry })
    }
  })
  const missing = ids.filter((id) => !members.has(id))
  const removed = await listRemoved(tx, missing)
  for (const id of missing) {
    if (!removed.has(id)) throw new Error(`the entry ${id} of a cluster is not in the store`)
  }
  return { members: ids.flatMap((id) => members.get(id) ?? []), isComplete: missing.length === 0 }
}

async function listMembers(tx: Transaction, seq: number): Promise<Member[]> {
  const rows = await tx.query<{ seq: number; publisherRef: number; doc: string }>(
    `select e.seq, e.publisher_ref as "publisherRef", e.doc
     from cluster_entries c join entries e on e.seq = c.entry_seq where c.cluster_seq = $1 order by e.seq`,
    [seq],
  )
  return rows.map(({ doc, ...row }) => ({ ...row, entry: JSON.parse(doc) }))
}

async function findTimes(tx: Transaction, seq: number): Promise<{ firstAt?: number; lastAt?: number }> {
  // Two subqueries, because SQLite finds only one of min and max by index.
  const [row] = await tx.query<{ firstAt: number; lastAt: number }>(
    `select (select min(published_at) from cluster_entries where cluster_seq = $1) as "firstAt",
       (select max(published_at) from cluster_entries where cluster_seq = $1) as "lastAt"`,
    [seq],
  )
  return row ?? {}
}

async function writeMembers(
  tx: Transaction,
  seq: number,
  gained: readonly Member[],
  lost: readonly Member[],
): Promise<void> {
  await forEachChunk(
    lost.map((member) => member.seq),
    async (params, list) => {
      await tx.query(`delete from cluster_entries where entry_seq in (${list})`, params.values)
    },
  )
  await insertRecords(
    tx,
    'cluster_entries',
    gained.map((member) => ({
      entry_seq: member.seq,
      cluster_seq: seq,
      published_at: Date.parse(member.entry.publishedAt),
    })),
  )
}

/** Appends a cluster whose entries follow. */
async function appendEmpty(
  tx: Transaction,
  records: Records<Cluster>,
  told: Words & { id: string },
  now: number,
): Promise<number> {
  const figures = {
    entryCount: 0,
    publisherCount: 0,
    firstAt: now,
    lastAt: now,
    scores: { count: 0, sum: 0, squares: 0 },
    assetKeys: [],
    topicSlugs: [],
    languages: [],
  }
  const cluster = buildCluster({ ...told, createdAt: isoTime(now) }, figures, () => 0, now)
  return records.append(tx, [rowOf(cluster)], now)
}

function rowOf(cluster: Cluster): NewRow {
  return {
    columns: {
      id: cluster.id,
      status: cluster.status,
      entry_count: cluster.entryCount,
      publisher_count: cluster.publisherCount,
      sentiment_score: cluster.sentimentScore ?? UNKNOWN,
      importance_score: cluster.importanceScore,
      last_published_at: Date.parse(cluster.lastPublishedAt),
    },
    doc: cluster,
    text: `${cluster.title} ${cluster.summary ?? ''}`,
  }
}

const SIDE_TABLES = ['cluster_assets', 'cluster_topics', 'cluster_languages']

async function writeSideRows(tx: Transaction, seq: number, cluster: Cluster): Promise<void> {
  for (const table of SIDE_TABLES) await tx.query(`delete from ${table} where seq = $1`, [seq])
  const sort = 'last_published_at'
  const valuesOf = (values: string[]) => [{ seq, sort: Date.parse(cluster.lastPublishedAt), values }]
  await insertRefRows(tx, { table: 'cluster_assets', column: 'asset_ref', sort }, valuesOf(cluster.assetKeys))
  await insertRefRows(tx, { table: 'cluster_topics', column: 'topic_ref', sort }, valuesOf(cluster.topicSlugs))
  await insertSideRows(tx, { table: 'cluster_languages', column: 'language', sort }, valuesOf(cluster.languages))
}
