import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Json } from '../../model/json.ts'
import type { CursorPage, WrittenPage } from '../../model/paging.ts'
import type { ChangedRecord, SourceLog } from '../changes/change-log.ts'
import type { Db, Transaction, Value } from '../db.ts'
import { type Known, withKnown } from '../known.ts'
import { insertRecords, Params } from '../sql.ts'
import type { FeedList } from './feed-list.ts'
import { FeedPages, type ListWalk, type OffsetRequest, type PageRequest, type WalkRequest } from './feed-pages.ts'
import { Feed, type Head, versionsOf } from './feeds.ts'
import { type FilterValues, type GivenValues, UNKNOWN } from './filters.ts'
import { KeptRecords } from './kept-records.ts'
import { ListQuery } from './list-query.ts'
import { type AsOf, type History, queryFor } from './past-query.ts'
import { forEachChunk } from './refs.ts'
import { searchWords } from './search.ts'
import { SearchCache } from './search-cache.ts'
import { Timelines } from './timelines.ts'

const PAGE_CACHE_BYTES = 2_000_000
const RECORD_CACHE_BYTES = 500_000
const SETTLED_AT_ONCE = 100

/** A record to insert. */
export interface NewRow {
  /** The columns to filter and sort on, including `id`. The store adds `seq`. */
  columns: Record<string, Value>
  /** The item of list responses. */
  doc: object
  /** Additional fields of the response by id. */
  detail?: object
  /** The text to search in. */
  text: string
}

/** The rows of a list with their documents. All stores of records use it. */
export class Records<T, List extends FeedList = FeedList> {
  readonly #db: Db
  readonly #list: List
  readonly #feed: Feed
  readonly #log: SourceLog | undefined
  readonly #searches: SearchCache
  readonly #pages: FeedPages<T, GivenValues>
  readonly #offsetPages = new LRUCache<string, WrittenPage<T>>({ maxSize: PAGE_CACHE_BYTES })
  readonly #answers: KeptRecords<Json<T>>
  /** The time at which the next row is due, until the feed changes. */
  #nextDue: { head: Head; at: number } | undefined

