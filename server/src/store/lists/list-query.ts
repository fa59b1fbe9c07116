import { ApiError } from '../../model/errors.ts'
import type { EmptyBefore, Position } from '../../model/paging.ts'
import { type Db, type Queryable, type SearchTerms, SHORT_WALK } from '../db.ts'
import { Params, where } from '../sql.ts'
import { DocRows } from './docs.ts'
import { type FeedList, MAX_SEQ, type SeqRange } from './feed-list.ts'
import type { FeedQuery, Walk } from './feed-pages.ts'
import {
  type BoundFilter,
  conditionOf,
  type FilterMap,
  type Given,
  type GivenFilters,
  type GivenValues,
  isBound,
  type ListFilter,
  readFilters,
  UNKNOWN,
} from './filters.ts'
import { forEachChunk } from './refs.ts'
import {
  type Asked,
  type Driver,
  isBoundOf,
  isList,
  isSearch,
  type RowSource,
  rowSource,
  sortsOf,
} from './row-source.ts'
import type { SearchCache, SortedKeys } from './search-cache.ts'

/**
 * The cost of testing whether a row is a hit of a search, relative to looking up the row of a hit. With a few thousand
 * hits it is higher: SQLite reads all hits before the one it tests.
 */
const SEARCH_TEST_COST = 10

/** Numbers of rows that a walk reads before it tests which of them are hits, and how often it does so. */
const WALK_SIZES = [100, 300, 1_000, 3_000]
const MAX_ROUNDS = 4

/** A search with fewer hits than this share of the feed looks up its hits first instead of testing row after row. */
const RARE_SHARE = 0.02

/** Above every value of a sort column. */
const MAX_KEY = 1e308

/** SQLite takes at most 500 queries in one union. */
const MAX_BRANCHES = 100

/**
 * The SQL of one combination of filters and sort. A page walks an index in the order of the sort and tests the other
 * filters on the way, so that it costs no more in a larger store. Where no index of the driver has the order of the
 * sort and matches are rare, it collects the matches of the driver and sorts them.
 */
export class ListQuery implements FeedQuery {
  readonly #db: Db
  readonly #list: FeedList
  readonly #asked: Asked
  /** The filter of the kind `including`, which every query names. */
  readonly #part: Given | undefined
  readonly #sort: string
  /** The columns of a sort key. */
  readonly #keys: readonly string[]
  readonly #isDescending: boolean
  readonly #driver: Driver
  /** The column whose bounds the index of the driver can use. */
  readonly #bounded: string | undefined
  /** Whether the matches of the driver can be walked in the order of the sort. */
  readonly #isIndexed: boolean
  readonly #cachedSearch: CachedSearch | undefined

