import type { NewCluster } from '../src/model/clusters.ts'
import { DAY, isoTime } from '../src/model/time.ts'
import type { SampleWorld } from '../src/sample/world/world.ts'
import { type BenchList, pathsOf } from './bench-list.ts'
import { insertCopies } from './copies.ts'

/** Small tables with figures derived from entries. */
export function catalogues(): BenchList {
  const queriesOf = (list: string, queries: Record<string, string>) => {
    const named = Object.entries(queries).map(([name, query]) => [`${list.slice(1)} ${name}`.trim(), query])
    return pathsOf(list, Object.fromEntries(named))
  }
  return {
    name: 'catalogues',
    isOfEntries: true,
    queries: {
      ...queriesOf('/assets', {
        '': '',
        'by symbol': 'sortBy=symbol:asc',
        'by entryCount24h': 'sortBy=entryCount24h:desc',
        'by updatedAt': 'sortBy=updatedAt:desc',
        type: 'type=equity',
        hasEntries: 'hasEntries=true',
        search: 'search=corp',
      }),
      ...queriesOf('/topics', {
        '': '',
        'by entryCount': 'sortBy=entryCount:desc',
        'by entryCount24h': 'sortBy=entryCount24h:desc',
        isLeaf: 'isLeaf=true',
        search: 'search=bank',
      }),
      ...queriesOf('/topics/tree', { '': '', maxDepth: 'maxDepth=1' }),
      ...queriesOf('/topics/companies/entries', { '': '', 'without descendants': 'includeDescendants=false' }),
      ...queriesOf('/topics/earnings/entries', { '': '', language: 'language=de', search: 'search=profit' }),
      ...queriesOf('/publishers', {
        '': '',
        'by entryCount24h': 'sortBy=entryCount24h:desc',
        'by lastEntryAt': 'sortBy=lastEntryAt:desc',
        countryCode: 'countryCode=US',
        search: 'search=daily',
      }),
    },
  }
}

export function clusterList(world: SampleWorld, now: number): BenchList {
  const ago = isoTime(now - 3 * DAY)
  return {
    name: 'clusters',
    isOfEntries: true,
    rows: {
      tables: ['clusters', 'cluster_assets', 'cluster_topics', 'cluster_languages', 'cluster_entries'],
      // Each entry is in one cluster, and a cluster has two entries on average.
      perEntry: 0.5,
      fill({ store, db, count }) {
        let done = 0
        return insertCopies(
          world.clusters,
          { count, now, idOf: ({ id }) => id },
          (cluster, copy) => ({
            ...cluster,
            id: copy.id(cluster.id),
            importanceScore: copy.near(cluster.importanceScore, 3),
          }),
          async (batch) => {
            const sizes = batch.map((_, place) => 1 + (place % 3))
            const needed = sizes.reduce((sum, size) => sum + size, 0)
            const ids = await db.query<{ id: string }>(
              `select id from entries where seq > $1 order by seq limit ${needed}`,
              [done],
            )
            done += needed
            await store.clusters.upsert(
              batch.map((cluster, place) => withEntries(cluster, ids.splice(0, sizes[place]))),
              now,
            )
          },
        )
      },
    },
    queries: pathsOf('/clusters', {
      page: '',
      'oldest first': 'sortBy=lastPublishedAt:asc',
      'by importanceScore': 'sortBy=importanceScore:desc',
      'by entryCount': 'sortBy=entryCount:desc',
      'assetKey (common)': 'assetKey=AAPL',
      'assetKey (rare)': 'assetKey=SAP.DE',
      topicSlug: 'topicSlug=earnings',
      'topicSlugs, two': 'topicSlug=earnings,bitcoin',
      language: 'language=de',
      'status (common)': 'status=closed',
      'status (rare)': 'status=active',
      entryCountMin: 'entryCountMin=3',
      publisherCountMin: 'publisherCountMin=2',
      sentimentScoreMin: 'sentimentScoreMin=0.5',
      lastPublishedAfter: `lastPublishedAfter=${ago}`,
      lastPublishedBefore: `lastPublishedBefore=${ago}`,
      'assetKey by importanceScore': 'assetKey=AAPL&sortBy=importanceScore:desc',
      'language by importanceScore': 'language=de&sortBy=importanceScore:desc',
      'lastPublishedAfter by importanceScore': `lastPublishedAfter=${ago}&sortBy=importanceScore:desc`,
      'assetKey and language': 'assetKey=AAPL&language=de',
      'search (common)': 'search=billion',
      'search (rare)': 'search=piled',
    }),
  }
}

function withEntries(cluster: NewCluster, entries: readonly { id: string }[]): NewCluster {
  const entryIds = entries.map(({ id }) => id)
  return { ...cluster, entryIds, representativeEntryId: entryIds[0] ?? '' }
}
