import type { Db } from '../db.ts'
import { Params } from '../sql.ts'

/** Filters combine with AND; the values of one list with OR. */
export interface EntryFilters {
  search?: string
  /** Entries about a topic, or also about those below it. */
  inTopic?: { id: string; withDescendants: boolean }
  hasAssets?: boolean
  assetKey?: string[]
  assetId?: string[]
  topicSlug?: string[]
  topicId?: string[]
  publisherSlug?: string[]
  publisherId?: string[]
  language?: string[]
  countryCode?: string[]
  sentimentScoreMin?: number
  sentimentScoreMax?: number
  publishedAfter?: number
  publishedBefore?: number
}

/** A filter on one of several values. The first of a query may drive, so the most selective come first. */
export interface ListFilter {
  table: 'entries' | 'entry_assets' | 'entry_topics'
  column: string
  values: readonly (string | number)[]
  /** The condition on an entry `e` when another filter drives. What it tests must not tempt the planner to an index. */
  test(values: string): string
}

export async function listFilters(db: Db, filters: EntryFilters): Promise<ListFilter[]> {
  const { language, countryCode, hasAssets } = filters
  return [
    ...(filters.inTopic === undefined ? [] : [await topicFilter(db, filters.inTopic)]),
    ...(await refs(db, 'assets', 'key', filters.assetKey, filters.assetId)).map((values) =>
      sideTable('entry_assets', 'asset_ref', values),
    ),
    ...(await refs(db, 'topics', 'slug', filters.topicSlug, filters.topicId)).map((values) =>
      sideTable('entry_topics', 'topic_ref', values),
    ),
    ...(await refs(db, 'publishers', 'slug', filters.publisherSlug, filters.publisherId)).map((values) =>
      column('publisher_ref', values, '+e.publisher_ref'),
    ),
    ...(countryCode === undefined ? [] : [column('country_code', countryCode, "(e.country_code || '')")]),
    ...(language === undefined ? [] : [column('language', language, "(e.language || '')")]),
    ...(hasAssets === undefined ? [] : [column('has_assets', [hasAssets ? 1 : 0], '+e.has_assets')]),
  ]
}

async function topicFilter(db: Db, topic: NonNullable<EntryFilters['inTopic']>): Promise<ListFilter> {
  const rows = await db.query<{ ref: number }>(
    topic.withDescendants
      ? `with recursive tree (id, ref) as (
           select id, ref from topics where id = $1
           union all
           select t.id, t.ref from topics t join tree on t.parent_id = tree.id
         )
         select ref from tree order by ref`
      : 'select ref from topics where id = $1',
    [topic.id],
  )
  return sideTable(
    'entry_topics',
    'topic_ref',
    rows.map(({ ref }) => ref),
  )
}

function sideTable(table: 'entry_assets' | 'entry_topics', name: string, values: readonly number[]): ListFilter {
  const test = (list: string) => `exists (select 1 from ${table} t where t.seq = e.seq and t.${name} in (${list}))`
  return { table, column: name, values, test }
}

function column(name: string, values: readonly (string | number)[], untempting: string): ListFilter {
  return { table: 'entries', column: name, values, test: (list) => `${untempting} in (${list})` }
}

/** What two filters on the same noun, by natural key and by id, refer to: a list per filter given. */
async function refs(
  db: Db,
  table: string,
  keyColumn: string,
  keys: string[] | undefined,
  ids: string[] | undefined,
): Promise<number[][]> {
  const lists: number[][] = []
  if (keys === undefined && ids === undefined) return lists
  for (const [name, values] of [
    [keyColumn, keys],
    ['id', ids],
  ] as const) {
    if (values === undefined) continue
    const params = new Params()
    const rows = await db.query<{ ref: number }>(
      `select ref from ${table} where ${name} in (${params.list(values)}) order by ref`,
      params.values,
    )
    lists.push(rows.map((row) => row.ref))
  }
  return lists
}
