import type { Cluster, NewCluster } from '../../model/clusters.ts'
import type { Entry } from '../../model/entries.ts'
import type { CursorPage } from '../../model/paging.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import type { Db, Transaction } from '../db.ts'
import type { PageRequest } from '../lists/feed-pages.ts'
import { anyRef, anyText, type Filters, indexed, inSideTable, least, most, UNKNOWN } from '../lists/record-filters.ts'
import type { RecordList } from '../lists/record-query.ts'
import { type NewRow, Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertRefRows, insertSideRows } from '../lists/side-rows.ts'
import { insertRecords } from '../sql.ts'
import { ACTIVE_FOR, clusterOf, type Member } from './cluster-facts.ts'

export const CLUSTER_LIST: RecordList = {
  table: 'clusters',
  filters: {
    assetKey: inSideTable('cluster_assets', anyRef('asset_ref', 'assets', 'key')),
    assetId: inSideTable('cluster_assets', anyRef('asset_ref', 'assets', 'id')),
    topicSlug: inSideTable('cluster_topics', anyRef('topic_ref', 'topics', 'slug')),
    topicId: inSideTable('cluster_topics', anyRef('topic_ref', 'topics', 'id')),
    language: inSideTable('cluster_languages', anyText('language')),
    status: indexed(anyText('status')),
    entryCountMin: least('entry_count'),
    publisherCountMin: least('publisher_count'),
    sentimentScoreMin: least('sentiment_score'),
    sentimentScoreMax: most('sentiment_score'),
    lastPublishedAfter: least('last_published_at'),
    lastPublishedBefore: most('last_published_at'),
  },
  sorts: { lastPublishedAt: 'last_published_at', importanceScore: 'importance_score', entryCount: 'entry_count' },
}

const SHOWN_ENTRIES = 100
const HOURLY_UP_TO = 4 * DAY

export type Clusters = ReturnType<typeof clustersStore>

export function clustersStore(db: Db) {
  const records = new Records<Cluster>(db, CLUSTER_LIST)

  const settle = (now: number) =>
    records.settle(`status = 'active' and last_published_at <= $1`, now - ACTIVE_FOR, 'closed')

  return {
    async page(request: PageRequest<Filters>, now: number): Promise<CursorPage<Cluster>> {
      await settle(now)
      return records.page(request)
    },

    async find(id: string, now: number): Promise<Cluster | undefined> {
      await settle(now)
      const found = await records.find('id', id)
      return found && JSON.parse(found.doc)
    },

    /** With its newest entries and when they were published. */
    async findWithEntries(id: string, now: number) {
      await settle(now)
      const found = await records.find('id', id.toLowerCase())
      if (found === undefined) return undefined
      const cluster: Cluster = JSON.parse(found.doc)
      return {
        ...cluster,
        entries: await listEntries(db, found.seq),
        timeline: await listTimeline(db, found.seq, cluster),
      }
    },

    total: (): Promise<number> => records.total(),

    /** Writes clusters as they are now, in place of what was known of them. */
    upsert(clusters: readonly NewCluster[], now: number): Promise<void> {
      return records.write((tx) => upsertClusters(tx, records, clusters, now))
    },
  }
}

async function listEntries(db: Db, seq: number): Promise<Entry[]> {
  const rows = await db.query<{ doc: string }>(
    `select e.doc from cluster_entries c join entries e on e.seq = c.entry_seq
     where c.cluster_seq = $1 order by c.published_at desc, c.entry_seq desc limit ${SHOWN_ENTRIES}`,
    [seq],
  )
  return rows.map(({ doc }) => JSON.parse(doc))
}

/** Entries per hour, or per day for a story that goes on for long; times without any are left out. */
async function listTimeline(db: Db, seq: number, cluster: Cluster): Promise<{ at: string; count: number }[]> {
  const span = Date.parse(cluster.lastPublishedAt) - Date.parse(cluster.firstPublishedAt)
  const step = span <= HOURLY_UP_TO ? HOUR : DAY
  const rows = await db.query<{ at: number; count: number }>(
    `select published_at - published_at % ${step} as at, count(*) as count
     from cluster_entries where cluster_seq = $1 group by 1 order by 1`,
    [seq],
  )
  return rows.map(({ at, count }) => ({ at: isoTime(at), count }))
}

async function upsertClusters(
  tx: Transaction,
  records: Records<Cluster>,
  clusters: readonly NewCluster[],
  now: number,
): Promise<void> {
  const known = await records.seqsOf(
    tx,
    clusters.map(({ id }) => id),
  )
  const members = await membersOf(tx, clusters)
  const written: { seq: number; cluster: Cluster; members: Member[] }[] = []
  const fresh: { row: NewRow; cluster: Cluster; members: Member[] }[] = []
  for (const given of clusters) {
    const own = [...new Set(given.entryIds)].map((id) => {
      const member = members.get(id)
      if (member === undefined) throw new Error(`a cluster names the entry ${id}, which the store does not have`)
      return member
    })
    const seq = known.get(given.id)
    const before = seq === undefined ? undefined : await records.docOf(tx, seq)
    const cluster = clusterOf(given, own, before?.createdAt ?? isoTime(now), now)
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
