import { ApiError } from '../../model/errors.ts'
import type { EmptyBefore, Position, SortKey } from '../../model/paging.ts'
import { type Db, type Queryable, type SearchTerms, SHORT_WALK } from '../db.ts'
import { Params, where } from '../sql.ts'
import { DocRows } from './docs.ts'
import { type FeedList, MAX_SEQ, type SeqRange } from './feed-list.ts'
import type { FeedQuery, Walk } from './feed-pages.ts'
import { type Given, type GivenFilters, type GivenValues, readFilters, UNKNOWN } from './filters.ts'
import { ListCounts } from './list-counts.ts'
import { ListPlan, seqConditions } from './list-plan.ts'
import { forEachChunk } from './refs.ts'
import { type Driver, isBoundOf, isList, isSearch, rowSource } from './row-source.ts'
import type { SearchCache, SortedKeys } from './search-cache.ts'

/**
 * The cost of testing in SQLite whether a row is a hit of a search, relative to looking up the row of a hit. With a few thousand
 * hits it is higher: SQLite reads all hits before the one it tests.
 */
const SEARCH_TEST_COST = 10

/** Numbers of rows that a walk reads before it tests which of them are hits: more each time, since hits may be clustered. */
const WALK_SIZES = [100, 300, 1_000, 3_000, 10_000]
/** A walk that expects to need more rows than this is not begun. */
const MAX_EXPECTED = 3_000

/** Above every value of a sort column. */
const MAX_KEY = 1e308

/** SQLite takes at most 500 queries in one union. */
const MAX_BRANCHES = 100

/**
 * The pages of one combination of filters and sort. A page walks an index in the order of the sort and tests the other
 * filters on the way, so that it costs no more in a larger store. Where no index of the driver has the order of the
 * sort and matches are rare, it collects the matches of the driver and sorts them.
 */
export class ListQuery implements FeedQuery {
  readonly counts: ListCounts
  readonly #plan: ListPlan
  readonly #cachedSearch: CachedSearch | undefined

  private constructor(db: Db, list: FeedList, sort: string, { given, terms }: GivenFilters, cache?: SearchCache) {
    this.#plan = new ListPlan(db, list, sort, { given, terms })
    const { driver, isIndexed } = this.#plan
    if (cache !== undefined && isSearch(driver) && !isIndexed) {
      const unsearched = new ListQuery(db, list, sort, { given, terms: undefined })
      this.#cachedSearch = { cache, terms: driver, unsearched }
    }
    const search = this.#cachedSearch
    this.counts = new ListCounts(this.#plan, search && { ...search, unsearched: search.unsearched.counts })
  }

  /** Returns undefined when nothing can match. `cache` is the cache of searches of this list. */
  static async for(
    db: Db,
    list: FeedList,
    filters: GivenValues,
    sort: string,
    cache?: SearchCache,
  ): Promise<ListQuery | undefined> {
    const given = await readFilters(db, list.filters, filters)
    return given && new ListQuery(db, list, sort, given, cache)
  }

  async rows(walk: Walk): Promise<DocRows> {
    if (this.#cachedSearch !== undefined) {
      return this.#readSeqs(await this.#searched(this.#cachedSearch, walk), walk.from)
    }
    const params = new Params()
    const keysSql = await this.#keysSql(params, walk)
    return this.#read(keysSql, params, walk.isLong ? Infinity : walk.headSeq)
  }

  get isCachedSearch(): boolean {
    return this.#cachedSearch !== undefined
  }

  /** Returns the rows of a page. All matches are among those of a cached search with the same words and sort. */
  async rowsAmong(search: ListQuery, walk: Walk): Promise<DocRows> {
    const query = this.#cachedSearch?.unsearched ?? this
    const from = walk.from ?? this.#start()
    const found: number[] = []
    for (let [start, end] = [0, walk.limit]; found.length < walk.limit; [start, end] = [end, end * 3]) {
      const candidates = await search.#nearest(from, end, walk.headSeq)
      const part = candidates.slice(start)
      if (part.length === 0) break
      const matches = new Set(await query.among(part))
      found.push(...part.filter((seq) => matches.has(seq)))
    }
    return this.#readSeqs(found.slice(0, walk.limit), walk.from)
  }

  /** Returns the position before the first row that a bound of the sort column lets pass. */
  #start(): Position | undefined {
    const { asked, sort, isDescending } = this.#plan
    const [kind, seq] = isDescending ? ['most', MAX_SEQ] : ['least', 0]
    const bound = asked.given.find((one) => one.filter.kind === kind && isBoundOf(one, sort))
    return bound && { direction: 'after', key: [Number(bound.values[0]), Number(seq)], inclusive: true }
  }

