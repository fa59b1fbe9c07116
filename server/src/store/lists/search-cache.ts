import { LRUCache } from 'lru-cache'
import type { Db, SearchTerms, Value } from '../db.ts'
import { Params } from '../sql.ts'
import type { Feed, Head } from './feeds.ts'

const CACHED_BYTES = 4_000_000

/** Rows of the feed to search at once, so that the numbers of the hits are parsed in a few milliseconds. */
const ROWS_AT_ONCE = 250_000

/** The sort keys of all matches, in the order of a list. */
export interface SortedKeys {
  values: Float64Array
  seqs: Uint32Array
}

const BYTES_PER_KEY = 12
/** As many matches as are kept in the order of a list. */
export const MAX_SORTED = 333_000

/** The rows that match a search, a bit for each row of the feed up to `head`. */
interface Hits {
  head: Head
  bits: Uint8Array
}

/**
 * Results of recent searches, valid until the feed changes. The matches of a search are not in the order of a sort, so
 * every page would read all of them again, or ask the full-text index for one row after another whether it is a hit,
 * which takes the longer the more hits there are.
 */
export class SearchCache {
  readonly #db: Db
  readonly #feed: Feed
  readonly #table: string
  readonly #hits = new LRUCache<string, Hits>({ maxSize: CACHED_BYTES })
  readonly #sorted = new LRUCache<string, SortedKeys>({ maxSize: CACHED_BYTES })

  constructor(db: Db, feed: Feed, table: string) {
    this.#db = db
    this.#feed = feed
    this.#table = table
  }

  /** Returns the result of `sort` for the same query, if it is known and still valid. */
  async findSorted(sql: string, params: readonly Value[]): Promise<SortedKeys | undefined> {
    return this.#sorted.get(await this.#keyOf(sql, params))
  }

  /** Returns the sort keys of all matches, which `sql` reads in the order of the list. */
  async sort(sql: string, params: readonly Value[], column: string): Promise<SortedKeys> {
    const key = await this.#keyOf(sql, params)
    const columns = await this.#readColumns(sql, params, [column, 'seq'])
    const keys = { values: Float64Array.from(columns[column] ?? []), seqs: Uint32Array.from(columns.seq ?? []) }
    this.#sorted.set(key, keys, { size: keys.seqs.length * BYTES_PER_KEY + key.length })
    return keys
  }

  /** The parameters contain the last seq, so only the epoch is missing. */
  async #keyOf(sql: string, params: readonly Value[]): Promise<string> {
    return JSON.stringify([(await this.#feed.head()).epoch, sql, params])
  }

  /** Returns a test for the seq of a row. */
  async hits(terms: SearchTerms): Promise<(seq: number) => boolean> {
    const { search } = this.#db.dialect
    const value = search.queryValue(terms)
    const head = await this.#feed.head()
    const known = this.#hits.get(value)
    const isCurrent = known?.head.epoch === head.epoch && known.head.seq === head.seq
    const bits = isCurrent
      ? known.bits
      : await this.#read(value, known?.head.epoch === head.epoch ? known : undefined, head)
    this.#hits.set(value, { head, bits }, { size: bits.length + value.length + 1 })
    return (seq) => ((bits[seq >> 3] ?? 0) & (1 << (seq & 7))) !== 0
  }

  /** Reads the hits, only those of new rows if older ones are known. */
  async #read(value: string, known: Hits | undefined, head: Head): Promise<Uint8Array> {
    const bits = new Uint8Array((head.seq >> 3) + 1)
    const start = known !== undefined && known.head.seq <= head.seq ? known.head.seq : 0
    if (start > 0) bits.set(known?.bits ?? [])
    for (let low = start; low < head.seq; low += ROWS_AT_ONCE) {
      const params = new Params()
      const hits = this.#db.dialect.search.hits(this.#table, params.add(value))
      const high = Math.min(low + ROWS_AT_ONCE, head.seq)
      const sql = `select m.seq from ${hits} m where m.seq > ${params.add(low)} and m.seq <= ${params.add(high)}`
      const { seq: seqs = [] } = await this.#readColumns(sql, params.values, ['seq'])
      for (const seq of seqs) bits[seq >> 3] = (bits[seq >> 3] ?? 0) | (1 << (seq & 7))
    }
    return bits
  }

  /** Reads numbers as text in one row: thousands of rows from a thread would block the main thread. */
  async #readColumns(sql: string, params: readonly Value[], columns: readonly string[]) {
    const [row] = await this.#db.heavy.query<Record<string, string | null>>(
      this.#db.dialect.columnsSql(sql, columns),
      params,
    )
    const parsed = columns.map((column): [string, number[]] => [column, JSON.parse(row?.[column] ?? '[]')])
    return Object.fromEntries(parsed)
  }
}