  /** With a `log`, every change of a record is logged. */
  constructor(db: Db, list: List, { history, log }: { history?: History | undefined; log?: SourceLog } = {}) {
    this.#db = db
    this.#list = list
    this.#log = log
    this.#feed = new Feed(db, list.table, log === undefined ? [] : [log.changes])
    this.#searches = new SearchCache(db, this.#feed, list.table)
    const parts = { history, timelines: new Timelines(this.#feed), searches: this.#searches }
    this.#pages = new FeedPages(this.#feed, PAGE_CACHE_BYTES, (filters, sort) =>
      queryFor(db, list, filters, sort, parts),
    )
    this.#answers = new KeptRecords(db, () => withKnown(this.head(), versionsOf), {
      maxBytes: RECORD_CACHE_BYTES,
      sizeOf: ({ size }) => size,
    })
  }

  page(request: PageRequest<FilterValues<List['filters']> & AsOf>): Promise<CursorPage<T>> {
    return this.#pages.page(request)
  }

  walk(request: WalkRequest<FilterValues<List['filters']> & AsOf>): Promise<ListWalk> {
    return this.#pages.walk(request)
  }

  /** Caches pages until the feed changes. */
  async offsetPage(request: OffsetRequest<FilterValues<List['filters']>>): Promise<WrittenPage<T>> {
    const head = await this.#feed.head()
    const key = JSON.stringify([head.seq, head.epoch, request])
    const cached = this.#offsetPages.get(key)
    if (cached !== undefined) return cached
    const page = await this.#offsetPageAt(head, request)
    this.#offsetPages.set(key, page, { size: page.data.size + key.length })
    return page
  }

  async #offsetPageAt(
    head: Head,
    { filters, sort, limit, offset }: OffsetRequest<FilterValues<List['filters']>>,
  ): Promise<WrittenPage<T>> {
    const query = await ListQuery.for(this.#db, this.#list, filters, sort, this.#searches)
    if (query === undefined) return { data: Json.text('[]'), count: 0, totalCount: 0 }
    const totalCount = await this.#feed.total(JSON.stringify(filters), head, (from, to) => query.count(from, to))
    if (offset >= totalCount) {
      const emptyBefore = totalCount === 0 ? await query.findEmptyBefore() : undefined
      return { data: Json.text('[]'), count: 0, totalCount, emptyBefore }
    }
    const rows = await query.rowsAt(offset, { limit, headSeq: head.seq, totalCount })
    return { data: rows.list<T>(), count: rows.keys.length, totalCount }
  }

  async total(): Promise<number> {
    const [sort = ''] = Object.keys(this.#list.sorts)
    return (await this.#pages.page({ filters: {}, sort: `${sort}:desc`, limit: 1, from: undefined })).totalCount
  }

  head(): Known<Head> {
    return this.#feed.head()
  }

  /** Finds a record as it is answered by id: its document and the fields of its detail. */
  findAnswer(id: string): Known<Json<T> | undefined> {
    return this.#answers.get(id, async () => {
      const found = await this.find('id', id)
      return found && Json.merge<T>(found.doc, found.detail ?? '{}')
    })
  }

  /** Finds a record, with the columns `more` of its row. */
  async find<More = unknown>(
    column: 'id' | 'slug',
    value: string,
    more: readonly (keyof More & string)[] = [],
  ): Promise<(Found & More) | undefined> {
    const { table } = this.#list
    const columns = ['t.seq', 'r.doc', 'r.detail', ...more.map((name) => `t.${name}`)]
    const [row] = await this.#db.query<Found & More>(
      `select ${columns.join(', ')} from ${table} t join ${table}_docs r on r.seq = t.seq where t.${column} = $1`,
      [value],
    )
    return row
  }

  /**
   * Updates the status of rows whose `column` has reached a time, so that later reads are correct at that time. If none
   * is due, it costs one index lookup, or nothing if no other process can have changed the rows since the last one.
   */
  async settle(change: { from: string; to: string; column: string }, time: number): Promise<void> {
    const { from, to, column } = change
    const { table } = this.#list
    const due = `from ${table} where status = '${from}' and ${column} > ${UNKNOWN}`
    for (;;) {
      const head = this.#db.exclusive ? await this.#feed.head() : undefined
      if (head !== undefined && this.#nextDue?.head === head && time < this.#nextDue.at) return
      const [next] = await this.#db.query<{ at: number | null }>(`select min(${column}) as at ${due}`)
      const at = next?.at ?? Number.POSITIVE_INFINITY
      if (head !== undefined) this.#nextDue = { head, at }
      if (time < at) return
      await this.write(async (tx) => {
        const rows = await tx.query<{ seq: number }>(`select seq ${due} and ${column} <= $1 limit ${SETTLED_AT_ONCE}`, [
          time,
        ])
        for (const { seq } of rows)
          await this.edit(tx, seq, { status: to }, { ...(await this.docOf(tx, seq)), status: to })
      }, time)
      // Lets other requests run between two batches.
      await setImmediate()
    }
  }

  /** Runs `work` in a transaction that excludes other writers of these records. `now` is the time of logged changes. */
  async write<Result>(work: (tx: Transaction) => Promise<Result>, now?: number): Promise<Result> {
    try {
      return await this.#db.transaction(async (tx) => {
        await this.lock(tx)
        const result = await work(tx)
        if (this.#log !== undefined) {
          if (now === undefined) throw new Error(`a write to ${this.#list.table} needs its time`)
          await this.#log.changes.write(tx, now)
        }
        return result
      })
    } finally {
      this.changed()
    }
  }

  /** Locks out other writers of these records, in a transaction that also writes something else. */
  lock(tx: Transaction): Promise<void> {
    return this.#feed.lock(tx)
  }

  /** Marks that lists have changed by other means than those below. */
  touch(tx: Transaction): Promise<void> {
    return this.#feed.touch(tx)
  }

  /** Call it after a transaction that used `lock` or `touch`, whether or not it succeeded. */
  changed(): void {
    this.#feed.changed()
  }

  /** Returns the seq of each id that the store has. To be called inside `write`. */
  async seqsOf(tx: Transaction, ids: readonly string[]): Promise<Map<string, number>> {
    const known = new Map<string, number>()
    await forEachChunk(ids, async (params, list) => {
      const rows = await tx.query<{ id: string; seq: number }>(
        `select id, seq from ${this.#list.table} where id in (${list})`,
        params.values,
      )
      for (const { id, seq } of rows) known.set(id, seq)
    })
    return known
  }

  /** Returns the items whose ids are new, the first of each id. To be called inside `write`. */
  async onlyNew<Item extends { id: string }>(tx: Transaction, items: readonly Item[]): Promise<Item[]> {
    const seen = new Set(
      (
        await this.seqsOf(
          tx,
          items.map(({ id }) => id),
        )
      ).keys(),
    )
    return items.filter(({ id }) => !seen.has(id) && seen.add(id))
  }

  /** Appends rows with new ids and returns the seq of the first. To be called inside `write`. */
  async append(tx: Transaction, rows: readonly NewRow[], now: number): Promise<number> {
    const { table } = this.#list
    const { firstSeq } = await this.#feed.append(tx, rows.length, now)
    const seqOf = (index: number) => firstSeq + index
    await insertRecords(
      tx,
      table,
      rows.map(({ columns }, index) => ({ seq: seqOf(index), ...columns })),
    )
    await insertRecords(
      tx,
      `${table}_docs`,
      rows.map(({ doc, detail }, index) => ({
        seq: seqOf(index),
        doc: JSON.stringify(doc),
        detail: detail === undefined ? null : JSON.stringify(detail),
      })),
    )
    await insertRecords(
      tx,
      `${table}_search`,
      rows.map(({ text }, index) => ({ rowid: seqOf(index), words: this.#words(text) })),
    )
    this.#log?.changes.inserted(
      tx,
      this.#log.source,
      rows.map((_, index) => seqOf(index)),
    )
    return firstSeq
  }

  /** Replaces the row at `seq`. To be called inside `write`. */
  async replace(tx: Transaction, seq: number, row: NewRow): Promise<void> {
    const { table } = this.#list
    await this.edit(tx, seq, row.columns, row.doc)
    await tx.query(`delete from ${table}_search where rowid = $1`, [seq])
    await tx.query(`insert into ${table}_search (rowid, words) values ($1, $2)`, [seq, this.#words(row.text)])
    if (row.detail !== undefined) {
      await tx.query(`update ${table}_docs set detail = $1 where seq = $2`, [JSON.stringify(row.detail), seq])
    }
  }

  /** Changes columns and document of the row at `seq`. To be called inside `write`. */
  async edit(tx: Transaction, seq: number, columns: Record<string, Value>, doc: object): Promise<void> {
    const { table } = this.#list
    const params = new Params()
    const changes = Object.entries(columns).map(([column, value]) => `${column} = ${params.add(value)}`)
    if (changes.length > 0) {
      await tx.query(`update ${table} set ${changes.join(', ')} where seq = ${params.add(seq)}`, params.values)
    }
    await tx.query(`update ${table}_docs set doc = $1 where seq = $2`, [JSON.stringify(doc), seq])
    await this.#feed.touch(tx)
    this.#log?.changes.revised(tx, this.#log.source, [seq])
  }

  /** Removes the row at `seq`. To be called inside `write`. */
  remove(tx: Transaction, seq: number): Promise<void> {
    return this.removeAll(tx, [seq])
  }

  /** Removes rows. To be called inside `write`. */
  async removeAll(tx: Transaction, seqs: readonly number[]): Promise<void> {
    const { table } = this.#list
    await forEachChunk(seqs, async (params, list) => {
      if (this.#log !== undefined) {
        const removed = await tx.query<ChangedRecord>(
          `select seq as ref, id from ${table} where seq in (${list})`,
          params.values,
        )
        this.#log.changes.removed(tx, this.#log.source, removed)
      }
      await tx.query(`delete from ${table} where seq in (${list})`, params.values)
      await tx.query(`delete from ${table}_docs where seq in (${list})`, params.values)
      await tx.query(`delete from ${table}_search where rowid in (${list})`, params.values)
    })
    if (seqs.length > 0) await this.#feed.touch(tx)
  }

  /** Lists the rows whose document contains a text, in order, a portion at a time. To be called inside `write`. */
  listContaining(tx: Transaction, text: string, limit: number): Promise<{ seq: number; doc: string }[]> {
    return tx.query(
      `select seq, doc from ${this.#list.table}_docs where doc like $1 order by seq limit ${Math.trunc(limit)}`,
      [`%${text}%`],
    )
  }

  /** Returns the document of the row at `seq`. To be called inside `write`. */
  async docOf(tx: Transaction, seq: number): Promise<T> {
    const [row] = await tx.query<{ doc: string }>(`select doc from ${this.#list.table}_docs where seq = $1`, [seq])
    if (row === undefined) throw new Error(`${this.#list.table} has no row ${seq}`)
    return JSON.parse(row.doc)
  }

  #words(text: string): string {
    return this.#db.dialect.search.indexValue(searchWords(text).join(' '))
  }
}

interface Found {
  seq: number
  doc: string
  detail: string | null
}
