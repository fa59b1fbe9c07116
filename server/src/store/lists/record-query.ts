import { ApiError } from '../../model/errors.ts'
import type { Position } from '../../model/paging.ts'
import { type Db, type Queryable, type SearchTerms, SHORT_WALK } from '../db.ts'
import { Params, where } from '../sql.ts'
import { DocRows } from './docs.ts'
import type { FeedQuery, Walk } from './feed-pages.ts'
import {
  type BoundFilter,
  boundCondition,
  type Filter,
  type Filters,
  type Given,
  givenOf,
  isBound,
  type ListFilter,
  testOf,
  UNKNOWN,
} from './record-filters.ts'
import { parseSearch } from './search.ts'

/**
 * A list over a table of narrow rows, whose documents stand in `<table>_docs` under the same `seq`. Every sort has an
 * index (partition, column, seq), every indexed filter one of (partition, its column, the default sort, seq).
 */
export interface RecordList {
  /** With a table `<table>_search` beside it. */
  table: string
  /** A column of 0 or 1 that every query names: 0 only, unless the filter asks for both. */
  partition?: { column: string; filter: string }
  /** The most selective first. */
  filters: Readonly<Record<string, Filter>>
  /** Column by the name of the sort; the first is the default. */
  sorts: Readonly<Record<string, string>>
}

/**
 * To test whether a row is a hit takes about so many times as long as to look up a row that is. For a few thousand hits it
 * is worse: SQLite then has no way to one of them but past all before it.
 */
const SEARCH_TEST_COST = 10

/** What the column `seq` can hold on either engine. */
const MAX_SEQ = 2 ** 31 - 1

/** What finds the matches: the search, or one of the filters. */
type Driver = Given | 'search' | undefined

/**
 * The SQL of one combination of filters and sort. A page either walks an index in the order of the sort and tests
 * the filters on the way, or, where matches are too rare for that, collects them by the driver and sorts them.
 */
export class RecordQuery implements FeedQuery {
  readonly #db: Db
  readonly #list: RecordList
  readonly #given: readonly Given[]
  readonly #partition: readonly number[]
  readonly #terms: SearchTerms | undefined
  readonly #sort: string
  readonly #defaultSort: string
  readonly #isDescending: boolean
  readonly #driver: Driver

  private constructor(
    db: Db,
    list: RecordList,
    sort: string,
    parts: { given: readonly Given[]; terms: SearchTerms | undefined; partition: readonly number[] },
  ) {
    const [name = '', direction] = sort.split(':')
    const column = list.sorts[name]
    const [defaultSort = ''] = Object.values(list.sorts)
    if (column === undefined) throw new Error(`${list.table} cannot be sorted by ${name}`)
    this.#db = db
    this.#list = list
    this.#given = parts.given
    this.#terms = parts.terms
    this.#partition = parts.partition
    this.#sort = column
    this.#defaultSort = defaultSort
    this.#isDescending = direction === 'desc'
    this.#driver = this.#pickDriver()
  }

  /** Undefined when nothing can match. */
  static async for(db: Db, list: RecordList, filters: Filters, sort: string): Promise<RecordQuery | undefined> {
    const { search } = filters
    const terms = typeof search === 'string' ? parseSearch(search) : undefined
    if (search !== undefined && terms === undefined) return undefined
    const given = await givenOf(db, list.filters, filters, [
      'search',
      ...(list.partition ? [list.partition.filter] : []),
    ])
    if (given === undefined) return undefined
    return new RecordQuery(db, list, sort, { given, terms, partition: partitionOf(list, filters) })
  }

  rows({ from, limit, headSeq, totalCount }: Walk): Promise<DocRows> {
    const params = new Params()
    const keysSql = this.#isWalk(limit, headSeq, totalCount)
      ? this.#walkSql(params, from, Math.trunc(limit), headSeq)
      : this.#collectSql(params, from, Math.trunc(limit), headSeq)
    return this.#read(keysSql, params, headSeq)
  }

  /** The rows of a page that is counted from the start. */
  rowsAt(offset: number, { limit, headSeq, totalCount }: Omit<Walk, 'from'>): Promise<DocRows> {
    const params = new Params()
    const reach = Math.trunc(offset + limit)
    const keysSql = this.#isWalk(reach, headSeq, totalCount)
      ? this.#walkSql(params, undefined, reach, headSeq)
      : this.#collectSql(params, undefined, reach, headSeq)
    const order = this.#order(undefined)(this.#sort, 'seq')
    const cut = `select * from (${keysSql}) p order by ${order} limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`
    return this.#read(cut, params, headSeq)
  }

