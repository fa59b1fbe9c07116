import { ApiError } from '../../model/errors.ts'
import type { Position } from '../../model/paging.ts'
import { type Db, type Queryable, type SearchTerms, SHORT_WALK, type Value } from '../db.ts'
import { Params, where } from '../sql.ts'
import { DocRows } from './docs.ts'
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
  testedColumns,
  testOf,
  UNKNOWN,
} from './filters.ts'
import { forEachChunk } from './refs.ts'

/**
 * A list over a feed. Every sort has an index (its column, seq), every indexed filter one of (its column, the default
 * sort, seq) and one for each of its other sorts. If a filter is of the kind `including`, all indexes start with its
 * column.
 */
export interface FeedList {
  /** A table `<table>_search` has the words of its rows. */
  table: string
  /** The table with the documents of the rows; `<table>_docs` by default. */
  docs?: string
  filters: FilterMap
  /** Column by the name of the sort, the default first. The column `seq` is the order of the feed. */
  sorts: Readonly<Record<string, string>>
  /** True if the sort columns are integers. Otherwise they are double precision and compare with any number. */
  hasIntegerSorts?: true
  spans?: Spans
}

/** Says which part of the feed can hold rows whose column lies within bounds. */
export interface Spans {
  column: string
  find(db: Queryable, bounds: Record<BoundFilter['kind'], Value | undefined>): Promise<SeqRange>
}

/** The rows with low < seq <= high. */
export interface SeqRange {
  low: number
  high: number
}

/** The largest value of the column `seq` on either engine. */
export const MAX_SEQ = 2 ** 31 - 1

/**
 * The cost of testing whether a row is a hit of a search, relative to looking up the row of a hit. With a few thousand
 * hits it is higher: SQLite reaches one of them only past all before it.
 */
const SEARCH_TEST_COST = 10

/** A search with fewer hits than this share of the feed looks up its hits first instead of testing row after row. */
const RARE_SHARE = 0.02

/** SQLite takes at most 500 queries in one union. */
const MAX_BRANCHES = 100

/** The filter or the search that finds the rows; the other filters are tested on them. */
type Driver = Given<ListFilter> | SearchTerms | undefined

/**
 * The SQL of one combination of filters and sort. A page walks an index in the order of the sort and tests the filters
 * that do not drive on the way, so that it costs no more in a larger store. Where no index of the driver has the order
 * of the sort and matches are rare, it collects the matches of the driver and sorts them.
 *
 * | driver        | rows found in                                  |
 * |---------------|------------------------------------------------|
 * | search        | `m`, the full-text index, in the order of seq  |
 * | filter        | `d`, its side table, or `t`, the list's table  |
 * | none          | `t`                                            |
 */
export class ListQuery implements FeedQuery {
  readonly #db: Db
  readonly #list: FeedList
  readonly #given: readonly Given[]
  readonly #terms: SearchTerms | undefined
  /** The filter of the kind `including`, which every query names. */
  readonly #part: Given | undefined
  readonly #sort: string
  readonly #defaultSort: string
  readonly #isDescending: boolean
  readonly #driver: Driver
  /** The column whose bounds the index of the driver can use. */
  readonly #bounded: string | undefined

  private constructor(db: Db, list: FeedList, sort: string, { given, terms }: GivenFilters) {
    const [name = '', direction] = sort.split(':')
    const column = list.sorts[name]
    const [defaultSort = ''] = Object.values(list.sorts)
    if (column === undefined) throw new Error(`${list.table} cannot be sorted by ${name}`)
    this.#db = db
    this.#list = list
    this.#given = given.filter(({ filter }) => filter.kind !== 'including')
    this.#terms = terms
    this.#part = partOf(list.filters, given)
    this.#sort = column
    this.#defaultSort = defaultSort
    this.#isDescending = direction === 'desc'
    this.#driver = terms !== undefined && terms.groups.length > 0 ? terms : given.find(isIndexedList)
    this.#bounded = this.#pickBounded()
  }

  /** Returns undefined when nothing can match. */
  static async for(db: Db, list: FeedList, filters: GivenValues, sort: string): Promise<ListQuery | undefined> {
    const given = await readFilters(db, list.filters, filters)
    return given && new ListQuery(db, list, sort, given)
  }

  async rows(walk: Walk): Promise<DocRows> {
    const params = new Params()
    return this.#read(await this.#keysSql(params, walk), params, walk.headSeq)
  }

  /** Returns the rows of a page by its offset. */
  async rowsAt(offset: number, { limit, headSeq, totalCount }: Omit<Walk, 'from'>): Promise<DocRows> {
    const params = new Params()
    const keysSql = await this.#keysSql(params, { from: undefined, limit: offset + limit, headSeq, totalCount })
    const page = `${this.#order(undefined)} limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`
    return this.#read(`select * from (${keysSql}) p ${page}`, params, headSeq)
  }

