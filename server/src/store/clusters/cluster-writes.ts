import type { Cluster, ClusterGrowth, NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction } from '../db.ts'
import { listRemoved } from '../entries/entry-changes.ts'
import { UNKNOWN } from '../lists/filters.ts'
import type { NewRow, Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRefRows, insertSideRows } from '../lists/side-rows.ts'
import { insertRecords, together } from '../sql.ts'
import { addCounts, figuresOf, insertCounts, listCommon, type ScoreSums } from './cluster-counts.ts'
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
  const importances = new Map(given.map(({ id, importanceScore }) => [id, importanceScore]))
  await growClusters(tx, records, given, (_spread, id) => importances.get(id) ?? 0, now)
}

/** The number of clusters that change at the same time: more would not share more round trips. */
const MAX_GROWING = 16

/** Scores the importance of a cluster. */
type ImportanceOf = (spread: Spread, id: string) => number

/** Adds entries to clusters, and takes them out of those they were in. Creates the clusters that are missing. */
export async function growClusters(
  tx: Transaction,
  records: Records<Cluster>,
  given: readonly ClusterGrowth[],
  importanceOf: ImportanceOf,
  now: number,
): Promise<void> {
  const entryIds = given.flatMap((growth) => [...new Set(growth.entryIds)])
  if (new Set(entryIds).size < entryIds.length) throw new Error('an entry can belong to one cluster only')
  const known = await records.seqsOf(
    tx,
    given.map(({ id }) => id),
  )
  const members = await findMembers(tx, entryIds)
  const fresh: FreshCluster[] = []
  /** Changes of clusters under way, by seq. */
  const growing = new Map<number, Promise<unknown>>()
  const settle = async () => {
    await together([...growing.values()])
    growing.clear()
  }
  for (const { entryIds: joining, ...told } of given) {
    const ids = [...new Set(joining)]
    const own = ids.flatMap((id) => members.get(id) ?? [])
    const seq = known.get(told.id)
    if (seq !== undefined) {
      const gained = own.filter(({ clusterSeq }) => clusterSeq !== seq)
      // A cluster changes once at a time, and may lose entries to another one.
      const mayConflict = growing.has(seq) || gained.some(({ clusterSeq }) => clusterSeq !== null)
      if (mayConflict || growing.size === MAX_GROWING) await settle()
      await takeMembers(tx, records, seq, own, now)
      growing.set(seq, changeMembers(tx, records, seq, { gained, told, importanceOf }, now))
    } else if (own.length >= Math.min(ids.length, MIN_ENTRIES) && own.length > 0) {
      fresh.push({ told, members: own })
    }
  }
  await settle()
  await appendClusters(tx, records, fresh, importanceOf, now)
}

/** Takes entries out of other clusters than `to`, which follows those that have none left. */
async function takeMembers(
  tx: Transaction,
  records: Records<Cluster>,
  to: number,
  members: readonly PlacedMember[],
  now: number,
): Promise<void> {
  for (const [from, lost] of Map.groupBy(members, ({ clusterSeq }) => clusterSeq)) {
    if (from === null || from === to) continue
    if ((await changeMembers(tx, records, from, { lost }, now)) !== undefined) continue
    await forward(tx, from, to)
    await removeCluster(tx, records, from)
  }
}

interface FreshCluster {
  told: Words & { id: string }
  members: readonly PlacedMember[]
}

/** Appends clusters all at once: an import creates many. */
async function appendClusters(
  tx: Transaction,
  records: Records<Cluster>,
  fresh: readonly FreshCluster[],
  importanceOf: ImportanceOf,
  now: number,
): Promise<void> {
  if (fresh.length === 0) return
  const built = fresh.map(({ told, members }) => {
    const figures = figuresOf(members)
    const words = members.some(({ entry }) => entry.id === told.representativeEntryId)
      ? told
      : firstWords(members, told)
    return {
      cluster: buildCluster({ ...told, ...words, createdAt: isoTime(now) }, figures, importanceOf, now),
      figures,
      members,
    }
  })
  const rows = built.map(({ cluster, figures }) => rowOf(cluster, figures.scores))
  const firstSeq = await records.append(tx, rows, now)
  const written = built.map((one, index) => ({ ...one, seq: firstSeq + index }))
  for (const { seq, members } of written) await takeMembers(tx, records, seq, members, now)
  await insertCounts(tx, written)
  await insertMembers(tx, written)
  await insertSides(tx, written)
}

interface MemberChange {
  gained?: readonly Member[]
  lost?: readonly Member[]
  /** New words for the cluster. */
  told?: Words
  /** Without it the importance stays. */
  importanceOf?: ImportanceOf
}

type Words = Pick<Cluster, 'title' | 'summary' | 'representativeEntryId'>

/**
 * Changes the entries of a cluster and everything that follows from them, at a cost that does not depend on its size.
 * Returns undefined if no entries are left; the caller adds some or removes the cluster.
 */