  async count(from: number, to: number): Promise<number> {
    const params = new Params()
    // A first count reads every match, wherever it is; the tail after it is short and walked by seq.
    const isTail = from > 0
    const driver = isTail ? undefined : this.#driver
    const source = this.#source(params, driver)
    const seq = isTail || driver === 'search' ? source.seq : `+${source.seq}`
    const conditions = [
      ...this.#partitionConditions(params, this.#partition, isTail ? '+' : ''),
      ...source.conditions,
      ...this.#tests(params, driver),
      `${seq} > ${params.add(from)}`,
      `${seq} <= ${params.add(to)}`,
    ]
    const [row] = await this.#runner(to - from).query<{ count: number }>(
      `select ${source.mayRepeat ? `count(distinct ${source.seq})` : 'count(*)'} as count
       from ${source.from}${where(conditions)}`,
      params.values,
    )
    return row?.count ?? 0
  }

  #read(keysSql: string, params: Params, headSeq: number): Promise<DocRows> {
    const isTested = this.#terms !== undefined || this.#given.some((given) => given !== this.#driver)
    const runner = isTested || !this.#isIndexed() ? this.#runner(headSeq) : this.#db
    return DocRows.read(this.#db, runner, `${this.#list.table}_docs`, {
      keysSql,
      columns: [this.#sort, 'seq'],
      params: params.values,
    })
  }

  #runner(rows: number): Queryable {
    return rows > SHORT_WALK ? this.#db.heavy : this.#db
  }

  /** What finds matches fastest: the search, else the first indexed filter, else a range of a sortable column. */
  #pickDriver(): Driver {
    if (this.#terms !== undefined && this.#terms.groups.length > 0) return 'search'
    const sortable = new Set(Object.values(this.#list.sorts))
    return (
      this.#given.find(({ filter }) => filter.kind === 'list' && filter.isIndexed) ??
      this.#given.find(({ filter }) => isBound(filter) && filter.column === this.#sort) ??
      this.#given.find(({ filter }) => isBound(filter) && sortable.has(filter.column))
    )
  }

  /** Whether what the driver finds can be walked in the order of the sort. */
  #isIndexed(): boolean {
    const driver = this.#driver
    if (driver === undefined) return true
    if (driver === 'search') return false
    const { filter } = driver
    if (filter.kind !== 'list') return filter.column === this.#sort
    return this.#sort === this.#defaultSort || (filter.alsoBy ?? []).includes(this.#sort)
  }

  /** A walk looks at about limit × rows / matches rows, collecting at every match. */
  #isWalk(limit: number, rows: number, matches: number): boolean {
    if (this.#driver === 'search') return matches > SHORT_WALK && matches ** 2 > limit * rows * SEARCH_TEST_COST
    return this.#isIndexed() || matches ** 2 > limit * rows
  }

  /** One walk for each value of the partition and of the driver, merged. */
  #walkSql(params: Params, from: Position | undefined, limit: number, headSeq: number): string {
    const driver = this.#isIndexed() && isList(this.#driver) ? this.#driver : undefined
    const order = this.#order(from)
    const parts = this.#list.partition === undefined ? [undefined] : this.#partition
    const branches = parts.flatMap((part) =>
      (driver?.values ?? [undefined]).map((value) => {
        const source = this.#source(params, driver && { ...driver, values: [value ?? null] })
        const conditions = [
          ...(part === undefined ? [] : this.#partitionConditions(params, [part])),
          ...source.conditions,
          ...this.#rangeConditions(params, source, from),
          ...this.#tests(params, driver, this.#sort),
          // What came after the total was counted is not of this page.
          `+${source.seq} <= ${params.add(headSeq)}`,
        ]
        return `select ${source.sort} as ${this.#sort}, ${source.seq} as seq from ${source.from}${where(conditions)}
          order by ${order(source.sort, source.seq)} limit ${limit}`
      }),
    )
    if (branches.length === 1) return branches.join()
    const merged = branches.map((sql) => `select * from (${sql}) b`).join(' union ')
    return `select * from (${merged}) u order by ${order(this.#sort, 'seq')} limit ${limit}`
  }

  /** Matches found by the driver, then sorted: SQLite walks no index for the order of an inner query's columns. */
  #collectSql(params: Params, from: Position | undefined, limit: number, headSeq: number): string {
    const source = this.#source(params, this.#driver)
    const conditions = [
      ...this.#partitionConditions(params, this.#partition),
      ...source.conditions,
      ...this.#tests(params, this.#driver),
      `+t.seq <= ${params.add(headSeq)}`,
      ...(from === undefined ? [] : [this.#beyond(params, { sort: `+t.${this.#sort}`, seq: '+t.seq' }, from)]),
    ]
    return `select distinct +t.${this.#sort} as ${this.#sort}, +t.seq as seq from ${source.from}${where(conditions)}
      order by ${this.#order(from)('1', '2')} limit ${limit}`
  }

  /** The driver's from-clause and condition. */
  #source(params: Params, driver: Driver): Source {
    const { table } = this.#list
    const plain = { from: `${table} t`, conditions: [], sort: `t.${this.#sort}`, seq: 't.seq', mayRepeat: false }
    if (driver === undefined) return plain
    if (driver === 'search') {
      const { search } = this.#db.dialect
      const hits = search.hits(table, params.add(search.queryValue(this.#terms ?? NO_TERMS)), true)
      return { ...plain, from: `${hits} m cross join ${table} t`, conditions: ['t.seq = m.seq'], seq: 'm.seq' }
    }
    const { filter, values } = driver
    if (filter.kind !== 'list') {
      const known = filter.kind === 'most' ? [`t.${filter.column} > ${UNKNOWN}`] : []
      return { ...plain, conditions: [boundCondition(params, `t.${filter.column}`, driver), ...known] }
    }
    if (filter.sideTable === undefined) {
      return { ...plain, conditions: [`t.${filter.column} in (${params.list(values)})`] }
    }
    return {
      from: `${filter.sideTable} d cross join ${table} t`,
      conditions: [`d.${filter.column} in (${params.list(values)})`, 't.seq = d.seq'],
      sort: this.#sort === this.#defaultSort ? `d.${this.#sort}` : `t.${this.#sort}`,
      seq: 'd.seq',
      mayRepeat: values.length > 1,
    }
  }

  /** Every filter but the driver. Bounds of the column `walked` are left out: they bound the walk. */
  #tests(params: Params, driver: Driver, walked?: string): string[] {
    const tests = this.#given
      .filter(({ filter }) => !(isGiven(driver) && filter === driver.filter))
      .filter(({ filter }) => !(isBound(filter) && filter.column === walked))
      .map((given) => testOf(params, given, this.#defaultSort))
    if (this.#terms !== undefined && driver !== 'search') tests.push(this.#searchTest(params, this.#terms))
    return tests
  }

  #searchTest(params: Params, terms: SearchTerms): string {
    const { search } = this.#db.dialect
    const { table } = this.#list
    const param = params.add(search.queryValue(terms))
    if (terms.groups.length > 0) return search.matches(table, 't.seq', param)
    // Terms with nothing but exclusions are written as what they exclude; found once as a set, not row by row.
    return `t.seq not in (select x.seq from ${search.hits(table, param, false)} x)`
  }

  #partitionConditions(params: Params, values: readonly number[], plus = ''): string[] {
    const { partition } = this.#list
    return partition === undefined ? [] : [`${plus}t.${partition.column} in (${params.list(values)})`]
  }

  /** The part of the sort that can match: each side bounded once, since SQLite walks from the first bound it sees. */
  #rangeConditions(params: Params, place: Place, from: Position | undefined): string[] {
    const bounds = this.#given.filter((given): given is Given<BoundFilter> => {
      return isBound(given.filter) && given.filter.column === this.#sort
    })
    const conditions: string[] = []
    for (const side of ['least', 'most'] as const) {
      const bound = bounds.find(({ filter }) => filter.kind === side)
      const isStart = from !== undefined && this.#walksDown(from) === (side === 'most')
      if (isStart && !isBeyond(bound, this.#keyOf(from)[0])) conditions.push(this.#beyond(params, place, from))
      else if (bound !== undefined) conditions.push(boundCondition(params, place.sort, bound))
      else if (side === 'least' && bounds.length > 0) conditions.push(`${place.sort} > ${UNKNOWN}`)
    }
    return conditions
  }

  #beyond(params: Params, { sort, seq }: Place, from: Position): string {
    const [at, place] = this.#keyOf(from)
    const operator = `${this.#walksDown(from) ? '<' : '>'}${from.inclusive ? '=' : ''}`
    return `(${sort}, ${seq}) ${operator} (${params.add(at)}, ${params.add(place)})`
  }

  #keyOf(from: Position): [number, number] {
    const [at, place, ...rest] = from.key
    if (at === undefined || place === undefined || rest.length > 0 || !Number.isSafeInteger(place)) {
      throw ApiError.invalid([{ field: from.direction, message: 'is not a cursor of this list' }])
    }
    return [at, Math.max(-1, Math.min(place, MAX_SEQ))]
  }

  #order(from: Position | undefined): (sort: string, seq: string) => string {
    const direction = this.#walksDown(from) ? ' desc' : ''
    return (sort, seq) => `${sort}${direction}, ${seq}${direction}`
  }

  #walksDown(from: Position | undefined): boolean {
    return this.#isDescending !== (from?.direction === 'before')
  }
}

function partitionOf({ partition }: RecordList, filters: Filters): readonly number[] {
  if (partition === undefined) return []
  return filters[partition.filter] === true ? [0, 1] : [0]
}

const NO_TERMS: SearchTerms = { groups: [], excluded: [] }

/** Where a query has the two columns of a sort key. */
interface Place {
  sort: string
  seq: string
}

interface Source extends Place {
  from: string
  conditions: string[]
  /** The same row can come up once for each of several values. */
  mayRepeat: boolean
}

const isGiven = (driver: Driver): driver is Given => driver !== undefined && driver !== 'search'

const isList = (driver: Driver): driver is Given<ListFilter> => isGiven(driver) && driver.filter.kind === 'list'

/** Whether a walk that starts at `key` starts outside the bound of that side. */
function isBeyond(bound: Given<BoundFilter> | undefined, key: number): boolean {
  if (bound === undefined) return false
  const limit = Number(bound.values[0])
  return bound.filter.kind === 'most' ? key > limit : key < limit
}
