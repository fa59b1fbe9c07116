import type { Cluster, NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction } from '../db.ts'
import { UNKNOWN } from '../lists/filters.ts'
import type { NewRow, Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRefRows, insertSideRows } from '../lists/side-rows.ts'
import { insertRecords } from '../sql.ts'
import { buildCluster, type Member } from './cluster-doc.ts'

/** Writes clusters, and the other clusters that lose entries to them. */
export async function upsertClusters(
  tx: Transaction,
  records: Records<Cluster>,
  given: readonly NewCluster[],
  now: number,
): Promise<void> {
  const ids = given.flatMap(({ entryIds }) => [...new Set(entryIds)])
  if (new Set(ids).size < ids.length) throw new Error('an entry can belong to one cluster only')
  const clusters = [...(await shrunkBy(tx, records, given)), ...given]
  const known = await records.seqsOf(
    tx,
    clusters.map(({ id }) => id),
  )
  const members = await membersOf(tx, clusters)
  const written: { seq: number; cluster: Cluster; members: Member[] }[] = []
  const fresh: { row: NewRow; cluster: Cluster; members: Member[] }[] = []
  for (const next of clusters) {
    const own = [...new Set(next.entryIds)].map((id) => {
      const member = members.get(id)
      if (member === undefined) throw new Error(`the entry ${id} of a cluster is not in the store`)
      return member
    })
    const seq = known.get(next.id)
    const before = seq === undefined ? undefined : await records.docOf(tx, seq)
    const cluster = buildCluster(next, own, before?.createdAt ?? isoTime(now), now)
    const row = rowOf(cluster)
    if (seq === undefined) {
      fresh.push({ row, cluster, members: own })
    } else {
      await records.replace(tx, seq, row)
      await removeRowsOf(tx, seq)
      written.push({ seq, cluster, members: own })
    }
  }
  if (fresh.length > 0) {
    const rows = fresh.map(({ row }) => row)
    const firstSeq = await records.append(tx, rows, now)
    written.push(...fresh.map(({ cluster, members: own }, index) => ({ seq: firstSeq + index, cluster, members: own })))
  }
  await insertRowsOf(tx, written)
}

/** Rebuilds the clusters of entries that have changed. */
export async function refreshClusters(
  tx: Transaction,
  records: Records<Cluster>,
  entrySeqs: readonly number[],
  now: number,
): Promise<void> {
  const seqs = new Set<number>()
  await forEachChunk(entrySeqs, async (params, list) => {
    const rows = await tx.query<{ seq: number }>(
      `select distinct cluster_seq as seq from cluster_entries where entry_seq in (${list})`,
      params.values,
    )
    for (const { seq } of rows) seqs.add(seq)
  })
  const clusters: NewCluster[] = []
  for (const seq of seqs) clusters.push({ ...(await records.docOf(tx, seq)), entryIds: await entryIdsOf(tx, seq) })
  if (clusters.length > 0) await upsertClusters(tx, records, clusters, now)
}

/** Takes entries out of their clusters. A cluster that has less than two entries left is removed. */
export async function dropEntries(
  tx: Transaction,
  records: Records<Cluster>,
  entrySeqs: readonly number[],
  now: number,
): Promise<void> {
  const dropped = new Set(entrySeqs)
  const members: { cluster: number; entry: number }[] = []
  await forEachChunk(entrySeqs, async (params, list) => {
    const rows = await tx.query<{ cluster: number; entry: number }>(
      `select o.cluster_seq as cluster, o.entry_seq as entry from cluster_entries o where o.cluster_seq in (
         select cluster_seq from cluster_entries where entry_seq in (${list})
       ) order by o.published_at, o.entry_seq`,
      params.values,
    )
    members.push(...rows)
  })
  const gone: number[] = []
  const shrunk: NewCluster[] = []
  for (const [seq, all] of Map.groupBy(members, ({ cluster }) => cluster)) {
    const left = [...new Set(all.map(({ entry }) => entry))].filter((entry) => !dropped.has(entry))
    if (left.length < 2) gone.push(seq)
    else shrunk.push(await shrunkTo(tx, await records.docOf(tx, seq), left))
  }
  await forEachChunk(gone, async (params, list) => {
    for (const table of SIDE_TABLES) await tx.query(`delete from ${table} where seq in (${list})`, params.values)
    await tx.query(`delete from cluster_entries where cluster_seq in (${list})`, params.values)
  })
  await records.removeAll(tx, gone)
  if (shrunk.length > 0) await upsertClusters(tx, records, shrunk, now)
}

