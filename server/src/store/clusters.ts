import { Cluster, type NewCluster } from '../model/clusters.ts'
import type { Entry } from '../model/entries.ts'
import type { CursorPage } from '../model/paging.ts'
import { DAY, HOUR, isoTime } from '../model/time.ts'
import type { Db, Queryable } from './db.ts'
import { inSchemaOrder } from './docs.ts'
import type { PageRequest } from './feed-pages.ts'
import { anyRef, anyText, type Filters, indexed, inSideTable, least, most, UNKNOWN } from './record-filters.ts'
import type { RecordList } from './record-query.ts'
import { type NewRow, Records } from './records.ts'
import { forEachChunk, refsBy } from './refs.ts'
import { insertRecords } from './sql.ts'

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

/** A cluster to which nothing was added for so long is closed. */
const ACTIVE_FOR = 72 * HOUR

const SHOWN_ENTRIES = 100
const HOURLY_UP_TO = 4 * DAY

export type Clusters = ReturnType<typeof clustersStore>

export function clustersStore(db: Db) {
  const records = new Records<Cluster>(db, CLUSTER_LIST)

  /** Closes the clusters whose time is over, so that what is read next is true at `now`. */
  async function settle(now: number): Promise<void> {
    const due = `select seq from clusters where status = 'active' and last_published_at <= $1`
    const before = now - ACTIVE_FOR
    if ((await db.query(`${due} limit 1`, [before])).length === 0) return
    await records.write(async (tx) => {
      for (const { seq } of await tx.query<{ seq: number }>(due, [before])) {
        await records.edit(tx, seq, { status: 'closed' }, { ...(await records.docOf(tx, seq)), status: 'closed' })
      }
    })
  }

  return {
    async page(request: PageRequest<Filters>, now: number): Promise<CursorPage<Cluster>> {
      await settle(now)
      return records.page(request)
    },

    /** With its newest entries and when they were published. */
    async find(id: string, now: number) {
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

interface Member {
  seq: number
  publisherRef: number
  entry: Entry
}

async function upsertClusters(
  tx: Queryable,
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
      await removeSideRows(tx, seq)
      written.push({ seq, cluster, members: own })
    }
  }
  if (fresh.length > 0) {
    const rows = fresh.map(({ row }) => row)
    const firstSeq = await records.append(tx, rows, now)
    written.push(...fresh.map(({ cluster, members: own }, index) => ({ seq: firstSeq + index, cluster, members: own })))
  }
  await insertSideRows(tx, written)
}

async function membersOf(tx: Queryable, clusters: readonly NewCluster[]): Promise<Map<string, Member>> {
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

/** What its entries say of a story. */
function clusterOf(given: NewCluster, members: readonly Member[], createdAt: string, now: number): Cluster {
  const times = members.map(({ entry }) => Date.parse(entry.publishedAt)).sort((a, b) => a - b)
  const [first = now] = times
  const last = times.at(-1) ?? now
  const scores = members.flatMap(({ entry }) => entry.sentimentScore ?? [])
  const mean = scores.length === 0 ? null : sum(scores) / scores.length
  const variance = mean === null ? null : sum(scores.map((score) => (score - mean) ** 2)) / scores.length
  return inSchemaOrder(Cluster, {
    id: given.id,
    title: given.title,
    summary: given.summary,
    entryCount: members.length,
    publisherCount: new Set(members.map(({ publisherRef }) => publisherRef)).size,
    representativeEntryId: given.representativeEntryId,
    firstPublishedAt: isoTime(first),
    lastPublishedAt: isoTime(last),
    sentimentScore: mean === null ? null : rounded(mean),
    sentimentDispersion: variance === null ? null : rounded(Math.sqrt(variance)),
    assetKeys: mostCommon(members.flatMap(({ entry }) => entry.assetKeys)),
    topicSlugs: mostCommon(members.flatMap(({ entry }) => entry.topicSlugs)),
    languages: mostCommon(members.flatMap(({ entry }) => entry.language ?? [])),
    // Over an hour at least: two entries in one minute are not 120 an hour.
    velocity: rounded(members.length / Math.max(1, (last - first) / HOUR)),
    importanceScore: given.importanceScore,
    status: last > now - ACTIVE_FOR ? 'active' : 'closed',
    createdAt,
    updatedAt: isoTime(now),
  })
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

async function removeSideRows(tx: Queryable, seq: number): Promise<void> {
  for (const table of ['cluster_assets', 'cluster_topics', 'cluster_languages']) {
    await tx.query(`delete from ${table} where seq = $1`, [seq])
  }
  await tx.query('delete from cluster_entries where cluster_seq = $1', [seq])
}

async function insertSideRows(
  tx: Queryable,
  written: readonly { seq: number; cluster: Cluster; members: readonly Member[] }[],
): Promise<void> {
  const assets = await refsBy(
    tx,
    'assets',
    'key',
    written.flatMap(({ cluster }) => cluster.assetKeys),
  )
  const topics = await refsBy(
    tx,
    'topics',
    'slug',
    written.flatMap(({ cluster }) => cluster.topicSlugs),
  )
  const sideRows = (column: string, values: (cluster: Cluster) => readonly (string | number)[]) =>
    written.flatMap(({ seq, cluster }) =>
      values(cluster).map((value) => ({
        [column]: value,
        last_published_at: Date.parse(cluster.lastPublishedAt),
        seq,
      })),
    )
  await insertRecords(
    tx,
    'cluster_assets',
    sideRows('asset_ref', ({ assetKeys }) => assetKeys.flatMap((key) => assets.get(key)?.ref ?? [])),
  )
  await insertRecords(
    tx,
    'cluster_topics',
    sideRows('topic_ref', ({ topicSlugs }) => topicSlugs.flatMap((slug) => topics.get(slug)?.ref ?? [])),
  )
  await insertRecords(
    tx,
    'cluster_languages',
    sideRows('language', ({ languages }) => languages),
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

/** Without repeats, the most common first. */
function mostCommon(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const rounded = (value: number) => Math.round(value * 10_000) / 10_000 + 0
