import type { Db, Value } from '../db.ts'
import type { Params } from '../sql.ts'
import { type CatalogueTable, refsBy } from './refs.ts'
import { searchWords } from './search.ts'

/** What a caller gave for a filter: a list means any of its values. */
export type FilterValue = readonly (string | number)[] | string | number | boolean | undefined
export type Filters = Readonly<Record<string, FilterValue>>

/**
 * In columns that are sorted or bounded by, in place of what is not known: it sorts below everything, and no range
 * includes it.
 */
export const UNKNOWN = Number.MIN_SAFE_INTEGER

/** What a column that is sorted by holds for a day or a time in ISO 8601. */
export const timeOf = (text: string | null): number => (text === null ? UNKNOWN : Date.parse(text))

/** One of several values, in a column of the table or of a side table with a row for each value. */
export interface ListFilter {
  kind: 'list'
  column: string
  isText: boolean
  sideTable?: string
  /** There is an index on the column and the default sort, so that it can be walked. */
  isIndexed: boolean
  /** Other sorts for which there is such an index. */
  alsoBy?: readonly string[]
  /** Turns what the caller gave into what the column holds. */
  resolve?: (db: Db, values: readonly Value[]) => Promise<readonly Value[]>
}

export interface BoundFilter {
  kind: 'least' | 'most'
  column: string
}

/**
 * `flag`: 0 or 1. `words`: a text whose words must each begin a word of the column, which holds them with a space
 * before each.
 */
export type Filter = ListFilter | BoundFilter | { kind: 'flag' | 'words'; column: string }

export const anyText = (column: string): ListFilter => ({ kind: 'list', column, isText: true, isIndexed: false })
export const anyNumber = (column: string): ListFilter => ({ kind: 'list', column, isText: false, isIndexed: false })
export const indexed = (filter: ListFilter, ...alsoBy: string[]): ListFilter => ({ ...filter, isIndexed: true, alsoBy })
export const flag = (column: string): Filter => ({ kind: 'flag', column })
export const words = (column: string): Filter => ({ kind: 'words', column })
export const least = (column: string): BoundFilter => ({ kind: 'least', column })
export const most = (column: string): BoundFilter => ({ kind: 'most', column })

/** Ciks are kept in ten digits and often written without the zeros before them. */
export const anyCik = (column: string): ListFilter => ({
  ...anyText(column),
  resolve: async (_db, values) => values.map((cik) => String(cik).padStart(10, '0')),
})

/** A column of refs, filtered by natural keys or ids of what they refer to. */
export const anyRef = (column: string, table: CatalogueTable, by: string, ...alsoBy: string[]): ListFilter => ({
  ...indexed(anyNumber(column), ...alsoBy),
  resolve: async (db, values) => {
    const rows = await refsBy(db, table, by, values.map(String))
    return [...rows.values()].map(({ ref }) => ref).sort((a, b) => a - b)
  },
})

/** The same for a filter whose values have rows of their own in a side table (column, default sort, seq). */
export const inSideTable = (sideTable: string, filter: ListFilter): ListFilter => ({ ...indexed(filter), sideTable })

/** A filter and what was given for it. */
export interface Given<F extends Filter = Filter> {
  filter: F
  values: readonly Value[]
}

/**
 * The filters that were given a value, but for those named in `others`, which are read elsewhere. Undefined when one
 * names only what does not exist, so that nothing can match.
 */
export async function givenOf(
  db: Db,
  known: Readonly<Record<string, Filter>>,
  filters: Filters,
  others: readonly string[],
): Promise<Given[] | undefined> {
  const stranger = Object.keys(filters).find((name) => known[name] === undefined && !others.includes(name))
  if (stranger !== undefined) throw new Error(`the store has no filter ${stranger}`)
  const given: Given[] = []
  for (const [name, filter] of Object.entries(known)) {
    const value = filters[name]
    if (value === undefined) continue
    const values = valuesOf(value)
    const resolved = filter.kind === 'list' && filter.resolve ? await filter.resolve(db, values) : values
    if (resolved.length === 0) return undefined
    given.push({ filter, values: resolved })
  }
  return given
}

function valuesOf(value: Exclude<FilterValue, undefined>): readonly Value[] {
  if (typeof value === 'boolean') return [value ? 1 : 0]
  return typeof value === 'object' ? value : [value]
}

export function isBound(filter: Filter): filter is BoundFilter {
  return filter.kind === 'least' || filter.kind === 'most'
}

export function boundCondition(params: Params, column: string, { filter, values: [bound = null] }: Given): string {
  return `${column} ${filter.kind === 'least' ? '>=' : '<='} ${params.add(bound)}`
}

/**
 * The condition that a row `t` passes a filter, on an expression that no index has: the unary plus changes nothing
 * but that. `sort` is the column that side tables repeat.
 */
export function testOf(params: Params, given: Given, sort: string): string {
  const { filter, values } = given
  const column = `t.${filter.column}`
  switch (filter.kind) {
    case 'flag':
      return `+${column} = ${params.list(values)}`
    case 'least':
      return boundCondition(params, `+${column}`, given)
    case 'most':
      return `${boundCondition(params, `+${column}`, given)} and +${column} > ${UNKNOWN}`
    case 'words':
      return wordsTest(params, column, String(values[0]))
    case 'list': {
      const list = params.list(values)
      if (filter.sideTable === undefined) return `${filter.isText ? `(${column} || '')` : `+${column}`} in (${list})`
      return `exists (select 1 from ${filter.sideTable} x
        where x.${filter.column} in (${list}) and x.${sort} = t.${sort} and x.seq = t.seq)`
    }
  }
}

function wordsTest(params: Params, column: string, text: string): string {
  const tests = searchWords(text).map((word) => `${column} like ${params.add(`% ${word}%`)}`)
  return tests.length === 0 ? '1 = 0' : tests.join(' and ')
}

/** What a column that a `words` filter looks into holds for a text. */
export const wordsColumn = (text: string): string =>
  searchWords(text)
    .map((word) => ` ${word}`)
    .join('')
