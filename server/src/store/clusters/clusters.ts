import type { Cluster, ClusterDetail, ClusterGrowth, NewCluster } from '../../model/clusters.ts'
import { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import { DAY, HOUR, isoTime } from '../../model/time.ts'
import type { Db } from '../db.ts'
import type { Lease } from '../leases.ts'
import type { FeedList } from '../lists/feed-list.ts'
import type { ListWalk, PageRequest, WalkRequest } from '../lists/feed-pages.ts'
import { type Feed, versionsOf } from '../lists/feeds.ts'
import {
  anyRef,
  anySymbol,
  anyText,
  type FilterValues,
  fullText,
  indexed,
  inSideTable,
  least,
  most,
} from '../lists/filters.ts'
import { KeptRecords } from '../lists/kept-records.ts'
import { Records } from '../lists/records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { inBranch } from '../topic-branches.ts'
import { ACTIVE_FOR, type Spread } from './cluster-doc.ts'
import { type ClusterAtEntry, listClustersAtEntries } from './cluster-history.ts'
import { growClusters, upsertClusters } from './cluster-writes.ts'

const CLUSTER_LIST = {
  table: 'clusters',
  filters: {
    search: fullText(),
    assetKey: inSideTable('cluster_assets', anyRef('asset_ref', 'assets', 'key')),
    ticker: inSideTable('cluster_assets', anySymbol('asset_ref')),
    symbol: inSideTable('cluster_assets', anySymbol('asset_ref')),
    assetId: inSideTable('cluster_assets', anyRef('asset_ref', 'assets', 'id')),
    topicSlug: inSideTable('cluster_topics', inBranch('topic_ref', 'slug')),
    topicId: inSideTable('cluster_topics', inBranch('topic_ref', 'id')),
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
} satisfies FeedList

export type ClusterFilters = FilterValues<typeof CLUSTER_LIST.filters>

const SHOWN_ENTRIES = 100
const HOURLY_UP_TO = 4 * DAY

export type Clusters = ReturnType<typeof clustersStore>

export const clusterRecords = (db: Db) => new Records<Cluster, typeof CLUSTER_LIST>(db, CLUSTER_LIST)

const DETAIL_BYTES = 1_000_000

/** `entries` is the feed of entries. */
export function clustersStore(db: Db, records: ReturnType<typeof clusterRecords>, entries: Feed) {
  const details = new KeptRecords<Json<ClusterDetail>>(
    db,
    async () => {
      const [own, { epoch }] = await Promise.all([records.head(), entries.head()])
      return [...versionsOf(own), epoch]
    },
    { maxBytes: DETAIL_BYTES, sizeOf: ({ size }) => size },
  )
  const closeInactive = (now: number) =>
    records.settle({ from: 'active', to: 'closed', column: 'last_published_at' }, now - ACTIVE_FOR)

  return {
    async page(request: PageRequest<ClusterFilters>, now: number): Promise<CursorPage<Cluster>> {
      await closeInactive(now)
      return records.page(request)
    },

    async walk(request: WalkRequest<ClusterFilters>, now: number): Promise<ListWalk> {
      await closeInactive(now)
      return records.walk(request)
    },

    async find(id: string, now: number): Promise<Cluster | undefined> {
      await closeInactive(now)
      const found = (await records.find('id', id)) ?? (await findMerged(db, id))
      return found && JSON.parse(found.doc)
    },

    /** Returns clusters by id. */
    async listById(ids: readonly string[], now: number): Promise<Map<string, Cluster>> {
      await closeInactive(now)
      const found = new Map<string, Cluster>()
      await forEachChunk(ids, async (params, list) => {
        const rows = await db.query<{ id: string; doc: string }>(
          `select c.id, d.doc from clusters c join clusters_docs d on d.seq = c.seq where c.id in (${list})`,
          params.values,
        )
        for (const { id, doc } of rows) found.set(id, JSON.parse(doc))
      })
      return found
    },

    /** Returns a cluster with its newest entries and its timeline. */
    async findWithEntries(id: string, now: number): Promise<Json<ClusterDetail> | undefined> {
      await closeInactive(now)
      return details.get(id.toLowerCase(), () => readDetail(db, records, id.toLowerCase()))
    },

    /** Returns the clusters of entries by entry seq; `firstSeq` is the first entry of the cluster. */
    async listByEntry(entrySeqs: readonly number[]): Promise<Map<number, { id: string; firstSeq: number }>> {
      const found = new Map<number, { id: string; firstSeq: number }>()
      await forEachChunk(entrySeqs, async (params, list) => {
        const rows = await db.query<{ seq: number; id: string; firstSeq: number }>(
          `select m.entry_seq as seq, c.id,
             (select min(o.entry_seq) from cluster_entries o where o.cluster_seq = m.cluster_seq) as "firstSeq"
           from cluster_entries m join clusters c on c.seq = m.cluster_seq where m.entry_seq in (${list})`,
          params.values,
        )
        for (const { seq, id, firstSeq } of rows) found.set(seq, { id, firstSeq })
      })
      return found
    },

    /** Returns the clusters of entries by entry seq, each with its members up to that entry. */
    listAtEntries: (entrySeqs: readonly number[]): Promise<Map<number, ClusterAtEntry>> =>
      listClustersAtEntries(db, entrySeqs),

    total: (): Promise<number> => records.total(),

    /** Adds clusters or replaces them by id; writes nothing if `lease` is lost. */
    upsert(clusters: readonly NewCluster[], now: number, lease?: Lease): Promise<void> {
      return records.write(async (tx) => {
        await lease?.verify(tx)
        await upsertClusters(tx, records, clusters, now)
      })
    },

    /** Adds entries to clusters; writes nothing if `lease` is lost. `importanceOf` scores the clusters anew. */
    grow(
      clusters: readonly ClusterGrowth[],
      importanceOf: (spread: Spread) => number,
      now: number,
      lease?: Lease,
    ): Promise<void> {
      return records.write(async (tx) => {
        await lease?.verify(tx)
        await growClusters(tx, records, clusters, importanceOf, now)
      })
    },
  }
}

async function readDetail(
  db: Db,
  records: ReturnType<typeof clusterRecords>,
  id: string,
): Promise<Json<ClusterDetail> | undefined> {
  const found = (await records.find('id', id)) ?? (await findMerged(db, id))
  if (found === undefined) return undefined
  const entries = await listEntryDocs(db, found.seq)
  const timeline = await listTimeline(db, found.seq, JSON.parse(found.doc))
  return Json.merge(found.doc, `{"entries":[${entries}],"timeline":${JSON.stringify(timeline)}}`)
}

/** Finds the cluster that a merged one is part of. */
async function findMerged(db: Db, id: string): Promise<{ seq: number; doc: string } | undefined> {
  const [row] = await db.query<{ seq: number; doc: string }>(
    `select d.seq, d.doc from merged_clusters m join clusters_docs d on d.seq = m.cluster_seq where m.id = $1`,
    [id],
  )
  return row
}

/** Returns the documents of the newest entries of a cluster, separated by commas. */
async function listEntryDocs(db: Db, seq: number): Promise<string> {
  const rows = await db.query<{ doc: string }>(
    `select e.doc from cluster_entries c join entries e on e.seq = c.entry_seq
     where c.cluster_seq = $1 order by c.published_at desc, c.entry_seq desc limit ${SHOWN_ENTRIES}`,
    [seq],
  )
  return rows.map(({ doc }) => doc).join(',')
}

/** Counts entries per hour, or per day for a long-lived cluster, without empty steps. */
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
