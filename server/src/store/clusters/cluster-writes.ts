import type { Cluster, NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction } from '../db.ts'
import { listRemoved } from '../entries/entry-changes.ts'
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
  const clusters = await withoutRemoved(tx, [...(await shrunkBy(tx, records, given)), ...given])
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

/** A cluster is a story that several entries tell. */
export const MIN_ENTRIES = 2

/** Replaces title and summary by those of the representative entry. */
export async function inWordsOfRepresentative(tx: Transaction, cluster: NewCluster): Promise<NewCluster> {
  const [row] = await tx.query<{ doc: string }>('select doc from entries where id = $1', [
    cluster.representativeEntryId,
  ])
  if (row === undefined) return cluster
  const { title, excerpt }: Entry = JSON.parse(row.doc)
  return { ...cluster, title, summary: excerpt }
}

/** Returns the cluster with these entries; another one represents it if its representative is not among them. */
export function represented(cluster: Omit<NewCluster, 'entryIds'>, entryIds: string[]): NewCluster {
  const { representativeEntryId: known } = cluster
  return { ...cluster, entryIds, representativeEntryId: entryIds.includes(known) ? known : (entryIds[0] ?? known) }
}

/**
 * Leaves out entries that were removed while the caller was putting the clusters together, and clusters that have too few
 * others.
 */
async function withoutRemoved(tx: Transaction, clusters: readonly NewCluster[]): Promise<NewCluster[]> {
  const removed = await listRemoved(
    tx,
    clusters.flatMap(({ entryIds }) => entryIds),
  )
  if (removed.size === 0) return [...clusters]
  const left: NewCluster[] = []
  for (const cluster of clusters) {
    const entryIds = cluster.entryIds.filter((id) => !removed.has(id))
    if (entryIds.length === cluster.entryIds.length) left.push(cluster)
    else if (entryIds.length >= MIN_ENTRIES) {
      left.push(await inWordsOfRepresentative(tx, represented(cluster, entryIds)))
    }
  }
  return left
}

export async function entryIdsOf(tx: Transaction, seq: number): Promise<string[]> {
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
    if (entryIds.length === 0) await removeCluster(tx, records, seq)
    else shrunk.push(represented(cluster, entryIds))
  }
  return shrunk
}

export async function removeCluster(tx: Transaction, records: Records<Cluster>, seq: number): Promise<void> {
  await removeRowsOf(tx, seq)
  await records.remove(tx, seq)
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
  for (const table of ['cluster_assets', 'cluster_topics', 'cluster_languages']) {
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