export async function changeMembers(
  tx: Transaction,
  records: Records<Cluster>,
  seq: number,
  { gained = [], lost = [], told, importanceOf }: MemberChange,
  now: number,
): Promise<Cluster | undefined> {
  const [before, , { publishers, scores }] = await together([
    records.docOf(tx, seq),
    writeMembers(tx, seq, gained, lost),
    addCounts(tx, seq, gained, lost),
  ])
  const entryCount = before.entryCount + gained.length - lost.length
  if (entryCount === 0) {
    await records.edit(tx, seq, { entry_count: 0, publisher_count: 0 }, { ...before, entryCount, publisherCount: 0 })
    return undefined
  }
  const [{ firstAt = now, lastAt = now }, words, assetKeys, topicSlugs, languages] = await together([
    findTimes(tx, seq),
    representedBy(tx, seq, told ?? before),
    listCommon(tx, seq, 'asset'),
    listCommon(tx, seq, 'topic'),
    listCommon(tx, seq, 'language'),
  ])
  const publisherCount = before.publisherCount + publishers
  const cluster = buildCluster(
    { ...before, ...words },
    { entryCount, publisherCount, firstAt, lastAt, scores, assetKeys, topicSlugs, languages },
    importanceOf ?? (() => before.importanceScore),
    now,
  )
  await together([
    records.replace(tx, seq, rowOf(cluster, scores)),
    ...SIDE_TABLES.map((table) => tx.query(`delete from ${table} where seq = $1`, [seq])),
    insertSides(tx, [{ seq, cluster }]),
  ])
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

function firstWords(members: readonly Member[], words: Words): Words {
  const [first] = members.toSorted(
    (a, b) => Date.parse(a.entry.publishedAt) - Date.parse(b.entry.publishedAt) || a.seq - b.seq,
  )
  return first === undefined ? words : wordsOf(first.entry)
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
  await tx.query(
    `insert into merged_clusters (id, cluster_seq) select id, $2 from clusters where seq = $1
     on conflict (id) do update set cluster_seq = excluded.cluster_seq`,
    [from, to],
  )
}

interface PlacedMember extends Member {
  /** The cluster that the entry is in; null if none. */
  clusterSeq: number | null
}

/** Finds entries by id. Entries that were removed since the caller read them are missing; others must exist. */
async function findMembers(tx: Transaction, entryIds: readonly string[]): Promise<Map<string, PlacedMember>> {
  const members = new Map<string, PlacedMember>()
  await forEachChunk(entryIds, async (params, list) => {
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
  const missing = entryIds.filter((id) => !members.has(id))
  const removed = await listRemoved(tx, missing)
  for (const id of missing) {
    if (!removed.has(id)) throw new Error(`the entry ${id} of a cluster is not in the store`)
  }
  return members
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
  await insertMembers(tx, [{ seq, members: gained }])
}

function insertMembers(
  tx: Transaction,
  clusters: readonly { seq: number; members: readonly Member[] }[],
): Promise<void> {
  return insertRecords(
    tx,
    'cluster_entries',
    clusters.flatMap(({ seq, members }) =>
      members.map((member) => ({
        entry_seq: member.seq,
        cluster_seq: seq,
        published_at: Date.parse(member.entry.publishedAt),
      })),
    ),
  )
}

function rowOf(cluster: Cluster, scores: ScoreSums): NewRow {
  return {
    columns: {
      id: cluster.id,
      status: cluster.status,
      entry_count: cluster.entryCount,
      publisher_count: cluster.publisherCount,
      sentiment_score: cluster.sentimentScore ?? UNKNOWN,
      importance_score: cluster.importanceScore,
      last_published_at: Date.parse(cluster.lastPublishedAt),
      scored_count: scores.count,
      score_sum: scores.sum,
      score_squares: scores.squares,
    },
    doc: cluster,
    text: `${cluster.title} ${cluster.summary ?? ''}`,
  }
}

const SIDE_TABLES = ['cluster_assets', 'cluster_topics', 'cluster_languages']

async function insertSides(tx: Transaction, clusters: readonly { seq: number; cluster: Cluster }[]): Promise<void> {
  const sort = 'last_published_at'
  const valuesOf = (field: 'assetKeys' | 'topicSlugs' | 'languages') =>
    clusters.map(({ seq, cluster }) => ({ seq, sort: Date.parse(cluster.lastPublishedAt), values: cluster[field] }))
  await together([
    insertRefRows(tx, { table: 'cluster_assets', column: 'asset_ref', sort }, valuesOf('assetKeys')),
    insertRefRows(tx, { table: 'cluster_topics', column: 'topic_ref', sort }, valuesOf('topicSlugs')),
    insertSideRows(tx, { table: 'cluster_languages', column: 'language', sort }, valuesOf('languages')),
  ])
}