  /** Returns the matches of a cached search that are nearest to the position, the nearest first. */
  async #nearest(from: Position | undefined, limit: number, headSeq: number): Promise<readonly number[]> {
    const walk = { from, headSeq, limit, totalCount: 0 }
    const seqs = this.#cachedSearch === undefined ? [] : await this.#searched(this.#cachedSearch, walk)
    return from?.direction === 'before' ? seqs.toReversed() : seqs
  }

  /** Returns the rows of a page by its offset. */
  async rowsAt(offset: number, { limit, headSeq, totalCount }: Omit<Walk, 'from'>): Promise<DocRows> {
    const walk = { from: undefined, limit: offset + limit, headSeq, totalCount }
    if (this.#cachedSearch !== undefined) {
      return this.#readSeqs((await this.#searched(this.#cachedSearch, walk)).slice(offset), undefined)
    }
    const params = new Params()
    const keysSql = await this.#keysSql(params, walk)
    const page = `${this.#order(undefined)} limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`
    return this.#read(`select * from (${keysSql}) p ${page}`, params, headSeq)
  }

  count(from: number, to: number): Promise<number> {
    return this.counts.count(from, to)
  }

  async keyOf(id: string): Promise<SortKey | undefined> {
    const { db, keys, list } = this.#plan
    const rows = await db.query<Record<string, number>>(
      `select ${keys.join(', ')} from ${list.table} where ${list.idColumn ?? 'id'} = $1 order by seq`,
      [id.toLowerCase()],
    )
    // A record may have several versions. One that no longer matches still has its place.
    const matching = await this.among(rows.map(({ seq = 0 }) => seq))
    const row = rows.find(({ seq = 0 }) => matching.includes(seq)) ?? rows.at(-1)
    return row && keys.map((column) => row[column] ?? 0)
  }

  async findEmptyBefore(): Promise<EmptyBefore | undefined> {
    const { list, asked } = this.#plan
    for (const [name, filter] of Object.entries(list.filters)) {
      const given = asked.given.find((one) => one.filter === filter)
      if (given === undefined || !name.endsWith('Before') || !asked.sorts.includes(given.filter.column)) continue
      const startsAt = await this.least(given.filter.column)
      if (startsAt !== null && Number(given.values[0]) < startsAt) return { filter: name, startsAt }
    }
    return undefined
  }

  /** Returns the least known value of a column of all rows. */
  async least(column: string): Promise<number | null> {
    return (await this.#plan.extremes(column))[0]
  }

  /** Returns the first matches in the order of the sort, up to `limit`. */
  async seqs(headSeq: number, limit: number): Promise<number[]> {
    const params = new Params()
    const sql = await this.#keysSql(params, { from: undefined, limit, headSeq, totalCount: headSeq })
    const rows = await this.#runner(headSeq).query<{ seq: number }>(sql, params.values)
    return rows.map(({ seq }) => seq)
  }

  /** Returns those of the given rows that match. */
  async among(seqs: readonly number[]): Promise<number[]> {
    const { db, asked, part, bounded } = this.#plan
    const how = { driver: undefined, part, bounded, reads: ['seq'], among: 'few' } as const
    const found: number[] = []
    await forEachChunk(seqs, async (params, list) => {
      const source = rowSource(db, params, asked, how)
      const bounds = this.#plan.boundConditions(params, source, bounded)
      const conditions = [`t.seq in (${list})`, ...source.conditions, ...bounds]
      const rows = await db.query<{ seq: number }>(
        `select t.seq from ${source.from}${where(conditions)}`,
        params.values,
      )
      for (const { seq } of rows) found.push(seq)
    })
    return found
  }

  /**
   * Returns the matches of a search from the position on, up to the limit. Few matches are sorted. Of many, a walk finds
   * enough early, unless the hits are mostly at the other end of the order.
   */
  async #searched(search: CachedSearch, walk: Walk): Promise<readonly number[]> {
    const { cache } = search
    const params = new Params()
    const sql = await this.#keysSql(params, { ...walk, from: undefined, limit: MAX_SEQ })
    const sorted = await cache.findSorted(sql, params.values)
    const found = sorted === undefined && walk.totalCount > SHORT_WALK ? await this.#walkHits(search, walk) : undefined
    return found ?? this.#pick(sorted ?? (await cache.sort(sql, params.values, this.#plan.sort)), walk)
  }

  #pick({ values, seqs }: SortedKeys, { from, limit }: Walk): readonly number[] {
    if (from === undefined) return Array.from(seqs.subarray(0, limit))
    const {
      key: [at = 0, seq = 0],
      direction,
      inclusive,
    } = this.#checked(from)
    const isAfter = direction === 'after'
    const sign = this.#plan.isDescending ? -1 : 1
    const start = countWhile(seqs.length, (place) => {
      const distance = sign * ((values[place] ?? 0) - at || (seqs[place] ?? 0) - seq)
      return inclusive === isAfter ? distance < 0 : distance <= 0
    })
    return Array.from(isAfter ? seqs.subarray(start, start + limit) : seqs.subarray(Math.max(0, start - limit), start))
  }

  /**
   * Walks the rows of the query without its search, and returns the hits among them; undefined if they are too far
   * apart.
   */
  async #walkHits({ cache, terms, unsearched }: CachedSearch, walk: Walk): Promise<number[] | undefined> {
    const { limit, headSeq, totalCount: matches } = walk
    const isHit = await cache.hits(terms)
    const expected = (limit * headSeq) / matches
    if (expected > MAX_EXPECTED) return undefined
    const found: number[] = []
    let from = walk.from
    for (const size of WALK_SIZES.filter((one) => one > expected)) {
      const params = new Params()
      const sql = await unsearched.#keysSql(params, { from, limit: size, headSeq, totalCount: headSeq })
      const rows = await unsearched.#runner(headSeq).query<Record<string, number>>(sql, params.values)
      for (const { seq = 0 } of rows) if (isHit(seq) && found.length < limit) found.push(seq)
      const last = rows.at(-1)
      if (last === undefined || rows.length < size || found.length === limit) return found
      const key = this.#plan.keys.map((column) => last[column] ?? 0)
      from = { direction: from?.direction ?? 'after', key, inclusive: false }
    }
    return undefined
  }

  #readSeqs(seqs: readonly number[], from: Position | undefined): Promise<DocRows> {
    const { db, keys, list } = this.#plan
    const { table, docs = `${table}_docs` } = list
    const params = new Params()
    const places = seqs.length === 0 ? 'null' : params.list(seqs)
    const keysSql = `select ${keys.join(', ')} from ${table} where seq in (${places}) ${this.#order(from)}`
    return DocRows.read(db, db, docs, { keysSql, columns: keys, params: params.values })
  }

  #read(keysSql: string, params: Params, rows: number): Promise<DocRows> {
    const { db, keys, list } = this.#plan
    const { table, docs = `${table}_docs` } = list
    const query = { keysSql, columns: keys, params: params.values }
    return DocRows.read(db, rows === Infinity ? db.heavy : this.#runner(rows), docs, query)
  }

  /** Picks where to run a page: only an index walk without filters to test on the way is certain to be short. */
  #runner(rows: number): Queryable {
    const { db, asked, driver, sort, isIndexed } = this.#plan
    const isTested =
      asked.terms !== undefined ||
      asked.given.some((one) => one !== driver && !isBoundOf(one, sort) && !isWeakTest(one))
    return rows > SHORT_WALK && (isTested || !isIndexed) ? db.heavy : db
  }

  /** A walk reads about limit × rows / matches rows; collecting reads every match. */
  #isWalk({ limit, headSeq: rows, totalCount: matches }: Walk): boolean {
    const { db, driver, isIndexed } = this.#plan
    const isShort = matches ** 2 > limit * rows
    if (!isSearch(driver)) return isIndexed || isShort
    if (!db.dialect.search.isOrdered) return isShort
    return isIndexed || (matches > SHORT_WALK && matches ** 2 > limit * rows * SEARCH_TEST_COST)
  }

  async #keysSql(params: Params, walk: Walk): Promise<string> {
    const { from, headSeq } = walk
    const { sort, part: including, isIndexed } = this.#plan
    const feed = await this.#plan.narrowed({ low: 0, high: headSeq })
    const position = from && this.#checked(from)
    // In the order of the feed a position is a bound of seq.
    const isByFeed = sort === 'seq'
    const start = isByFeed ? undefined : position
    const range = isByFeed ? this.#beyondInFeed(position, feed) : feed
    // In the text, not as a parameter: SQLite plans a statement again whenever its limit is bound.
    const take = `${this.#order(from)} limit ${Math.trunc(walk.limit)}`
    const isWalk = this.#isWalk(walk)
    const select = (driver: Driver, part: Given | undefined, end?: string) =>
      `${this.#selectSql(params, { driver, part, isWalk, end }, start, range)} ${take}`
    if (!isWalk) return select(this.#plan.driver, including)

    // One walk for each value, merged.
    const parts = including === undefined ? [undefined] : eachValue(including)
    const driver = isIndexed ? this.#plan.driver : undefined
    const drivers = isList(driver) ? eachValue(driver) : [driver]
    const [main, rest] = parts
    const walkSql = (part: Given | undefined, end?: string) =>
      mergedSql(
        drivers.map((one) => select(one, part, end)),
        take,
      )
    if (rest === undefined) return walkSql(main)
    return `with main as materialized (${walkSql(main)})
      select * from (select * from main union all select * from (${walkSql(rest, this.#endSql(params, walk))}) r) u ${take}`
  }

  /**
   * Returns the condition that a row is not beyond the last of the query `main`, if that is full. Rows of the other part
   * are rare, so the walk to as many of them would be long.
   */
  #endSql(params: Params, { from, limit }: Walk): string {
    const { asked, sort, keys } = this.#plan
    const side = this.#plan.walksDown(from) ? 'least' : 'most'
    const [operator, direction, noKey, noSeq] =
      side === 'least' ? ['>=', ' desc', UNKNOWN, -1] : ['<=', '', MAX_KEY, MAX_SEQ]
    const bound = asked.given.find((one) => one.filter.kind === side && isBoundOf(one, sort))
    const order = keys.map((column) => column + direction)
    // A value for each key: many rows can have the same first key.
    const ends = keys.map((column) => {
      const end = column === 'seq' ? noSeq : bound === undefined ? noKey : params.list(bound.values)
      return `coalesce((select ${column} from main order by ${order} limit 1 offset ${Math.trunc(limit) - 1}), ${end})`
    })
    return `${operator} (${ends})`
  }

  /** Selects the keys of the matches: in the order of an index, or to be sorted. */
  #selectSql(
    params: Params,
    how: { driver: Driver; part: Given | undefined; isWalk: boolean; end: string | undefined },
    start: Position | undefined,
    range: SeqRange,
  ): string {
    const { isWalk, end } = how
    const { db, asked, sort, keys } = this.#plan
    const bounded = isWalk ? sort : this.#plan.bounded
    const source = rowSource(db, params, asked, { ...how, bounded, reads: keys, areHitsFirst: !isWalk, among: 'all' })
    // The unary plus keeps the engine from walking another index than the driver's for the order.
    const plus = isWalk ? '' : '+'
    const place = (column: string) => `${plus}${source.columnOf(column)}`
    const conditions = [
      ...source.conditions,
      ...(end === undefined ? [] : [`(${keys.map(source.columnOf)}) ${end}`]),
      ...this.#plan.boundConditions(params, source, bounded, isWalk ? start : undefined),
      ...seqConditions(params, `${sort === 'seq' ? '' : '+'}${source.columnOf('seq')}`, range),
      ...(isWalk || start === undefined ? [] : [this.#plan.beyond(params, place, start)]),
    ]
    const selected = keys.map((column) => `${place(column)} as ${column}`)
    return `select ${source.mayRepeat ? 'distinct ' : ''}${selected.join(', ')}
      from ${source.from}${where(conditions)}`
  }

  /** Returns the rest of a part of the feed beyond a position. */
  #beyondInFeed(start: Position | undefined, { low, high }: SeqRange): SeqRange {
    if (start === undefined) return { low, high }
    const [seq = 0] = start.key
    return this.#plan.walksDown(start)
      ? { low, high: Math.min(high, start.inclusive ? seq : seq - 1) }
      : { low: Math.max(low, start.inclusive ? seq - 1 : seq), high }
  }

  #checked(from: Position): Position {
    const { key, direction } = from
    const whole = this.#plan.list.hasIntegerSorts ? key : key.slice(-1)
    if (key.length !== this.#plan.keys.length || !whole.every(Number.isSafeInteger)) {
      throw ApiError.invalid([{ field: direction, message: 'is not a cursor of this list' }])
    }
    return from
  }

  /** Orders by the selected key columns. */
  #order(from: Position | undefined): string {
    const direction = this.#plan.walksDown(from) ? ' desc' : ''
    const places = this.#plan.keys.map((_, index) => `${index + 1}${direction}`)
    return `order by ${places.join(', ')}`
  }
}

/** A search whose results are cached, and the query without it. */
interface CachedSearch {
  cache: SearchCache
  terms: SearchTerms
  unsearched: ListQuery
}

/** Returns the number of first places for which the test is true; it is false for all others. */
function countWhile(length: number, test: (place: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Merges queries, in steps where there are too many for one union. */
function mergedSql(branches: readonly string[], take: string): string {
  if (branches.length === 1) return branches.join()
  if (branches.length > MAX_BRANCHES) {
    const groups = Array.from({ length: Math.ceil(branches.length / MAX_BRANCHES) }, (_, index) =>
      branches.slice(index * MAX_BRANCHES, (index + 1) * MAX_BRANCHES),
    )
    return mergedSql(
      groups.map((group) => mergedSql(group, take)),
      take,
    )
  }
  return `select * from (${branches.map((sql) => `select * from (${sql}) b`).join(' union ')}) u ${take}`
}

const eachValue = <F extends Given['filter']>({ filter, values }: Given<F>): Given<F>[] =>
  values.map((value) => ({ filter, values: [value] }))

const isWeakTest = ({ filter }: Given) => filter.kind === 'test' && filter.isWeak
