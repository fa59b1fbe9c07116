import type { OffsetPage } from '../model/paging.ts'
import { isoTime } from '../model/time.ts'
import type { NewTopic, Topic, TopicChange, TopicNode, TopicWords } from '../model/topics.ts'
import { recountTopics } from './counts/count-changes.ts'
import type { Counts } from './counts/counts.ts'
import type { Db, Queryable, Transaction, Value } from './db.ts'
import { Catalogue, type CatalogueList } from './lists/catalogue.ts'
import {
  catalogueVersion,
  rowsWritten,
  type Upserted,
  type UpsertOptions,
  upsertRows,
} from './lists/catalogue-writes.ts'
import type { OffsetRequest } from './lists/feed-pages.ts'
import type { Feed } from './lists/feeds.ts'
import { anyNumber, anyText, type FilterValues, flagFilter, inNames, wordsColumn } from './lists/filters.ts'
import { countRows, insertRecords } from './sql.ts'
import { type Branches, branchesOf, changeTree, readTree, type TreeRow } from './topic-tree.ts'

const TOPICS = `select t.*, c.total, c.day, p.slug as parent_slug,
    case when exists (select 1 from topics k where k.parent_id = t.id) then 0 else 1 end as is_leaf
  from topics t join topic_counts c on c.ref = t.ref left join topics p on p.id = t.parent_id`

const TOPIC_LIST = {
  table: 'topics',
  rows: TOPICS,
  filters: {
    search: inNames(),
    parentId: anyText('parent_id'),
    parentSlug: anyText('parent_slug'),
    depth: anyNumber('depth'),
    isLeaf: flagFilter('is_leaf'),
  },
  sorts: { name: 'sort_name', entryCount: 'total', entryCount24h: 'day' },
} satisfies CatalogueList

export type TopicFilters = FilterValues<typeof TOPIC_LIST.filters>

export type Topics = ReturnType<typeof topicsStore>

/** What is listed by topic: changes when a topic moves. Locked in this order. */
interface ListedByTopic {
  entries: Feed
  clusters: Pick<Feed, 'touch' | 'changed'>
  predictionMarkets: Pick<Feed, 'touch' | 'changed'>
}

