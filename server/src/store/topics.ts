import type { OffsetPage } from '../model/paging.ts'
import { isoTime } from '../model/time.ts'
import type { NewTopic, Topic, TopicChange, TopicNode, TopicWords } from '../model/topics.ts'
import { addCountRows } from './counts/count-rows.ts'
import type { Counts } from './counts/counts.ts'
import type { Db, Queryable, Value } from './db.ts'
import { type CatalogueList, readCatalogue } from './lists/catalogue.ts'
import { catalogueVersion, type Upserted, upsertRows } from './lists/catalogue-writes.ts'
import type { OffsetRequest } from './lists/feed-pages.ts'
import type { Feed } from './lists/feeds.ts'
import { anyNumber, anyText, type FilterValues, flagFilter, fullText, wordsColumn } from './lists/filters.ts'
import { countRows, insertRecords } from './sql.ts'
import { changeTree, readTree } from './topic-tree.ts'

const TOPICS = `select t.*, c.total, c.day, p.slug as parent_slug,
    case when exists (select 1 from topics k where k.parent_id = t.id) then 0 else 1 end as is_leaf
  from topics t join topic_counts c on c.ref = t.ref left join topics p on p.id = t.parent_id`

const TOPIC_LIST = {
  rows: TOPICS,
  filters: {
    search: fullText(),
    parentId: anyText('parent_id'),
    parentSlug: anyText('parent_slug'),
    depth: anyNumber('depth'),
    isLeaf: flagFilter('is_leaf'),
  },
  sorts: { name: 'sort_name', entryCount: 'total', entryCount24h: 'day' },
} satisfies CatalogueList

export type TopicFilters = FilterValues<typeof TOPIC_LIST.filters>

export type Topics = ReturnType<typeof topicsStore>

export function topicsStore(db: Db, counts: Counts, entries: Feed) {
  return {
    async page(request: OffsetRequest<TopicFilters>, now: number): Promise<OffsetPage<Topic>> {
      await counts.settle(now)
      const { rows, totalCount } = await readCatalogue<TopicRow>(db, TOPIC_LIST, request)
      return { data: rows.map(toTopic), totalCount }
    },

    async find(idOrSlug: string, now: number): Promise<Topic | undefined> {
      await counts.settle(now)
      const [row] = await db.query<TopicRow>(`select * from (${TOPICS}) t where t.id = $1 or t.slug = $1`, [
        idOrSlug.toLowerCase(),
      ])
      return row && toTopic(row)
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

    /** Returns all topics as trees, ordered by name; a node counts its own entries and those of its descendants. */
    async tree(): Promise<TopicNode[]> {
      const rows = await db.query<TreeRow>(
        `select t.id, t.slug, t.name, t.parent_id, t.depth, c.total
         from topics t join topic_counts c on c.ref = t.ref order by t.sort_name, t.ref`,
      )
      return branchesOf(
        Map.groupBy(rows, (row) => row.parent_id),
        null,
      )
    },

    /** Adds topics; existing ones stay as they are. Parents must come before their children. */
    insert(topics: readonly NewTopic[], now: number): Promise<void> {
      return db.transaction(async (tx) => {
        const paths = await pathsOf(tx, topics)
        const records = topics.map((topic) => ({
          ...toRow({ ...topic, terms: null }, paths.get(topic.id) ?? []),
          created_at: now,
          updated_at: now,
        }))
        await insertRecords(tx, 'topics', records, 'on conflict do nothing')
        await addCountRows(tx, 'topic')
      })
    },

    /** Updates existing topics by slug and adds the others. Parents must come before their children. */
    async upsert(changes: readonly TopicChange[], now: number): Promise<Upserted> {
      try {
        return await db.transaction(async (tx) => {
          const { outcome, rows, hasMoved } = changeTree(await readTree(tx), changes)
          const records = rows.map(({ topic, parentId, path }) => toRow({ ...topic, parentId }, path))
          await upsertRows(tx, 'topics', 'slug', records, now)
          await addCountRows(tx, 'topic')
          // Entries are listed and counted by branch, so a moved branch changes lists.
          if (hasMoved) await entries.touch(tx)
          return outcome
        }, 'topics')
      } finally {
        entries.changed()
      }
    },

    count: () => countRows(db, 'topics'),
  }
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

interface TreeRow {
  id: string
  slug: string
  name: string
  parent_id: string | null
  depth: number
  total: number
}

function branchesOf(rowsByParent: ReadonlyMap<string | null, TreeRow[]>, parentId: string | null): TopicNode[] {
  return (rowsByParent.get(parentId) ?? []).map(({ id, slug, name, depth, total }) => {
    const children = branchesOf(rowsByParent, id)
    const entryCount = children.reduce((sum, child) => sum + child.entryCount, total)
    return { id, slug, name, depth, entryCount, children }
  })
}

interface TopicRow {
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
