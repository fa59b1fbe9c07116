import type { Entry } from '../../model/entries.ts'
import type { Queryable } from '../db.ts'
import { refsBy } from '../lists/refs.ts'
import { wordsOf } from './entry-batch.ts'

/** A new or changed entry, with the values that filters compare. Its id is the position in the log of changes. */
export interface EntryEvent {
  id: number
  change: 'new' | 'updated'
  doc: string
  entry: Entry
  publisher: { id: string; slug: string }
  countryCode: string | null
  assets: readonly { id: string; key: string; symbol: string }[]
  /** Its topics and all topics above them. */
  topics: readonly { id: string; slug: string }[]
  /** The words of its text, each between spaces. */
  words: string
}

interface EventRow {
  position: number
  action: 'insert' | 'revision'
  doc: string
  countryCode: string | null
  publisherId: string
  publisherSlug: string
  content: string | null
}

/** Lists new and changed entries with after < position <= upTo, in the order of commits. */
export async function listEntryEvents(
  db: Queryable,
  after: number,
  upTo: number,
  limit: number,
): Promise<EntryEvent[]> {
  const rows = await db.query<EventRow>(
    `select c.position, c.action, e.doc, e.country_code as "countryCode", p.id as "publisherId",
       p.slug as "publisherSlug", t.content
     from (
       select position, action, ref from changes
       where source = 'entries' and position > $1 and position <= $2 and action <> 'removal'
       order by position limit ${Math.trunc(limit)}
     ) c
     join entries e on e.seq = c.ref
     join publishers p on p.ref = e.publisher_ref
     left join entry_contents t on t.seq = e.seq
     order by c.position`,
    [after, upTo],
  )
  const entries = rows.map(({ doc }): Entry => JSON.parse(doc))
  const assets = await refsBy<EventAsset>(
    db,
    'assets',
    'key',
    entries.flatMap(({ assetKeys }) => assetKeys),
    ['id', 'key', 'symbol'],
  )
  const branches = await branchesOf(
    db,
    entries.flatMap(({ topicSlugs }) => topicSlugs),
  )
  return rows.map((row, place) => {
    const entry = entries[place] as Entry
    return {
      id: row.position,
      change: row.action === 'insert' ? 'new' : 'updated',
      doc: row.doc,
      entry,
      publisher: { id: row.publisherId, slug: row.publisherSlug },
      countryCode: row.countryCode,
      assets: entry.assetKeys.flatMap((key) => assets.get(key) ?? []),
      topics: entry.topicSlugs.flatMap((slug) => branches.get(slug) ?? []),
      words: ` ${wordsOf({ ...entry, content: row.content })} `,
    }
  })
}

interface EventAsset {
  ref: number
  id: string
  key: string
  symbol: string
}

interface EventTopic {
  ref: number
  id: string
  slug: string
  path: string
}

/** Returns topics with all topics above them, by slug. */
async function branchesOf(db: Queryable, slugs: readonly string[]): Promise<Map<string, EventTopic[]>> {
  const columns = ['id', 'slug', 'path'] as const
  const own = await refsBy<EventTopic>(db, 'topics', 'slug', slugs, columns)
  const pathOf = ({ path }: EventTopic): string[] => JSON.parse(path)
  const all = await refsBy<EventTopic>(db, 'topics', 'slug', [...own.values()].flatMap(pathOf), columns)
  return new Map([...own].map(([slug, topic]) => [slug, pathOf(topic).flatMap((above) => all.get(above) ?? [])]))
}

/** Returns the position after the last change of an entry before a time. */
export async function findPositionAt(db: Queryable, time: number, head: number): Promise<number> {
  let [low, high] = [1, head + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [next] = await db.query<{ position: number; at: number }>(
      `select position, at from changes where source = 'entries' and position >= $1 order by position limit 1`,
      [middle],
    )
    if (next === undefined || next.at >= time) high = middle
    else low = next.position + 1
  }
  return low
}
