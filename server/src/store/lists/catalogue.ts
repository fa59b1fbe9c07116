import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { OffsetPage } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { Params, padded } from '../sql.ts'
import { CatalogueCopy, type CopiedRow } from './catalogue-copy.ts'
import { MAX_SEQ } from './feed-list.ts'
import type { OffsetRequest } from './feed-pages.ts'
import { type GivenValues, type ListFilter, readFilters, type SearchFilter } from './filters.ts'
import type { CatalogueTable } from './refs.ts'

/** Rows that are read at once, within a few milliseconds. */
const CHUNK = 500
/** The size of the cache: the number of rows in its answers. */
const CACHED_ROWS = 2_500
/** The number of matches of a list, four bytes each, that take as much memory as a row. */
const MATCHES_PER_ROW = 400

/** A list over a catalogue: a table of at most some ten thousand rows. */
export interface CatalogueList {
  table: CatalogueTable
  /** A query for all columns of the rows, including `words` and the unique `ref`. */
  rows: string
  filters: Readonly<Record<string, ListFilter | SearchFilter>>
  /** Column by the name of the sort. The first breaks ties. Nulls come last in both directions. */
  sorts: Readonly<Record<string, string>>
}

/**
 * Answers requests for a catalogue. A copy of the columns to filter and sort on is in memory. It follows the store by
 * the versions of its rows (catalogue-changes.ts), so that a new entry costs only the rows that it changes. Answers are
 * cached until the version changes.
 */
export class Catalogue<Row extends { ref: number }, T extends object> {
  readonly #db: Db
  readonly #list: CatalogueList
  readonly #render: (rows: readonly Row[]) => T[] | Promise<T[]>
  readonly #answers = new LRUCache<string, Promise<unknown>>({ maxSize: CACHED_ROWS })
  #answersVersion = -1
  readonly #columns: readonly string[]
  readonly #copy: CatalogueCopy
  #copyVersion = -1
  #lastChange: Promise<void> = Promise.resolve()

  constructor(db: Db, list: CatalogueList, render: (rows: readonly Row[]) => T[] | Promise<T[]>) {
    this.#db = db
    this.#list = list
    this.#render = render
    const tested = Object.values(list.filters).flatMap((filter) => (filter.kind === 'list' ? filter.column : []))
    this.#columns = [...new Set([...tested, ...Object.values(list.sorts)])]
    this.#copy = new CatalogueCopy(this.#columns, list.sorts)
  }

  /** Returns the same object while the version is the same. */
  page(request: OffsetRequest<GivenValues>, version: number): Promise<OffsetPage<T>> {
    const { filters, sort, limit, offset } = request
    const read = async () => {
      const matches = await this.#matches(filters, sort, version)
      const refs = this.#copy.refsOf(matches.subarray(offset, offset + limit))
      return { data: await this.#read(refs), totalCount: matches.length }
    }
    return this.cached(JSON.stringify([filters, sort, limit, offset]), version, read, ({ data }) => data.length)
  }

  /** Finds the row that matches the condition. Returns the same object while the version is the same. */
  find(condition: string, params: readonly string[], version: number): Promise<T | undefined> {
    const read = async () => {
      const rows = await this.#db.query<Row>(`select * from (${this.#list.rows}) t where ${condition}`, params)
      return (await this.#render(rows))[0]
    }
    return this.cached(JSON.stringify(params), version, read, () => 1)
  }

  /** Returns the answer of `read`, from the cache if it is known at this version. `rowsIn` returns its size. */
  cached<Answer>(
    key: string,
    version: number,
    read: () => Promise<Answer>,
    rowsIn: (answer: Answer) => number,
  ): Promise<Answer> {
    if (version !== this.#answersVersion) this.#answers.clear()
    this.#answersVersion = version
    const known = this.#answers.get(key)
    if (known !== undefined) return known as Promise<Answer>
    const answer = read()
    const keep = (rows: number) => this.#answers.set(key, answer, { size: 1 + rows + (key.length >> 10) })
    keep(0)
    const isKept = () => this.#answers.peek(key) === answer
    answer.then(
      (known) => isKept() && keep(rowsIn(known)),
      () => isKept() && this.#answers.delete(key),
    )
    return answer
  }

  /** All pages of a list share its matches. */
  #matches(filters: GivenValues, sort: string, version: number): Promise<Int32Array> {
    const read = async () => {
      const given = await readFilters(this.#db, this.#list.filters, filters)
      if (given === undefined) return new Int32Array(0)
      await this.#follow(version, sort)
      return this.#copy.find(given, sort)
    }
    return this.cached(JSON.stringify([filters, sort]), version, read, ({ length }) =>
      Math.trunc(length / MATCHES_PER_ROW),
    )
  }

  /** Reads rows by ref, in this order. */
  async #read(refs: readonly number[]): Promise<T[]> {
    if (refs.length === 0) return []
    const params = new Params()
    const rows = await this.#db.query<Row>(
      `select * from (${this.#list.rows}) t where t.ref in (${params.list(padded(refs))})`,
      params.values,
    )
    const byRef = new Map(rows.map((row) => [row.ref, row]))
    return this.#render(refs.flatMap((ref) => byRef.get(ref) ?? []))
  }

  /** Brings the copy to this version, or to a later one, and prepares the sort. */
  async #follow(version: number, sort: string): Promise<void> {
    // One change of the copy at a time.
    const change = this.#lastChange.then(async () => {
      if (this.#copyVersion < version) await this.#readChanges(version)
      await this.#copy.prepare(sort)
    })
    this.#lastChange = change.catch(() => {})
    await change
  }

  async #readChanges(version: number): Promise<void> {
    let from = [this.#copyVersion, MAX_SEQ]
    for (;;) {
      const rows = await this.#db.query<CopiedRow & { version: number; changed: number; ref: number | null }>(
        `select c.version, c.ref as changed, t.ref, t.words, ${this.#columns.map((column) => `t.${column}`).join(', ')}
         from (select ref, version from catalogue_changes where catalogue = $1 and (version, ref) > ($2, $3)
           order by version, ref limit ${CHUNK}) c
         left join (${this.#list.rows}) t on t.ref = c.ref order by c.version, c.ref`,
        [this.#list.table, ...from],
      )
      this.#copy.remove(rows.flatMap(({ ref, changed }) => (ref === null ? changed : [])))
      this.#copy.write(rows.filter(({ ref }) => ref !== null))
      const last = rows.at(-1)
      if (last === undefined || rows.length < CHUNK) break
      from = [last.version, last.changed]
      // Other requests run between two chunks.
      await setImmediate()
    }
    this.#copyVersion = version
  }
}
