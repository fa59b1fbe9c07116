import { setImmediate } from 'node:timers/promises'
import type { Entry } from '../../model/entries.ts'
import { HOUR } from '../../model/time.ts'
import type { Db, Queryable, Transaction } from '../db.ts'
import { Feed } from '../lists/feeds.ts'
import { refsBy } from '../lists/refs.ts'
import { CountChanges, type CountedEntry, type WindowName } from './count-changes.ts'

/** Entries that cross a window's edge per transaction. */
const CHUNK = 1_000

/** A window that lags this far is moved even if no entry leaves it, so that an import of old entries stays out of it. */
const MAX_LAG = HOUR

export type Counts = ReturnType<typeof countsStore>

/**
 * Numbers of entries per asset, topic and publisher, in the tables asset_counts, topic_counts and publisher_counts.
 * Inserting and removing entries updates them; the passing of time is applied before a read (`settle`).
 */
export function countsStore(db: Db) {
  const feed = new Feed(db, 'entries')
  let last: Promise<void> = Promise.resolve()

  async function settleDue(now: number): Promise<void> {
    for (;;) {
      const due = await findDue(db, now)
      if (due === undefined) return
      await db.transaction((tx) => moveWindow(tx, feed, due, now))
      // Other requests run between two chunks.
      await setImmediate()
    }
  }

  return {
    /**
     * Makes the counts exact for `now`: an entry is in a window if publishedAt > now - the window's length. Costs one index
     * lookup if nothing has changed. Await it before reading counts and before inserting an archive of old entries.
     */
    async settle(now: number): Promise<void> {
      if ((await findDue(db, now)) === undefined) return
      // Concurrent calls wait for the first and find nothing left to do.
      const result = last.then(() => settleDue(now))
      last = result.catch(() => {})
      await result
    },
  }
}

/** Finds a window whose counts are stale: entries have left it, or the clock went back and they are in it again. */
async function findDue(db: Queryable, now: number): Promise<WindowName | undefined> {
  const [due] = await db.query<{ name: WindowName }>(
    `select w.name from count_windows w
     where w.left_until < $1 - w.length_ms - ${MAX_LAG}
       or (select e.published_at from entries e
           where e.published_at > w.left_until and e.published_at <= $1 - w.length_ms
           order by e.published_at limit 1) is not null
       or (select e.published_at from entries e
           where e.published_at <= w.left_until and e.published_at > $1 - w.length_ms
           order by e.published_at limit 1) is not null
     limit 1`,
    [now],
  )
  return due?.name
}

/** Moves a window towards `now`, past one chunk of entries. */
async function moveWindow(tx: Transaction, feed: Feed, name: WindowName, now: number): Promise<void> {
  // The lock keeps writers from using the old boundary while it moves.
  await feed.lock(tx)
  const [window] = await tx.query<{ length_ms: number; left_until: number }>(
    'select length_ms, left_until from count_windows where name = $1',
    [name],
  )
  if (window === undefined) throw new Error(`there is no count window ${name}`)
  const goal = now - window.length_ms
  const isForward = goal > window.left_until
  const [low, high] = isForward ? [window.left_until, goal] : [goal, window.left_until]
  const [edge] = await tx.query<{ published_at: number }>(
    `select published_at from entries where published_at > $1 and published_at <= $2
     order by published_at ${isForward ? 'asc' : 'desc'} limit 1 offset ${CHUNK - 1}`,
    [low, high],
  )
  // Entries published in the same millisecond cross together.
  const reached = edge === undefined ? goal : isForward ? edge.published_at : edge.published_at - 1
  const crossed = isForward ? [low, reached] : [reached, high]
  const rows = await tx.query<CountedRow>(
    `select publisher_ref, published_at, sentiment_score, doc from entries
     where published_at > $1 and published_at <= $2`,
    crossed,
  )
  await CountChanges.moved(tx, await countedEntries(tx, rows), name, isForward ? -1 : 1)
  await tx.query('update count_windows set left_until = $2 where name = $1', [name, reached])
}

export interface CountedRow {
  publisher_ref: number
  published_at: number
  sentiment_score: number | null
  doc: string
}

/** Reads assets and topics from the documents, because the side tables are not indexed by entry. */
export async function countedEntries(tx: Queryable, rows: readonly CountedRow[]): Promise<CountedEntry[]> {
  const docs = rows.map((row): Entry => JSON.parse(row.doc))
  const assets = await refsBy(
    tx,
    'assets',
    'key',
    docs.flatMap((doc) => doc.assetKeys),
  )
  const topics = await refsBy(
    tx,
    'topics',
    'slug',
    docs.flatMap((doc) => doc.topicSlugs),
  )
  const refsOf = (found: Map<string, { ref: number }>, keys: readonly string[]) =>
    keys.flatMap((key) => found.get(key)?.ref ?? [])
  return rows.map((row, index) => ({
    publisherRef: row.publisher_ref,
    assetRefs: refsOf(assets, docs[index]?.assetKeys ?? []),
    topicRefs: refsOf(topics, docs[index]?.topicSlugs ?? []),
    publishedAt: row.published_at,
    sentimentScore: row.sentiment_score,
  }))
}
