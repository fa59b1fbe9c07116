import type { Position } from '../../model/paging.ts'
import { type Db, type Queryable, SHORT_WALK } from '../db.ts'
import type { Params } from '../sql.ts'
import { type FeedList, MAX_SEQ, type SeqRange } from './feed-list.ts'
import {
  type BoundFilter,
  conditionOf,
  type FilterMap,
  type Given,
  type GivenFilters,
  isBound,
  type ListFilter,
  UNKNOWN,
} from './filters.ts'
import { type Asked, type Driver, isBoundOf, isList, isSearch, type RowSource, sortsOf } from './row-source.ts'

/** How the matches of a combination of filters are found: which filter drives the query, and which index it walks. */
export class ListPlan {
  readonly db: Db
  readonly list: FeedList
  readonly asked: Asked
  /** The filter of the kind `including`, which every query names. */
  readonly part: Given | undefined
  readonly sort: string
  /** The columns of a sort key. */
  readonly keys: readonly string[]
  readonly isDescending: boolean
  readonly driver: Driver
  /** The column whose bounds the index of the driver can use. */
  readonly bounded: string | undefined
  /** Whether the matches of the driver can be walked in the order of the sort. */
  readonly isIndexed: boolean

  constructor(db: Db, list: FeedList, sort: string, { given, terms }: GivenFilters) {
    const [name = '', direction] = sort.split(':')
    const column = list.sorts[name]
    const sorts = Object.values(list.sorts)
    if (column === undefined) throw new Error(`${list.table} cannot be sorted by ${name}`)
    this.db = db
    this.list = list
    this.asked = { list, given: given.filter(({ filter }) => filter.kind !== 'including'), terms, sorts }
    this.part = partOf(list.filters, given)
    this.sort = column
    this.keys = column === 'seq' ? ['seq'] : [column, 'seq']
    this.isDescending = direction === 'desc'
    this.driver = terms !== undefined && terms.groups.length > 0 ? terms : given.find(isIndexedList)
    this.bounded = this.#pickBounded()
    this.isIndexed = this.#hasIndex()
  }

  /** Picks where to read so many rows of the feed. */
  runnerFor(rows: number): Queryable {
    return rows > SHORT_WALK ? this.db.heavy : this.db
  }

  /**
   * Returns the bounds of a column, each side once, since SQLite walks from the first bound it sees. `start` takes the
   * place of the bound of its side unless it lies outside.
   */
  boundConditions(params: Params, source: RowSource, name: string | undefined, start?: Position): string[] {
    if (name === undefined) return []
    const bounds = this.asked.given.filter((one) => isBoundOf(one, name))
    const mayBeUnknown = bounds.some(({ filter }) => isBound(filter) && filter.mayBeUnknown)
    const column = source.columnOf(name)
    const conditions: string[] = []
    for (const side of ['least', 'most'] as const) {
      const bound = bounds.find(({ filter }) => filter.kind === side)
      const isStart = start !== undefined && this.walksDown(start) === (side === 'most')
      if (isStart && !isOutside(start, bound)) conditions.push(this.beyond(params, source.columnOf, start))
      else if (bound !== undefined) conditions.push(conditionOf(params, column, bound))
      else if (side === 'least' && mayBeUnknown) conditions.push(`${column} > ${UNKNOWN}`)
    }
    return conditions
  }

  /** Returns the condition that a row is beyond a position. */
  beyond(params: Params, columnOf: (name: string) => string, start: Position): string {
    const operator = `${this.walksDown(start) ? '<' : '>'}${start.inclusive ? '=' : ''}`
    const [at = 0, seq = 0] = start.key
    const key = `(${params.add(at)}, ${params.add(clampSeq(seq))})`
    return `(${columnOf(this.sort)}, ${columnOf('seq')}) ${operator} ${key}`
  }

  /** Narrows a part of the feed to the spans that can match. */
  async narrowed({ low, high }: SeqRange): Promise<SeqRange> {
    const { spans } = this.list
    const bounds = this.asked.given.filter((one) => isBoundOf(one, spans?.column))
    if (spans === undefined || bounds.length === 0) return { low, high }
    const boundOf = (kind: BoundFilter['kind']) => bounds.find(({ filter }) => filter.kind === kind)?.values[0]
    const span = await spans.find(this.db, { least: boundOf('least'), most: boundOf('most') })
    return { low: Math.max(low, span.low), high: Math.min(high, span.high) }
  }

  /** Returns whether a walk from the position reads values in descending order. */
  walksDown(from: Position | undefined): boolean {
    return this.isDescending !== (from?.direction === 'before')
  }

  /** Returns the least and the greatest known value of a column of all rows, by its index. */
  async extremes(column: string): Promise<[least: number | null, greatest: number | null]> {
    const { table } = this.list
    const part = this.asked.sorts.includes(column) ? this.part?.filter.column : undefined
    const parts = part === undefined ? [''] : [`${part} = 0 and `, `${part} = 1 and `]
    // A query for each end: SQLite would scan the index for both at once.
    const ends = parts.flatMap((condition) =>
      ['min', 'max'].map(
        (end) => `select ${end}(${column}) as value from ${table} where ${condition}${column} > ${UNKNOWN}`,
      ),
    )
    const rows = await this.db.query<{ value: number | null }>(ends.join(' union all '))
    const known = rows.flatMap(({ value }) => value ?? [])
    return known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)]
  }

  #pickBounded(): string | undefined {
    // With the column of the `including` filter in front, SQLite would prefer the index of the bound to that of the
    // list of values.
    if (isList(this.driver) && this.part !== undefined) return undefined
    const usable = isList(this.driver) ? sortsOf(this.driver, this.asked.sorts) : this.asked.sorts
    const bounds = this.asked.given.map(({ filter }) => filter).filter((filter) => isBound(filter))
    const strong = bounds.filter(({ isWeak, column }) => !isWeak && usable.includes(column))
    const bounded = (strong.length > 0 ? strong : bounds)
      .map(({ column }) => column)
      .filter((column) => usable.includes(column))
    return bounded.find((column) => column === this.sort) ?? bounded[0]
  }

  #hasIndex(): boolean {
    if (isSearch(this.driver)) return this.sort === 'seq'
    if (this.driver !== undefined) return sortsOf(this.driver, this.asked.sorts).includes(this.sort)
    return this.bounded === undefined || [this.sort, this.list.spans?.column].includes(this.bounded)
  }
}

function partOf(filters: FilterMap, given: readonly Given[]): Given | undefined {
  const filter = Object.values(filters).find((one) => one.kind === 'including')
  return filter && (given.find((one) => one.filter === filter) ?? { filter, values: [0] })
}

/** Returns the conditions that a row is in a part of the feed. */
export const seqConditions = (params: Params, seq: string, { low, high }: SeqRange): string[] => [
  `${seq} <= ${params.add(clampSeq(high))}`,
  ...(low > 0 ? [`${seq} > ${params.add(clampSeq(low))}`] : []),
]

const clampSeq = (seq: number) => Math.max(-1, Math.min(seq, MAX_SEQ))

const isIndexedList = (given: Given): given is Given<ListFilter> =>
  given.filter.kind === 'list' && given.filter.isIndexed

/** Returns whether a walk that starts at the position starts outside the bound of that side. */
function isOutside({ key: [at = 0] }: Position, bound: Given | undefined): boolean {
  if (bound === undefined) return false
  const limit = Number(bound.values[0])
  return bound.filter.kind === 'most' ? at > limit : at < limit
}