/** Returns a cluster with the entries that are left. If its headline is gone, that of the first of them replaces it. */
async function shrunkTo(tx: Transaction, cluster: Cluster, left: readonly number[]): Promise<NewCluster> {
  const docs: Entry[] = []
  await forEachChunk(left, async (params, list) => {
    const rows = await tx.query<{ doc: string }>(
      `select doc from entries where seq in (${list}) order by seq`,
      params.values,
    )
    docs.push(...rows.map(({ doc }) => JSON.parse(doc)))
  })
  const entryIds = docs.map(({ id }) => id)
  const [first] = docs
  if (first === undefined || entryIds.includes(cluster.representativeEntryId)) return { ...cluster, entryIds }
  return { ...cluster, entryIds, representativeEntryId: first.id, title: first.title, summary: first.excerpt }
}

const SIDE_TABLES = ['cluster_assets', 'cluster_topics', 'cluster_languages']

async function entryIdsOf(tx: Transaction, seq: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select e.id from cluster_entries c join entries e on e.seq = c.entry_seq
     where c.cluster_seq = $1 order by c.published_at, c.entry_seq`,
    [seq],
  )
  return rows.map(({ id }) => id)
}

/** Returns other clusters that have entries of the given ones, without these entries; removes those left empty. */
async function shrunkBy(
  tx: Transaction,
  records: Records<Cluster>,
  given: readonly NewCluster[],
): Promise<NewCluster[]> {
  const own = new Set(given.map(({ id }) => id))
  const taken = new Set(given.flatMap(({ entryIds }) => entryIds))
  const seqs = new Set<number>()
  await forEachChunk([...taken], async (params, list) => {
    const rows = await tx.query<{ seq: number }>(
      `select c.cluster_seq as seq from entries e join cluster_entries c on c.entry_seq = e.seq where e.id in (${list})`,
      params.values,
    )
    for (const { seq } of rows) seqs.add(seq)
  })
  const shrunk: NewCluster[] = []
  for (const seq of seqs) {
    const cluster = await records.docOf(tx, seq)
    if (own.has(cluster.id)) continue
    const entryIds = (await entryIdsOf(tx, seq)).filter((id) => !taken.has(id))
    const [first] = entryIds
    if (first === undefined) {
      await removeRowsOf(tx, seq)
      await records.remove(tx, seq)
      continue
    }
    const isRepresented = entryIds.includes(cluster.representativeEntryId)
    shrunk.push({ ...cluster, entryIds, representativeEntryId: isRepresented ? cluster.representativeEntryId : first })
  }
  return shrunk
}

async function membersOf(tx: Transaction, clusters: readonly NewCluster[]): Promise<Map<string, Member>> {
  const members = new Map<string, Member>()
  const ids = clusters.flatMap(({ entryIds }) => entryIds)
  await forEachChunk(ids, async (params, list) => {
    const rows = await tx.query<{ id: string; seq: number; publisher_ref: number; doc: string }>(
      `select id, seq, publisher_ref, doc from entries where id in (${list})`,
      params.values,
    )
    for (const row of rows) {
      members.set(row.id, { seq: row.seq, publisherRef: row.publisher_ref, entry: JSON.parse(row.doc) })
    }
  })
  return members
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

async function removeRowsOf(tx: Transaction, seq: number): Promise<void> {
  for (const table of SIDE_TABLES) {
    await tx.query(`delete from ${table} where seq = $1`, [seq])
  }
  await tx.query('delete from cluster_entries where cluster_seq = $1', [seq])
}

async function insertRowsOf(
  tx: Transaction,
  written: readonly { seq: number; cluster: Cluster; members: readonly Member[] }[],
): Promise<void> {
  const valuesOf = (values: (cluster: Cluster) => string[]) =>
    written.map(({ seq, cluster }) => ({ seq, sort: Date.parse(cluster.lastPublishedAt), values: values(cluster) }))
  const sort = 'last_published_at'
  await insertRefRows(
    tx,
    { table: 'cluster_assets', column: 'asset_ref', sort },
    valuesOf(({ assetKeys }) => assetKeys),
  )
  await insertRefRows(
    tx,
    { table: 'cluster_topics', column: 'topic_ref', sort },
    valuesOf(({ topicSlugs }) => topicSlugs),
  )
  await insertSideRows(
    tx,
    { table: 'cluster_languages', column: 'language', sort },
    valuesOf(({ languages }) => languages),
  )
  await insertRecords(
    tx,
    'cluster_entries',
    written.flatMap(({ seq, members }) =>
      members.map((member) => ({
        entry_seq: member.seq,
        cluster_seq: seq,
        published_at: Date.parse(member.entry.publishedAt),
      })),
    ),
    'on conflict (entry_seq) do update set cluster_seq = excluded.cluster_seq',
  )
}