  async count(from: number, to: number): Promise<number> {
    const params = new Params()
    // A first count reads every match, wherever it is; the tail after it is short and walked by seq.
    const isTail = from > 0
    const driver = isTail && this.#defaultSort !== 'seq' ? undefined : this.#driver
    const bounded = isTail ? undefined : this.#bounded
    const source = this.#source(params, { driver, part: this.#part, bounded, reads: ['seq'], isRare: false, isTail })
    const seq = isTail || isSearch(driver) ? source.column('seq') : `+${source.column('seq')}`
    const conditions = [
      ...source.conditions,
      ...this.#boundConditions(params, source, bounded),
      ...seqConditions(params, seq, await this.#narrowed({ low: from, high: to })),
    ]
    const counted = source.mayRepeat ? `count(distinct ${source.column('seq')})` : 'count(*)'
    const runner = to - from > SHORT_WALK ? this.#db.heavy : this.#db
    const [row] = await runner.query<{ count: number }>(
      `select ${counted} as count from ${source.from}${where(conditions)}`,
      params.values,
    )
    return row?.count ?? 0
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
    const found: number[] = []
    await forEachChunk(seqs, async (params, list) => {
      const conditions = [
        `t.seq in (${list})`,
        ...this.#given.map((one) => testOf(params, one, (name) => `t.${name}`, this.#defaultSort)),
        ...(this.#terms === undefined ? [] : [this.#searchTest(params, this.#terms, 't.seq', true)]),
      ]
      const rows = await this.#db.query<{ seq: number }>(
        `select t.seq from ${this.#list.table} t${where(conditions)}`,
        params.values,
      )
      for (const { seq } of rows) found.push(seq)
    })
    return found
  }

  #read(keysSql: string, params: Params, headSeq: number): Promise<DocRows> {
    const { table, docs = `${table}_docs` } = this.#list
    const columns = this.#keyColumns()
    return DocRows.read(this.#db, this.#runner(headSeq), docs, { keysSql, columns, params: params.values })
  }

  /** Only a page that walks an index without testing anything on the way is certain to be short. */
  #runner(rows: number): Queryable {
    const isTested = this.#given.some((one) => one !== this.#driver && !isBoundOf(one, this.#sort))
    const isShort = rows <= SHORT_WALK || !(isTested || this.#terms !== undefined || !this.#isIndexed())
    return isShort ? this.#db : this.#db.heavy
  }

  #pickBounded(): string | undefined {
    const bounded = this.#given.flatMap(({ filter }) => (isBound(filter) ? [filter.column] : []))
    const usable = isList(this.#driver) ? this.#sortsOf(this.#driver) : Object.values(this.#list.sorts)
    // Without statistics, SQLite takes the index of the part and the bound for better than that of several values.
    if (isList(this.#driver) && this.#part !== undefined) return undefined
    return (
      bounded.find((column) => column === this.#sort && usable.includes(column)) ??
      bounded.find((column) => usable.includes(column))
    )
  }

  /** Returns the sort columns that an index has after the column of the filter. */
  #sortsOf({ filter }: Given<ListFilter>): readonly string[] {
    return [this.#defaultSort, ...filter.alsoBy]
  }

  /** Returns whether the matches of the driver can be walked in the order of the sort. */
  #isIndexed(): boolean {
    if (isSearch(this.#driver)) return this.#sort === 'seq'
    if (this.#driver !== undefined) return this.#sortsOf(this.#driver).includes(this.#sort)
    return this.#bounded === undefined || [this.#sort, this.#list.spans?.column].includes(this.#bounded)
  }

  /** A walk reads about limit × rows / matches rows, collecting reads every match. */
  #isWalk({ limit, headSeq: rows, totalCount: matches }: Walk): boolean {
    if (this.#isIndexed()) return true
    if (isSearch(this.#driver)) return matches > SHORT_WALK && matches ** 2 > limit * rows * SEARCH_TEST_COST
    return matches ** 2 > limit * rows
  }

  async #keysSql(params: Params, walk: Walk): Promise<string> {
    const { from, headSeq, totalCount } = walk
    const feed = await this.#narrowed({ low: 0, high: headSeq })
    const position = from && this.#checked(from)
    // In the order of the feed a position is a bound of seq.
    const isByFeed = this.#sort === 'seq'
    const start = isByFeed ? undefined : position
    const range = isByFeed ? this.#narrowedTo(position, feed) : feed
    // In the text, not as a parameter: SQLite plans a statement again whenever its limit is bound.
    const take = `${this.#order(from)} limit ${Math.trunc(walk.limit)}`
    const isWalk = this.#isWalk(walk)
    const isRare = !isWalk || totalCount < headSeq * RARE_SHARE
    const select = (driver: Driver, part: Given | undefined) =>
      `${this.#selectSql(params, { driver, part, isWalk, isRare }, start, range)} ${take}`
    if (!isWalk) return select(this.#driver, this.#part)

    // One walk for each value, merged.
    const parts = this.#part === undefined ? [undefined] : eachValue(this.#part)
    const driver = this.#isIndexed() ? this.#driver : undefined
    const drivers = isList(driver) ? eachValue(driver) : [driver]
    return mergedSql(
      parts.flatMap((part) => drivers.map((one) => select(one, part))),
      take,
    )
  }

  /** Selects the keys of the matches: in the order of an index, or to be sorted. */
  #selectSql(
    params: Params,
    how: { driver: Driver; part: Given | undefined; isWalk: boolean; isRare: boolean },
    start: Position | undefined,
    range: SeqRange,
  ): string {
    const { isWalk } = how
    const keys = this.#keyColumns()
    const bounded = isWalk ? this.#sort : this.#bounded
    const source = this.#source(params, { ...how, bounded, reads: keys })
    // The unary plus keeps SQLite from walking another index than the driver's for the order.
    const place = (column: string) => `${isWalk ? '' : '+'}${source.column(column)}`
    const conditions = [
      ...source.conditions,
      ...this.#boundConditions(params, source, bounded, isWalk ? start : undefined),
      ...seqConditions(params, `${this.#sort === 'seq' ? '' : '+'}${source.column('seq')}`, range),
      ...(isWalk || start === undefined ? [] : [this.#beyond(params, place, start)]),
    ]
    const selected = keys.map((column) => `${place(column)} as ${column}`)
    return `select ${source.mayRepeat ? 'distinct ' : ''}${selected.join(', ')}
      from ${source.from}${where(conditions)}`
  }

  /** Returns the from-clause and every condition but those on `seq` and on the column `bounded`. */
  #source(
    params: Params,
    how: {
      driver: Driver
      part: Given | undefined
      bounded: string | undefined
      /** The columns that are selected. */
      reads: readonly string[]
      isRare: boolean
      isTail?: boolean
    },
  ): Source {
    const { driver, part, bounded } = how
    const found = this.#found(params, driver, how.isRare)
    const tested = this.#given.filter((one) => !(isList(driver) && one.filter === driver.filter))
    const reads = [...how.reads, ...tested.flatMap((one) => testedColumns(one, this.#defaultSort))]
    const isJoined = part !== undefined ? found.name !== 't' : !reads.every(found.has)
    const column = (name: string) => `${found.has(name) ? found.name : 't'}.${name}`
    return {
      from: isJoined ? `${found.from} cross join ${this.#list.table} t` : found.from,
      conditions: [
        ...found.conditions,
        ...(isJoined ? [`t.seq = ${found.name}.seq`] : []),
        ...(part === undefined ? [] : [conditionOf(params, `${how.isTail ? '+' : ''}t.${part.filter.column}`, part)]),
        ...tested
          .filter((one) => !isBoundOf(one, bounded))
          .map((one) => testOf(params, one, column, this.#defaultSort)),
        ...(this.#terms === undefined || isSearch(driver)
          ? []
          : [this.#searchTest(params, this.#terms, column('seq'))]),
      ],
      column,
      mayRepeat: found.name === 'd' && isList(driver) && driver.values.length > 1,
    }
  }

  /** Returns the relation in which the driver finds rows. */
  #found(params: Params, driver: Driver, isRare: boolean) {
    const { table } = this.#list
    if (driver === undefined) return { name: 't', from: `${table} t`, conditions: [], has: () => true }
    if (isSearch(driver)) {
      const { search } = this.#db.dialect
      const hits = search.hits(table, params.add(search.queryValue(driver)), isRare)
      return { name: 'm', from: `${hits} m`, conditions: [], has: (column: string) => column === 'seq' }
    }
    const { column, sideTable } = driver.filter
    const name = sideTable === undefined ? 't' : 'd'
    const columns = ['seq', ...this.#sortsOf(driver)]
    return {
      name,
      from: `${sideTable ?? table} ${name}`,
      conditions: [conditionOf(params, `${name}.${column}`, driver)],
      has: (column: string) => sideTable === undefined || columns.includes(column),
    }
  }

  #searchTest(params: Params, terms: SearchTerms, seq: string, isOfFew = false): string {
    const { search } = this.#db.dialect
    const { table } = this.#list
    const param = params.add(search.queryValue(terms))
    const matches = search.matches(table, seq, param)
    if (terms.groups.length > 0) return matches
    // Terms with nothing but exclusions are written as the hits that they exclude. For many rows these are found once
    // as a set: tested row by row, the full-text index would be searched again for each.
    return isOfFew ? `not ${matches}` : `${seq} not in (select x.seq from ${search.hits(table, param, false)} x)`
  }

  /**
   * Returns the bounds of a column, each side once, since SQLite walks from the first bound it sees. `start` takes the
   * place of the bound of its side unless it lies outside.
   */
  #boundConditions(params: Params, source: Source, name: string | undefined, start?: Position): string[] {
    if (name === undefined) return []
    const bounds = this.#given.filter((one) => isBoundOf(one, name))
    const column = source.column(name)
    const conditions: string[] = []
    for (const side of ['least', 'most'] as const) {
      const bound = bounds.find(({ filter }) => filter.kind === side)
      const isStart = start !== undefined && this.#walksDown(start) === (side === 'most')
      if (isStart && !isOutside(start, bound)) conditions.push(this.#beyond(params, source.column, start))
      else if (bound !== undefined) conditions.push(conditionOf(params, column, bound))
      else if (side === 'least' && bounds.length > 0) conditions.push(`${column} > ${UNKNOWN}`)
    }
    return conditions
  }

  #beyond(params: Params, column: (name: string) => string, { key, ...start }: Position): string {
    const operator = `${this.#walksDown(start) ? '<' : '>'}${start.inclusive ? '=' : ''}`
    const [at = 0, seq = 0] = key
    return `(${column(this.#sort)}, ${column('seq')}) ${operator} (${params.add(at)}, ${params.add(clampSeq(seq))})`
  }

  /** Narrows a part of the feed to what lies beyond a position in the order of the feed. */
  #narrowedTo(start: Position | undefined, { low, high }: SeqRange): SeqRange {
    if (start === undefined) return { low, high }
    const [seq = 0] = start.key
    return this.#walksDown(start)
      ? { low, high: Math.min(high, start.inclusive ? seq : seq - 1) }
      : { low: Math.max(low, start.inclusive ? seq - 1 : seq), high }
  }

  /** Narrows a part of the feed to the spans that can match. */
  async #narrowed({ low, high }: SeqRange): Promise<SeqRange> {
    const { spans } = this.#list
    const bounds = this.#given.filter((one) => isBoundOf(one, spans?.column))
    if (spans === undefined || bounds.length === 0) return { low, high }
    const boundOf = (kind: BoundFilter['kind']) => bounds.find(({ filter }) => filter.kind === kind)?.values[0]
    const span = await spans.find(this.#db, { least: boundOf('least'), most: boundOf('most') })
    return { low: Math.max(low, span.low), high: Math.min(high, span.high) }
  }

  #checked(from: Position): Position {
    const { key, direction } = from
    const whole = this.#list.hasIntegerSorts ? key : key.slice(-1)
    if (key.length !== this.#keyColumns().length || !whole.every(Number.isSafeInteger)) {
      throw ApiError.invalid([{ field: direction, message: 'is not a cursor of this list' }])
    }
    return from
  }

  #keyColumns(): readonly string[] {
    return this.#sort === 'seq' ? ['seq'] : [this.#sort, 'seq']
  }

  /** Orders by the selected key columns. */
  #order(from: Position | undefined): string {
    const direction = this.#walksDown(from) ? ' desc' : ''
    const places = this.#keyColumns().map((_, index) => `${index + 1}${direction}`)
    return `order by ${places.join(', ')}`
  }

  #walksDown(from: Pick<Position, 'direction'> | undefined): boolean {
    return this.#isDescending !== (from?.direction === 'before')
  }
}

interface Source {
  from: string
  conditions: string[]
  /** Returns a column of the list's table as the query names it. */
  column(name: string): string
  /** Whether the same row can come up once for each of several values. */
  mayRepeat: boolean
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

const clampSeq = (seq: number) => Math.max(-1, Math.min(seq, MAX_SEQ))

const isSearch = (driver: Driver): driver is SearchTerms => driver !== undefined && 'groups' in driver

const isList = (driver: Driver): driver is Given<ListFilter> => driver !== undefined && 'filter' in driver

const isIndexedList = (given: Given): given is Given<ListFilter> =>
  given.filter.kind === 'list' && given.filter.isIndexed

const isBoundOf = ({ filter }: Given, column: string | undefined): boolean =>
  isBound(filter) && filter.column === column

/** Returns whether a walk that starts at the position starts outside the bound of that side. */
function isOutside({ key: [at = 0] }: Position, bound: Given | undefined): boolean {
  if (bound === undefined) return false
  const limit = Number(bound.values[0])
  return bound.filter.kind === 'most' ? at > limit : at < limit
}