  private constructor(db: Db, list: FeedList, sort: string, { given, terms }: GivenFilters, cache?: SearchCache) {
    const [name = '', direction] = sort.split(':')
    const column = list.sorts[name]
    const sorts = Object.values(list.sorts)
    if (column === undefined) throw new Error(`${list.table} cannot be sorted by ${name}`)
    this.#db = db
    this.#list = list
    this.#asked = { list, given: given.filter(({ filter }) => filter.kind !== 'including'), terms, sorts }
    this.#part = partOf(list.filters, given)
    this.#sort = column
    this.#keys = column === 'seq' ? ['seq'] : [column, 'seq']
    this.#isDescending = direction === 'desc'
    this.#driver = terms !== undefined && terms.groups.length > 0 ? terms : given.find(isIndexedList)
    this.#bounded = this.#pickBounded()
    this.#isIndexed = this.#hasIndex()
    if (cache !== undefined && isSearch(this.#driver) && !this.#isIndexed) {
      const unsearched = new ListQuery(db, list, sort, { given, terms: undefined })
      this.#cachedSearch = { cache, terms: this.#driver, unsearched }
    }
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
    return this.#read(await this.#keysSql(params, walk), params, walk.headSeq)
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

  async count(from: number, to: number): Promise<number> {
    const params = new Params()
    const { source, conditions, runner } = await this.#between(params, from, to, ['seq'])
    const [row] = await runner.query<{ count: number }>(
      `select ${source.mayRepeat ? `count(distinct ${source.columnOf('seq')})` : 'count(*)'} as count
       from ${source.from}${where(conditions)}`,
      params.values,
    )
    return row?.count ?? 0
  }

  /** Sums up the matches with from < seq <= to per interval of the sort column, whose bounds must be given. */
  async sumsOverTime(intervalMs: number, from: number, to: number): Promise<TimeSum[]> {
    // Interval by interval in the order of an index: a group by would sort all matches.
    if (this.#isIndexed && from === 0) return this.#sumsByIndex(intervalMs, to)
    const params = new Params()
    const reads = ['seq', this.#sort, 'sentiment_score']
    const { source, conditions, runner } = await this.#between(params, from, to, reads)
    const interval = Math.trunc(intervalMs)
    return runner.query<TimeSum>(
      `select m.${this.#sort} - m.${this.#sort} % ${interval} as at, count(*) as count,
         count(m.sentiment_score) as scored, ${SENTIMENT_SUM} as sentiment
       from (${matchesSql(source, reads, conditions)}) m
       group by 1 order by 1`,
      params.values,
    )
  }

  async #sumsByIndex(intervalMs: number, headSeq: number): Promise<TimeSum[]> {
    const boundOf = (kind: BoundFilter['kind']) =>
      Number(this.#asked.given.find((one) => one.filter.kind === kind && isBoundOf(one, this.#sort))?.values[0])
    const [least, most] = [boundOf('least'), boundOf('most')]
    const interval = Math.trunc(intervalMs)
    const first = Math.floor(least / interval) * interval
    const params = new Params()
    const [low, high, start] = [params.add(least), params.add(most), params.add(first)]
    const reads = ['seq', this.#sort, 'sentiment_score']
    const how = {
      driver: this.#driver,
      part: this.#part,
      bounded: this.#sort,
      reads,
      isRare: false,
      among: 'all',
    } as const
    const source = rowSource(this.#db, params, this.#asked, how)
    const column = source.columnOf(this.#sort)
    const seqs = seqConditions(params, `+${source.columnOf('seq')}`, await this.#narrowed({ low: 0, high: headSeq }))
    const conditions = [`${column} >= s.low`, `${column} <= s.high`, ...source.conditions, ...seqs]
    const rows = await this.#runnerFor(headSeq).query<{ at: number; sums: string }>(
      `with recursive starts (at) as (
         select cast(${start} as bigint) union all
         select at + ${interval} from starts where at + ${interval} <= cast(${high} as bigint)
       )
       select s.at, (
         select cast(count(*) as text) || ' ' || cast(count(m.sentiment_score) as text) || ' '
           || cast(${SENTIMENT_SUM} as text)
         from (${matchesSql(source, reads, conditions)}) m
       ) as sums
       from (
         select at, case when at < ${low} then ${low} else at end as low,
           case when at + ${interval - 1} > ${high} then ${high} else at + ${interval - 1} end as high
         from starts
       ) s`,
      params.values,
    )
    return rows
      .map(({ at, sums }) => {
        const [count = 0, scored = 0, sentiment = 0] = sums.split(' ').map(Number)
        return { at, count, scored, sentiment }
      })
      .filter(({ count }) => count > 0)
      .sort((one, other) => one.at - other.at)
  }

  /** Returns where the matches with from < seq <= to are found, and which connection reads them. */
  async #between(params: Params, from: number, to: number, reads: readonly string[]) {
    // The first count reads every match; later counts walk only the short tail of new rows, by seq.
    const isTail = from > 0
    const driver = isTail && this.#asked.sorts[0] !== 'seq' ? undefined : this.#driver
    const bounded = isTail ? undefined : this.#bounded
    const source = rowSource(this.#db, params, this.#asked, {
      driver,
      part: this.#part,
      bounded,
      reads,
      isRare: this.#isRare(to, to),
      among: isTail ? 'tail' : 'all',
    })
    const seq = source.columnOf('seq')
    const conditions = [
      ...source.conditions,
      ...this.#boundConditions(params, source, bounded),
      ...seqConditions(
        params,
        isTail || isSearch(driver) ? seq : `+${seq}`,
        await this.#narrowed({ low: from, high: to }),
      ),
    ]
    return { source, conditions, runner: this.#runnerFor(to - from) }
  }

  async findEmptyBefore(): Promise<EmptyBefore | undefined> {
    for (const [name, filter] of Object.entries(this.#list.filters)) {
      const given = this.#asked.given.find((one) => one.filter === filter)
      if (given === undefined || !name.endsWith('Before') || !this.#asked.sorts.includes(given.filter.column)) continue
      const startsAt = await this.least(given.filter.column)
      if (startsAt !== null && Number(given.values[0]) < startsAt) return { filter: name, startsAt }
    }
    return undefined
  }

  /** Returns the least known value of a column of all rows. */
  async least(column: string): Promise<number | null> {
    return (await this.#extremes(column))[0]
  }

  /** Returns the least and the greatest known value of a column of all rows, by its index. */
  async #extremes(column: string): Promise<[least: number | null, greatest: number | null]> {
    const { table } = this.#list
    const part = this.#asked.sorts.includes(column) ? this.#part?.filter.column : undefined
    const parts = part === undefined ? [''] : [`${part} = 0 and `, `${part} = 1 and `]
    // A query for each end: SQLite would scan the index for both at once.
    const ends = parts.flatMap((condition) =>
      ['min', 'max'].map(
        (end) => `select ${end}(${column}) as value from ${table} where ${condition}${column} > ${UNKNOWN}`,
      ),
    )
    const rows = await this.#db.query<{ value: number | null }>(ends.join(' union all '))
    const known = rows.flatMap(({ value }) => value ?? [])
    return known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)]
  }

  /**
   * Returns the numbers of matches with seq <= headSeq by the values of a column, in up to `most` blocks of values if there
   * are more matches. The values are whole numbers. Rows whose column is null do not count.
   */
  async blocks(column: string, headSeq: number, most: number): Promise<Block[]> {
    const [low, high] = await this.#extremes(column)
    if (low === null || high === null) return []
    const width = Math.ceil((high - low + 1) / most)
    const blocks = await this.#readBlocks(column, headSeq, { low, high, width })
    const count = blocks.reduce((sum, block) => sum + block.count, 0)
    return width === 1 || count > most ? blocks : this.#readBlocks(column, headSeq, undefined)
  }

  /** Reads the blocks of so many values, or a block for each value. */
  async #readBlocks(
    column: string,
    headSeq: number,
    wide: { low: number; high: number; width: number } | undefined,
  ): Promise<Block[]> {
    const params = new Params()
    const runner = this.#runnerFor(headSeq)
    const read = async (sql: string) => {
      const names = ['low', 'count'] as const
      const [row] = await runner.query<Record<(typeof names)[number], string | null>>(
        this.#db.dialect.columnsSql(sql, names),
        params.values,
      )
      const [lows = [], counts = []] = names.map((name): number[] => JSON.parse(row?.[name] ?? '[]'))
      const width = wide?.width ?? 1
      return lows.map((low, index) => ({ low, high: low + width - 1, count: counts[index] ?? 0 }))
    }
    const driver = this.#rangeDriver(column)
    if (wide === undefined || isSearch(driver)) {
      const matches = this.#matchesSql(params, column, headSeq, { driver })
      const { low = 0, width = 1 } = wide ?? {}
      const [from, step] = [`cast(${params.add(low)} as bigint)`, `cast(${params.add(width)} as bigint)`]
      return read(
        `select ${from} + ${step} * place as low, count(*) as count
         from (select (cast(m.at as bigint) - ${from}) / ${step} as place from (${matches}) m) p group by place order by 1`,
      )
    }
    // Block by block in the order of an index: a group by would sort all matches.
    const [first, step, last] = [wide.low, wide.width, wide.high].map((value) => `cast(${params.add(value)} as bigint)`)
    const matches = this.#matchesSql(params, column, headSeq, { driver, low: 's.low', high: `s.low + ${step} - 1` })
    return read(
      `with recursive starts (low) as (
         select ${first} union all select low + ${step} from starts where low + ${step} <= ${last}
       )
       select * from (
         select s.low, (select count(*) from (${matches}) m) as count from starts s
       ) c where count > 0 order by 1`,
    )
  }

  /** Returns the numbers of matches with seq <= headSeq and low <= column <= high, which are few, for each of the ranges. */
  async countsWithin(ranges: readonly ColumnRange[], headSeq: number): Promise<number[]> {
    if (ranges.length === 0) return []
    const params = new Params()
    const search = ranges.every(({ column }) => column !== 'seq') ? this.#cachedSearch : undefined
    const query = search?.unsearched ?? this
    const matches = ranges.map(({ column, low, high }) => {
      const driver = query.#rangeDriver(column)
      return query.#matchesSql(params, column, headSeq, { driver, low: params.add(low), high: params.add(high) })
    })
    if (search === undefined) {
      const counts = matches.map((sql, index) => `(select count(*) from (${sql}) m) as c${index}`)
      const [row] = await this.#db.query<Record<string, number>>(`select ${counts.join(', ')}`, params.values)
      return ranges.map((_, index) => row?.[`c${index}`] ?? 0)
    }
    const isHit = await search.cache.hits(search.terms)
    const rows = await this.#db.query<{ place: number; seq: number }>(
      matches.map((sql, index) => `select ${index} as place, seq from (${sql}) m`).join(' union all '),
      params.values,
    )
    return ranges.map((_, index) => rows.filter(({ place, seq }) => place === index && isHit(seq)).length)
  }

  /** Returns the driver whose index serves ranges of a column. */
  #rangeDriver(column: string): Driver {
    return column === this.#asked.sorts[0] ? this.#driver : undefined
  }

  /** Selects a column of the matches as `at`, where it is not null, and their `seq`. */
  #matchesSql(
    params: Params,
    name: string,
    headSeq: number,
    { driver, low, high }: { driver: Driver; low?: string; high?: string },
  ): string {
    const how = { driver, part: this.#part, bounded: undefined, isRare: this.#isRare(headSeq, headSeq) }
    // Only an index that starts with the column serves a range of it, unless it is the default sort.
    const among = name === this.#asked.sorts[0] ? 'all' : 'few'
    const source = rowSource(this.#db, params, this.#asked, { ...how, reads: ['seq', name], among })
    const [column, seq] = [source.columnOf(name), source.columnOf('seq')]
    const conditions = [
      ...source.conditions,
      `${column} >= ${low ?? UNKNOWN}`,
      ...(high === undefined ? [] : [`${column} <= ${high}`]),
      ...seqConditions(params, name === 'seq' ? seq : `+${seq}`, { low: 0, high: headSeq }),
    ]
    return `select ${source.mayRepeat ? 'distinct ' : ''}${seq} as seq, ${column} as at
      from ${source.from}${where(conditions)}`
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
    const bounded = this.#bounded
    const how = { driver: undefined, part: this.#part, bounded, reads: ['seq'], isRare: false, among: 'few' } as const
    const found: number[] = []
    await forEachChunk(seqs, async (params, list) => {
      const source = rowSource(this.#db, params, this.#asked, how)
      const conditions = [`t.seq in (${list})`, ...source.conditions, ...this.#boundConditions(params, source, bounded)]
      const rows = await this.#db.query<{ seq: number }>(
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
    return found ?? this.#pick(sorted ?? (await cache.sort(sql, params.values, this.#sort)), walk)
  }

  #pick({ values, seqs }: SortedKeys, { from, limit }: Walk): readonly number[] {
    if (from === undefined) return Array.from(seqs.subarray(0, limit))
    const {
      key: [at = 0, seq = 0],
      direction,
      inclusive,
    } = this.#checked(from)
    const isAfter = direction === 'after'
    const sign = this.#isDescending ? -1 : 1
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
    const size = WALK_SIZES.find((one) => one > (limit * headSeq) / matches)
    if (size === undefined) return undefined
    const found: number[] = []
    let from = walk.from
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const params = new Params()
      const sql = await unsearched.#keysSql(params, { from, limit: size, headSeq, totalCount: headSeq })
      const rows = await unsearched.#runner(headSeq).query<Record<string, number>>(sql, params.values)
      for (const { seq = 0 } of rows) if (isHit(seq) && found.length < limit) found.push(seq)
      const last = rows.at(-1)
      if (last === undefined || rows.length < size || found.length === limit) return found
      const key = this.#keys.map((column) => last[column] ?? 0)
      from = { direction: from?.direction ?? 'after', key, inclusive: false }
    }
    return undefined
  }

  #readSeqs(seqs: readonly number[], from: Position | undefined): Promise<DocRows> {
    const { table, docs = `${table}_docs` } = this.#list
    const params = new Params()
    const list = seqs.length === 0 ? 'null' : params.list(seqs)
    const keysSql = `select ${this.#keys.join(', ')} from ${table} where seq in (${list}) ${this.#order(from)}`
    return DocRows.read(this.#db, this.#db, docs, { keysSql, columns: this.#keys, params: params.values })
  }

  #read(keysSql: string, params: Params, headSeq: number): Promise<DocRows> {
    const { table, docs = `${table}_docs` } = this.#list
    const query = { keysSql, columns: this.#keys, params: params.values }
    return DocRows.read(this.#db, this.#runner(headSeq), docs, query)
  }

  /** Picks where to run a page: only an index walk without filters to test on the way is certain to be short. */
  #runner(rows: number): Queryable {
    const { given, terms } = this.#asked
    const isTested =
      terms !== undefined ||
      given.some((one) => one !== this.#driver && !isBoundOf(one, this.#sort) && !isWeakTest(one))
    return rows > SHORT_WALK && (isTested || !this.#isIndexed) ? this.#db.heavy : this.#db
  }

  /** Picks where to read so many rows of the feed. */
  #runnerFor(rows: number): Queryable {
    return rows > SHORT_WALK ? this.#db.heavy : this.#db
  }

  #pickBounded(): string | undefined {
    // With the column of the `including` filter in front, SQLite would prefer the index of the bound to that of the
    // list of values.
    if (isList(this.#driver) && this.#part !== undefined) return undefined
    const usable = isList(this.#driver) ? sortsOf(this.#driver, this.#asked.sorts) : this.#asked.sorts
    const bounds = this.#asked.given.map(({ filter }) => filter).filter((filter) => isBound(filter))
    const strong = bounds.filter(({ isWeak, column }) => !isWeak && usable.includes(column))
    const bounded = (strong.length > 0 ? strong : bounds)
      .map(({ column }) => column)
      .filter((column) => usable.includes(column))
    return bounded.find((column) => column === this.#sort) ?? bounded[0]
  }

  #hasIndex(): boolean {
    if (isSearch(this.#driver)) return this.#sort === 'seq'
    if (this.#driver !== undefined) return sortsOf(this.#driver, this.#asked.sorts).includes(this.#sort)
    return this.#bounded === undefined || [this.#sort, this.#list.spans?.column].includes(this.#bounded)
  }

  /** A walk reads about limit × rows / matches rows; collecting reads every match. */
  #isWalk({ limit, headSeq: rows, totalCount: matches }: Walk): boolean {
    if (this.#isIndexed) return true
    if (isSearch(this.#driver)) return matches > SHORT_WALK && matches ** 2 > limit * rows * SEARCH_TEST_COST
    return matches ** 2 > limit * rows
  }

  /**
   * Returns whether a query starts with the hits of its search. With spans, it may be faster to start with a part of
   * the feed.
   */
  #isRare(matches: number, rows: number): boolean {
    return this.#list.spans === undefined || matches < rows * RARE_SHARE
  }

  async #keysSql(params: Params, walk: Walk): Promise<string> {
    const { from, headSeq, totalCount } = walk
    const feed = await this.#narrowed({ low: 0, high: headSeq })
    const position = from && this.#checked(from)
    // In the order of the feed a position is a bound of seq.
    const isByFeed = this.#sort === 'seq'
    const start = isByFeed ? undefined : position
    const range = isByFeed ? this.#beyondInFeed(position, feed) : feed
    // In the text, not as a parameter: SQLite plans a statement again whenever its limit is bound.
    const take = `${this.#order(from)} limit ${Math.trunc(walk.limit)}`
    const isWalk = this.#isWalk(walk)
    const isRare = this.#isRare(totalCount, headSeq)
    const select = (driver: Driver, part: Given | undefined, end?: string) =>
      `${this.#selectSql(params, { driver, part, isWalk, isRare, end }, start, range)} ${take}`
    if (!isWalk) return select(this.#driver, this.#part)

    // One walk for each value, merged.
    const parts = this.#part === undefined ? [undefined] : eachValue(this.#part)
    const driver = this.#isIndexed ? this.#driver : undefined
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
    const side = this.#walksDown(from) ? 'least' : 'most'
    const [operator, last, none] = side === 'least' ? ['>=', 'min', UNKNOWN] : ['<=', 'max', MAX_KEY]
    const bound = this.#asked.given.find((one) => one.filter.kind === side && isBoundOf(one, this.#sort))
    const end = bound === undefined ? none : params.list(bound.values)
    return `${operator} (
      select case when count(*) < ${Math.trunc(limit)} then ${end} else ${last}(${this.#sort}) end from main
    )`
  }

  /** Selects the keys of the matches: in the order of an index, or to be sorted. */
  #selectSql(
    params: Params,
    how: { driver: Driver; part: Given | undefined; isWalk: boolean; isRare: boolean; end: string | undefined },
    start: Position | undefined,
    range: SeqRange,
  ): string {
    const { isWalk, end } = how
    const bounded = isWalk ? this.#sort : this.#bounded
    const source = rowSource(this.#db, params, this.#asked, { ...how, bounded, reads: this.#keys, among: 'all' })
    // The unary plus keeps SQLite from walking another index than the driver's for the order.
    const plus = isWalk || isSearch(how.driver) ? '' : '+'
    const place = (column: string) => `${plus}${source.columnOf(column)}`
    const conditions = [
      ...source.conditions,
      ...(end === undefined ? [] : [`${source.columnOf(this.#sort)} ${end}`]),
      ...this.#boundConditions(params, source, bounded, isWalk ? start : undefined),
      ...seqConditions(params, `${this.#sort === 'seq' ? '' : '+'}${source.columnOf('seq')}`, range),
      ...(isWalk || start === undefined ? [] : [this.#beyond(params, place, start)]),
    ]
    const selected = this.#keys.map((column) => `${place(column)} as ${column}`)
    return `select ${source.mayRepeat ? 'distinct ' : ''}${selected.join(', ')}
      from ${source.from}${where(conditions)}`
  }

  /**
   * Returns the bounds of a column, each side once, since SQLite walks from the first bound it sees. `start` takes the
   * place of the bound of its side unless it lies outside.
   */
  #boundConditions(params: Params, source: RowSource, name: string | undefined, start?: Position): string[] {
    if (name === undefined) return []
    const bounds = this.#asked.given.filter((one) => isBoundOf(one, name))
    const mayBeUnknown = bounds.some(({ filter }) => isBound(filter) && filter.mayBeUnknown)
    const column = source.columnOf(name)
    const conditions: string[] = []
    for (const side of ['least', 'most'] as const) {
      const bound = bounds.find(({ filter }) => filter.kind === side)
      const isStart = start !== undefined && this.#walksDown(start) === (side === 'most')
      if (isStart && !isOutside(start, bound)) conditions.push(this.#beyond(params, source.columnOf, start))
      else if (bound !== undefined) conditions.push(conditionOf(params, column, bound))
      else if (side === 'least' && mayBeUnknown) conditions.push(`${column} > ${UNKNOWN}`)
    }
    return conditions
  }

  #beyond(params: Params, columnOf: (name: string) => string, start: Position): string {
    const operator = `${this.#walksDown(start) ? '<' : '>'}${start.inclusive ? '=' : ''}`
    const [at = 0, seq = 0] = start.key
    const key = `(${params.add(at)}, ${params.add(clampSeq(seq))})`
    return `(${columnOf(this.#sort)}, ${columnOf('seq')}) ${operator} ${key}`
  }

  /** Returns the rest of a part of the feed beyond a position. */
  #beyondInFeed(start: Position | undefined, { low, high }: SeqRange): SeqRange {
    if (start === undefined) return { low, high }
    const [seq = 0] = start.key
    return this.#walksDown(start)
      ? { low, high: Math.min(high, start.inclusive ? seq : seq - 1) }
      : { low: Math.max(low, start.inclusive ? seq - 1 : seq), high }
  }

  /** Narrows a part of the feed to the spans that can match. */
  async #narrowed({ low, high }: SeqRange): Promise<SeqRange> {
    const { spans } = this.#list
    const bounds = this.#asked.given.filter((one) => isBoundOf(one, spans?.column))
    if (spans === undefined || bounds.length === 0) return { low, high }
    const boundOf = (kind: BoundFilter['kind']) => bounds.find(({ filter }) => filter.kind === kind)?.values[0]
    const span = await spans.find(this.#db, { least: boundOf('least'), most: boundOf('most') })
    return { low: Math.max(low, span.low), high: Math.min(high, span.high) }
  }

  #checked(from: Position): Position {
    const { key, direction } = from
    const whole = this.#list.hasIntegerSorts ? key : key.slice(-1)
    if (key.length !== this.#keys.length || !whole.every(Number.isSafeInteger)) {
      throw ApiError.invalid([{ field: direction, message: 'is not a cursor of this list' }])
    }
    return from
  }

  /** Orders by the selected key columns. */
  #order(from: Position | undefined): string {
    const direction = this.#walksDown(from) ? ' desc' : ''
    const places = this.#keys.map((_, index) => `${index + 1}${direction}`)
    return `order by ${places.join(', ')}`
  }

  #walksDown(from: Position | undefined): boolean {
    return this.#isDescending !== (from?.direction === 'before')
  }
}

/** The sum of the sentiment of matches `m`, in millionths: the sum of integers does not depend on their order. */
const SENTIMENT_SUM = 'cast(coalesce(sum(cast(round(m.sentiment_score * 1000000) as bigint)), 0) as bigint)'

/** Selects columns of matches, each match once. */
function matchesSql(source: RowSource, columns: readonly string[], conditions: readonly string[]): string {
  const selected = columns.map((column) => `${source.columnOf(column)} as ${column}`)
  return `select ${source.mayRepeat ? 'distinct ' : ''}${selected.join(', ')} from ${source.from}${where(conditions)}`
}

/** Sums over the matches of one interval. */
export interface TimeSum {
  /** Start of the interval. */
  at: number
  count: number
  /** The matches with a sentiment score, and the sum of their scores in millionths. */
  scored: number
  sentiment: number
}

/** A range of values of a column. */
export interface ColumnRange {
  column: string
  low: number
  high: number
}

/** The matches whose column is in a range, which no other block overlaps. */
export interface Block {
  low: number
  high: number
  count: number
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

function partOf(filters: FilterMap, given: readonly Given[]): Given | undefined {
  const filter = Object.values(filters).find((one) => one.kind === 'including')
  return filter && (given.find((one) => one.filter === filter) ?? { filter, values: [0] })
}

const eachValue = <F extends Given['filter']>({ filter, values }: Given<F>): Given<F>[] =>
  values.map((value) => ({ filter, values: [value] }))

const seqConditions = (params: Params, seq: string, { low, high }: SeqRange): string[] => [
  `${seq} <= ${params.add(clampSeq(high))}`,
  ...(low > 0 ? [`${seq} > ${params.add(clampSeq(low))}`] : []),
]

const isWeakTest = ({ filter }: Given) => filter.kind === 'test' && filter.isWeak

const clampSeq = (seq: number) => Math.max(-1, Math.min(seq, MAX_SEQ))

const isIndexedList = (given: Given): given is Given<ListFilter> =>
  given.filter.kind === 'list' && given.filter.isIndexed

/** Returns whether a walk that starts at the position starts outside the bound of that side. */
function isOutside({ key: [at = 0] }: Position, bound: Given | undefined): boolean {
  if (bound === undefined) return false
  const limit = Number(bound.values[0])
  return bound.filter.kind === 'most' ? at > limit : at < limit
}
