import { LRUCache } from 'lru-cache'
import type { Db, Queryable } from '../db.ts'
import type { Known } from '../known.ts'
import { sharedRead } from './shared-read.ts'

/**
 * The last seq of a feed, and an epoch that counts edits and deletions of its rows. A cached result is valid until the
 * head of its feed changes.
 */
export interface Head {
  seq: number
  epoch: number
}

/** Returns numbers of which one grows with each change of the feed. */
export const versionsOf = ({ seq, epoch }: Head): readonly number[] => [seq, epoch]

const HEAD_SQL = 'select last_seq as seq, epoch from feeds where name = $1'
/** The size of the cache: a total counts as one, and as one more for every 200 characters of its key. */
const CACHED_TOTALS = 10_000

/** An append-mostly table whose rows have a `seq` in commit order. */
export class Feed {
  readonly #db: Db
  readonly #name: string
  readonly #dependents: readonly Pick<Feed, 'changed'>[]
  // `max` would allocate room for all of them at once, in each of a dozen feeds.
  readonly #totals = new LRUCache<string, { count: Promise<number>; head: Head }>({
    maxSize: CACHED_TOTALS,
    sizeCalculation: (_, key) => 1 + Math.floor(key.length / 200),
  })
  readonly #read: () => Promise<Head>
  #head: Head | undefined
  #changes = 0

  /** A change of this feed may also change `dependents`. */
  constructor(db: Db, name: string, dependents: readonly Pick<Feed, 'changed'>[] = []) {
    this.#db = db
    this.#read = sharedRead(async () => {
      const [head] = await db.query<Head>(HEAD_SQL, [name])
      if (head === undefined) throw new Error(`no feed is called ${name}`)
      return head
    })
    this.#name = name
    this.#dependents = dependents
  }

  head(): Known<Head> {
    return this.#head ?? this.#readHead()
  }

  async #readHead(): Promise<Head> {
    const changes = this.#changes
    const head = await this.#read()
    // A head that was read while the feed changed may be older than the change.
    if (this.#db.exclusive && changes === this.#changes) this.#head = head
    return head
  }

  /** Clears the cached head. Call it after a transaction that used `append` or `touch`, whether or not it succeeded. */
  changed(): void {
    this.#changes += 1
    this.#head = undefined
    for (const feed of this.#dependents) feed.changed()
  }

  /** Locks out other writers of the feed until the transaction ends. */
  async lock(tx: Queryable): Promise<void> {
    await tx.query('update feeds set name = name where name = $1', [this.#name])
  }

  /** Reserves `count` seqs. Takes a row lock, so that transactions commit in the order of `seq`. */
  append(tx: Queryable, count: number, lastCreatedAt: number): Promise<ReservedSeqs> {
    return reserveSeqs(tx, this.#name, count, lastCreatedAt)
  }

  /** Marks that rows were edited or deleted. */
  async touch(tx: Queryable): Promise<void> {
    await tx.query('update feeds set epoch = epoch + 1 where name = $1', [this.#name])
  }

  /**
   * Returns the exact total at `head`: the count cached at an earlier head plus the rows since. `filter` is the cache
   * key, the JSON text of the filters. `count` counts the rows with from < seq <= to. Concurrent callers share one
   * count.
   */
  total(filter: string, head: Head, count: (from: number, to: number) => Promise<number>): Promise<number> {
    const cached = this.#totals.get(filter)
    if (cached?.head.seq === head.seq && cached.head.epoch === head.epoch) return cached.count
    const isBase = cached !== undefined && cached.head.epoch === head.epoch && cached.head.seq < head.seq
    const total = isBase
      ? Promise.all([cached.count, count(cached.head.seq, head.seq)]).then(([known, tail]) => known + tail)
      : count(0, head.seq)
    const entry = { count: total, head }
    this.#totals.set(filter, entry)
    // Drops a failed count from the cache, unless a newer one has replaced it.
    total.catch(() => this.#totals.get(filter) === entry && this.#totals.delete(filter))
    return total
  }
}

interface ReservedSeqs {
  firstSeq: number
  /** createdAt must not be lower. */
  createdAtFloor: number
}

/** Does the work of `Feed.append` where there is no `Feed`, such as in a procedure. */
export async function reserveSeqs(
  tx: Queryable,
  feed: string,
  count: number,
  lastCreatedAt: number,
): Promise<ReservedSeqs> {
  const [reserved] = await tx.query<{ last_seq: number; last_created_at: number }>(
    'update feeds set last_seq = last_seq + $2 where name = $1 returning last_seq, last_created_at',
    [feed, count],
  )
  if (reserved === undefined) throw new Error(`no feed is called ${feed}`)
  await tx.query('update feeds set last_created_at = $2 where name = $1 and last_created_at < $2', [
    feed,
    lastCreatedAt,
  ])
  return { firstSeq: reserved.last_seq - count + 1, createdAtFloor: reserved.last_created_at }
}

/**
 * Returns the version of all data. Every change of a feed or a catalogue increments a number of a feed, so their sum
 * grows with each of them.
 */
export async function readVersion(db: Queryable): Promise<number> {
  const [feeds] = await db.query<{ version: number }>(
    'select cast(sum(last_seq) + sum(epoch) as bigint) as version from feeds',
  )
  return feeds?.version ?? 0
}

/** Returns a function that calls `read` only if a feed or a catalogue has changed, and else returns the same object. */
export function untilChanged<T>(db: Db, read: () => Promise<T>): () => Promise<T> {
  let known: { version: number; result: Promise<T> } | undefined
  return async () => {
    // Read first: a cached result may be newer than its version, but not older. During a write, cached heads can make a result
    // older, so it is not kept.
    const version = db.writes === undefined ? await readVersion(db) : db.writes()
    if (version === undefined) return read()
    if (known?.version === version) return known.result
    const fresh = { version, result: read() }
    known = fresh
    fresh.result.catch(() => {
      if (known === fresh) known = undefined
    })
    return fresh.result
  }
}