export function topicsStore(db: Db, counts: Counts, { entries, clusters, predictionMarkets }: ListedByTopic) {
  const { catalogues } = counts
  const catalogue = new Catalogue<TopicRow, Topic>(db, TOPIC_LIST, (rows) => rows.map(toTopic))

  return {
    async page(request: OffsetRequest<TopicFilters>, now: number): Promise<OffsetPage<Topic>> {
      return catalogue.page(request, await counts.settle(now))
    },

    async find(idOrSlug: string, now: number): Promise<Topic | undefined> {
      return catalogue.find('t.id = $1 or t.slug = $1', [idOrSlug.toLowerCase()], await counts.settle(now))
    },

    async findId(idOrSlug: string): Promise<string | undefined> {
      const [row] = await db.query<{ id: string }>('select id from topics where id = $1 or slug = $1', [
        idOrSlug.toLowerCase(),
      ])
      return row?.id
    },

    /** Lists all topics with the terms that assign entries to them. */
    listWords: () =>
      db.query<TopicWords>(
        `select t.slug, t.name, p.slug as "parentSlug", t.terms
         from topics t left join topics p on p.id = t.parent_id order by t.ref`,
      ),

    /** Returns a text that changes whenever a topic is added or edited. */
    version: (): Promise<string> => catalogueVersion(db, 'topics'),

    /**
     * Returns topics as trees, ordered by name. Returns undefined if there is no topic `rootSlug`.
     */
    async tree(branches: Branches): Promise<TopicNode[] | undefined> {
      const { epoch: version } = await catalogues.head()
      const read = async () => {
        const rows = await db.query<TreeRow>(
          `select t.id, t.slug, t.name, t.parent_id, t.depth, c.total
           from topics t join topic_counts c on c.ref = t.ref order by t.sort_name, t.ref`,
        )
        return branchesOf(rows, branches)
      }
      return catalogue.cached(`tree ${JSON.stringify(branches)}`, version, read, () => TREE_ROWS)
    },

    /** Adds topics; existing ones stay as they are. Parents must come before their children. */
    insert(topics: readonly NewTopic[], now: number): Promise<void> {
      const written = db.transaction(async (tx) => {
        const paths = await pathsOf(tx, topics)
        const records = topics.map((topic) => ({
          ...toRow({ ...topic, terms: null }, paths.get(topic.id) ?? []),
          created_at: now,
          updated_at: now,
        }))
        await insertRecords(tx, 'topics', records, 'on conflict do nothing')
        await topicsWritten(tx)
      })
      return written.finally(() => catalogues.changed())
    },

    /** Updates existing topics by slug and adds the others. Parents must come before their children. */
    async upsert(changes: readonly TopicChange[], now: number, options: UpsertOptions = {}): Promise<Upserted> {
      try {
        return await db.transaction(
          async (tx) => {
            const { outcome, rows, hasMoved } = changeTree(await readTree(tx), changes, options)
            const records = rows.map(({ topic, parentId, path }) => toRow({ ...topic, parentId }, path))
            await upsertRows(tx, 'topics', 'slug', records, now)
            // A topic stands for its branch in filters and counts, so a moved branch changes them.
            if (hasMoved) {
              for (const list of [entries, clusters, predictionMarkets]) await list.touch(tx)
              await recountTopics(tx)
            }
            if (records.length > 0) await topicsWritten(tx)
            return outcome
          },
          'topics',
          true,
        )
      } finally {
        for (const list of [entries, clusters, predictionMarkets]) list.changed()
      }
    },

    count: () => countRows(db, 'topics'),
  }
}

/** The size of a tree in the cache, in rows. */
const TREE_ROWS = 50

/** Marks all topics: a change of one may change its parents. */
async function topicsWritten(tx: Transaction): Promise<void> {
  const topics = await tx.query<{ id: string }>('select id from topics')
  await rowsWritten(
    tx,
    'topics',
    'id',
    topics.map(({ id }) => id),
  )
}

/** Returns the slugs from the root down to each topic, by topic id. */
async function pathsOf(tx: Queryable, topics: readonly NewTopic[]): Promise<Map<string, string[]>> {
  const known = await tx.query<{ id: string; path: string }>('select id, path from topics')
  const paths = new Map(known.map(({ id, path }): [string, string[]] => [id, JSON.parse(path)]))
  for (const { id, slug, parentId } of topics) {
    const parent = parentId === null ? [] : paths.get(parentId)
    if (parent === undefined) throw new Error(`the parent of the topic ${slug} is not in the store`)
    paths.set(id, [...parent, slug])
  }
  return paths
}

function toRow(topic: NewTopic & Pick<TopicWords, 'terms'>, path: readonly string[]): Record<string, Value> {
  return {
    id: topic.id,
    slug: topic.slug,
    name: topic.name,
    sort_name: topic.name.toLowerCase(),
    words: wordsColumn(`${topic.name} ${topic.slug}`),
    description: topic.description,
    parent_id: topic.parentId,
    path: JSON.stringify(path),
    depth: path.length - 1,
    terms: topic.terms,
  }
}

interface TopicRow {
  ref: number
  id: string
  slug: string
  name: string
  description: string | null
  parent_id: string | null
  parent_slug: string | null
  path: string
  depth: number
  is_leaf: number
  total: number
  day: number
  created_at: number
  updated_at: number
}

function toTopic(row: TopicRow): Topic {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    parentId: row.parent_id,
    parentSlug: row.parent_slug,
    path: JSON.parse(row.path),
    depth: row.depth,
    isLeaf: row.is_leaf === 1,
    entryCount: row.total,
    entryCount24h: row.day,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}
