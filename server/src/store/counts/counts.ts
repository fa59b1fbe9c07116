import { setImmediate } from 'node:timers/promises'
import type { Entry } from '../../model/entries.ts'
import { HOUR } from '../../model/time.ts'
import type { Db, Queryable, Transaction } from '../db.ts'
import { CATALOGUES } from '../lists/catalogue-changes.ts'
import { Feed } from '../lists/feeds.ts'
import { refsBy } from '../lists/refs.ts'
import { topicRefsOf } from '../topic-branches.ts'
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
  const catalogues = new Feed(db, CATALOGUES)
  const entries = new Feed(db, 'entries')
  let settled: { version: number; from: number; until: number } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const isSettled = (version: number, now: number) =>
    settled?.version === version && settled.from <= now && now < settled.until

  async function settleDue(now: number): Promise<number> {
    for (;;) {
      // Read before the windows: they may be newer than their version, but not older.
      const { epoch: version } = await catalogues.head()
      if (isSettled(version, now)) return version
      const windows = await readWindows(db)
      const due = windows.find(({ from, until }) => now < from || now >= until)
      if (due === undefined) {
        const from = Math.max(...windows.map((window) => window.from))
        settled = { version, from, until: Math.min(...windows.map((window) => window.until)) }
        return version
      }
      await db.transaction((tx) => moveWindow(tx, entries, due.name, now)).finally(() => catalogues.changed())
      // Other requests run between two chunks.
      await setImmediate()
    }
  }

  return {
    /** The version of the catalogues, which every change of a count increments. */
    catalogues,

    /**
     * Makes the counts exact for `now`: an entry is in a window if publishedAt > now - the window's length. Returns the
     * version of the catalogues. Await it before reading counts and before inserting an archive of old entries.
     */
    async settle(now: number): Promise<number> {
      const { epoch: version } = await catalogues.head()
      if (isSettled(version, now)) return version
      // Concurrent calls wait for the first and find nothing left to do.
      const result = last.then(() => settleDue(now))
      last = result.catch(() => {})
      return result
    },
  }
}

/** Returns the times from which and until which the counts of each window are exact if no entry comes or goes. */
async function readWindows(db: Queryable): Promise<{ name: WindowName; from: number; until: number }[]> {
  const windows = await db.query<WindowRow>(
    `select w.name, w.length_ms, w.left_until,
       (select e.published_at from entries e where e.published_at <= w.left_until
        order by e.published_at desc limit 1) as last_outside,
       (select e.published_at from entries e where e.published_at > w.left_until
        order by e.published_at limit 1) as first_inside
     from count_windows w`,
  )
  return windows.map(({ name, length_ms, left_until, last_outside, first_inside }) => ({
    name,
    from: (last_outside ?? Number.NEGATIVE_INFINITY) + length_ms,
    until: Math.min((first_inside ?? Number.POSITIVE_INFINITY) + length_ms, left_until + length_ms + MAX_LAG + 1),
  }))
}

interface WindowRow {
  name: WindowName
  length_ms: number
  left_until: number
  last_outside: number | null
  first_inside: number | null
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
    `select publisher_ref, published_at, sentiment_score, asset_scores, doc from entries
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
  asset_scores: string | null
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
  const topics = await topicRefsOf(
    tx,
    docs.map((doc) => doc.topicSlugs),
  )
  return rows.map((row, index) => ({
    publisherRef: row.publisher_ref,
    ...assetsOf(row, docs[index]?.assetKeys ?? [], assets),
    topicRefs: topics[index]?.own ?? [],
    countedTopicRefs: topics[index]?.counted ?? [],
    publishedAt: row.published_at,
    sentimentScore: row.sentiment_score,
  }))
}

/** Returns the assets that the store has, with their scores. */
function assetsOf(
  { asset_scores }: CountedRow,
  keys: readonly string[],
  refs: ReadonlyMap<string, { ref: number }>,
): Pick<CountedEntry, 'assetRefs' | 'assetScores'> {
  const scores: (number | null)[] | null = asset_scores === null ? null : JSON.parse(asset_scores)
  const known = keys.flatMap((key, index) => {
    const ref = refs.get(key)?.ref
    return ref === undefined ? [] : [{ ref, score: scores?.[index] ?? null }]
  })
  return {
    assetRefs: known.map(({ ref }) => ref),
    assetScores: scores === null ? null : known.map(({ score }) => score),
  }
}
