import type { Db, SearchTerms, Value } from '../db.ts'
import { Params } from '../sql.ts'
import { type CatalogueTable, refsBy } from './refs.ts'
import { parseSearch, searchWords } from './search.ts'
import { formsOf } from './word-forms.ts'

/** Converts the caller's value into the values to compare the column with. If there are none, no row can match. */
interface Resolves<Given> {
  resolve(given: Given, db: Db): readonly Value[] | Promise<readonly Value[]>
}

/** A filter on any of several values, in a column of the list's table or of a side table with a row per value. */
export interface ListFilter<Given = unknown> extends Resolves<Given> {
  kind: 'list'
  column: string
  isText: boolean
  /** Whether the column must have none of the values. */
  isExcluding?: true
  sideTable?: string
  /** Whether an index has the column, then the default sort, then `seq`, so that the filter can drive a walk. */
  isIndexed: boolean
  /** Further sort columns for which there is such an index. A side table has a copy of each of them. */
  alsoBy: readonly string[]
  /** The index (column, seq) in which a count tests the filter instead of reading rows. */
  testIndex?: string
}

/** A lower or an upper bound, inclusive. */
export interface BoundFilter extends Resolves<number> {
  kind: 'least' | 'most'
  column: string
  /** Whether the column can hold UNKNOWN, which is below every upper bound. */
  mayBeUnknown: boolean
  /** Whether most rows pass, so that the index of another bound is better. */
  isWeak?: true
}

/** A text of which every word must be a prefix of a word in the column. The column has a space before each word. */
interface WordsFilter extends Resolves<string> {
  kind: 'words'
  column: string
}

/** A flag that adds the rows whose column is 1. Unless it is true, the list has only the rows whose column is 0. */
interface IncludingFilter extends Resolves<boolean> {
  kind: 'including'
  column: string
}

/** A condition in SQL on some columns. */
interface TestFilter<Given = never> extends Resolves<Given> {
  kind: 'test'
  column: string
  /** The columns that `sql` reads. */
  columns: readonly string[]
  /** Whether nearly all rows pass, and all whose column of the `including` filter is 0. */
  isWeak: boolean
  sql(params: Params, columnOf: (name: string) => string, values: readonly Value[]): string
}

/** A full-text search, in the syntax of `parseSearch`. */
export interface SearchFilter extends Resolves<string> {
  kind: 'search'
  /** Whether the texts are names, which are also found by parts of their words. */
  isForNames: boolean
}

export type Filter = ListFilter | BoundFilter | WordsFilter | IncludingFilter | TestFilter | SearchFilter

/** The filters of a list by name, the most selective first: the first indexed one of a request drives its query. */
export type FilterMap = Readonly<Record<string, Filter>>

/** The value that each filter of a map takes. A list of values means any of them; several filters mean all of them. */
export type FilterValues<Filters extends FilterMap> = {
  [Name in keyof Filters]?: Parameters<Filters[Name]['resolve']>[0]
}

/** Filter values of any list, by the name of the filter. */
export type GivenValues = Readonly<Record<string, unknown>>

/**
 * The stored form of an unknown value in a column that has a sort or a range filter: it sorts below all other values,
 * and no range includes it.
 */
export const UNKNOWN = Number.MIN_SAFE_INTEGER

/** Returns the value of a sort column for a day or a time in ISO 8601. */
export const timeOf = (text: string | null): number => (text === null ? UNKNOWN : Date.parse(text))

const inColumn = { kind: 'list', isIndexed: false, alsoBy: [] } as const

export const anyText = (column: string): ListFilter<readonly string[]> => ({
  ...inColumn,
  column,
  isText: true,
  resolve: (texts) => texts,
})

export const oneText = (column: string): ListFilter<string> => ({
  ...inColumn,
  column,
  isText: true,
  resolve: (text) => [text],
})

export const otherText = (column: string): ListFilter<string> => ({ ...oneText(column), isExcluding: true })

export const anyNumber = (column: string): ListFilter<readonly number[]> => ({
  ...inColumn,
  column,
  isText: false,
  resolve: (numbers) => numbers,
})

/** A column of 0 or 1. */
export const flagFilter = (column: string): ListFilter<boolean> => ({
  ...inColumn,
  column,
  isText: false,
  resolve: (isSet) => [Number(isSet)],
})

/** CIKs are stored with ten digits; callers often leave out the leading zeros. */
export const anyCik = (column: string): ListFilter<readonly string[]> => ({
  ...anyText(column),
  resolve: (ciks) => ciks.map((cik) => cik.padStart(10, '0')),
})

/** A column of refs, filtered by the natural keys or the ids of the rows of `table`. */
export const anyRef = (
  column: string,
  table: CatalogueTable,
  by: string,
  ...alsoBy: string[]
): ListFilter<readonly string[]> => ({
  ...indexed(anyNumber(column), ...alsoBy),
  async resolve(keys, db) {
    const rows = await refsBy(db, table, by, keys)
    return [...rows.values()].map(({ ref }) => ref).sort((a, b) => a - b)
  },
})

/** A column of refs of assets, filtered by their symbols. Several assets may have the same one. */
export const anySymbol = (column: string, ...alsoBy: string[]): ListFilter<readonly string[]> => ({
  ...indexed(anyNumber(column), ...alsoBy),
  async resolve(symbols, db) {
    const params = new Params()
    const rows = await db.query<{ ref: number }>(
      `select ref from assets where symbol in (${params.list(symbols)}) order by ref`,
      params.values,
    )
    return rows.map(({ ref }) => ref)
  },
})

export const indexed = <Given>(filter: ListFilter<Given>, ...alsoBy: string[]): ListFilter<Given> => ({
  ...filter,
  isIndexed: true,
  alsoBy,
})

/** Lets counts test the filter in this index. */
export const testedIn = <Given>(testIndex: string, filter: ListFilter<Given>): ListFilter<Given> => ({
  ...filter,
  testIndex,
})

/** Reads the column from a side table (column, default sort, seq). */
export const inSideTable = <Given>(sideTable: string, filter: ListFilter<Given>): ListFilter<Given> => ({
  ...filter,
  isIndexed: true,
  sideTable,
})

const bound = (kind: BoundFilter['kind'], column: string, mayBeUnknown: boolean): BoundFilter => ({
  kind,
  column,
  mayBeUnknown,
  resolve: (value) => [value],
})

export const least = (column: string): BoundFilter => bound('least', column, false)
export const most = (column: string): BoundFilter => bound('most', column, true)
/** An upper bound on a column that never holds UNKNOWN: a missing value is null. */
export const mostOfKnown = (column: string): BoundFilter => bound('most', column, false)
/** An upper bound that most rows pass. */
export const mostWeakly = (column: string): BoundFilter => ({ ...bound('most', column, false), isWeak: true })
export const words = (column: string): WordsFilter => ({ kind: 'words', column, resolve: (text) => [text] })

export const including = (column: string): IncludingFilter => ({
  kind: 'including',
  column,
  resolve: (isIncluded) => (isIncluded ? [0, 1] : [0]),
})

export const tested = <Given>(filter: Omit<TestFilter<Given>, 'kind' | 'isWeak'>): TestFilter<Given> => ({
  kind: 'test',
  isWeak: false,
  ...filter,
})

/**
 * A time at which rows were still known: the column `to` has a later time, or null if they still are. With `from`, that
 * column has the time or an earlier one.
 */
export const still = (table: string, to: string, from?: string): TestFilter<number> => ({
  kind: 'test',
  isWeak: true,
  column: to,
  columns: ['seq'],
  resolve: (time) => [time],
  // The lookup of the row leaves the planner an index that has all other columns.
  sql: (params, columnOf, values) => `exists (select 1 from ${table} x
    where x.seq = ${columnOf('seq')} and (x.${to} is null or x.${to} > ${params.list(values)})
    ${from === undefined ? '' : `and x.${from} <= ${params.list(values)}`})`,
})

export const fullText = (): SearchFilter => ({ kind: 'search', isForNames: false, resolve: (text) => [text] })
export const inNames = (): SearchFilter => ({ ...fullText(), isForNames: true })

/** A filter with the values to compare its column with. */
export interface Given<F extends ColumnFilter = ColumnFilter> {
  filter: F
  values: readonly Value[]
}

type ColumnFilter = Exclude<Filter, SearchFilter>

/** The filters of one request, in the order of their map. */
export interface GivenFilters {
  given: Given[]
  terms: SearchTerms | undefined
}

/**
 * Reads the filters of a request. Returns undefined when nothing can match, such as when a filter names only assets
 * that do not exist. Throws on a name that is not in the map, because ignoring the filter would return unfiltered rows.
 */
export async function readFilters(db: Db, known: FilterMap, request: GivenValues): Promise<GivenFilters | undefined> {
  const others = Object.keys(request).filter((name) => !Object.hasOwn(known, name))
  if (others.length > 0) throw new Error(`the list has no filter ${others.join(', ')}`)
  const given: Given[] = []
  let terms: SearchTerms | undefined
  // Not for-in: V8 would compile and discard such a loop again and again, since each list has another map.
  for (const [name, filter] of Object.entries(known)) {
    const value = request[name]
    if (value === undefined) continue
    if (filter.kind === 'search') {
      const { isForNames } = filter
      terms = termsOf(String(value), languagesOf(request), isForNames)
      if (terms === undefined) return undefined
      continue
    }
    // The type of the request, `FilterValues`, has checked that the value is one that this filter takes.
    const values = await filter.resolve(value as never, db)
    if (values.length === 0) return undefined
    given.push({ filter, values })
  }
  return { given, terms }
}

/** Parses a full-text search in languages, or in the usual one. Returns undefined if nothing can match. */
export const termsOf = (
  search: string,
  languages: readonly string[] = [],
  isForNames = false,
): SearchTerms | undefined => parseSearch(search, { formsOf: (word) => formsOf(word, languages), isForNames })

/** The languages that a request asks for. */
const languagesOf = ({ language }: GivenValues): string[] => [language ?? []].flat().map(String)

/**
 * Checks that a list has read all of its filters: does not compile if one is left over, and throws on unknown names.
 */
export function refuseOthers(others: Readonly<Record<string, never>>): void {
  const names = Object.keys(others)
  if (names.length > 0) throw new Error(`the list has no filter ${names.join(', ')}`)
}

export function isBound(filter: Filter): filter is BoundFilter {
  return filter.kind === 'least' || filter.kind === 'most'
}

/** Returns the SQL condition of a filter on the expression `column`, in a form that can use an index. */
export function conditionOf(params: Params, column: string, { filter, values }: Given): string {
  switch (filter.kind) {
    case 'least':
      return `${column} >= ${params.list(values)}`
    case 'most':
      return `${column} <= ${params.list(values)}`
    case 'words':
      return wordsCondition(params, column, String(values[0]))
    case 'test':
      throw new Error(`no index serves the test of ${column}`)
    case 'list':
      return `${column} ${filter.isExcluding ? 'not in' : 'in'} (${params.list(values)})`
    case 'including':
      return `${column} in (${params.list(values)})`
  }
}

/**
 * Returns the columns of a list's table that `testOf` reads. Rows of a side table are matched by `seq` and by the
 * default sort column, the first of `sorts`, of which the side table has a copy.
 */
export function testedColumns({ filter }: Given, [sort = 'seq']: readonly string[]): string[] {
  if (filter.kind === 'test') return [...filter.columns]
  return filter.kind === 'list' && filter.sideTable !== undefined ? [...new Set([sort, 'seq'])] : [filter.column]
}

/**
 * Returns the SQL condition of a filter in a form that the engine tests row by row. The unary plus and the
 * concatenation change no value: they keep the engine from walking another index, such as that of a sort. For a planner with
 * statistics, columns stay as they are (`isPlain`), and `fence` keeps it from joining what a walk tests. `columnOf` qualifies the
 * name of a column; `sorts` are the sort columns of the list.
 */
export function testOf(
  params: Params,
  given: Given,
  columnOf: (name: string) => string,
  sorts: readonly string[],
  { isPlain, fence }: { isPlain: boolean; fence: string },
): string {
  const { filter } = given
  if (filter.kind === 'test') return filter.sql(params, columnOf, given.values)
  if (filter.kind === 'list' && filter.sideTable !== undefined) {
    const sameRow = testedColumns(given, sorts).map((name) => `x.${name} = ${columnOf(name)}`)
    return `exists (select 1 from ${filter.sideTable} x
      where ${conditionOf(params, `x.${filter.column}`, given)} and ${sameRow.join(' and ')}${fence})`
  }
  const column = columnOf(filter.column)
  if (filter.kind === 'words') return conditionOf(params, column, given)
  const hasNoIndex = isBound(filter) && !sorts.includes(filter.column)
  const hidden = filter.kind === 'list' && filter.isText ? `(${column} || '')` : `+${column}`
  const tested = isPlain || hasNoIndex ? column : hidden
  const test = conditionOf(params, tested, given)
  return isBound(filter) && filter.mayBeUnknown ? `${test} and ${tested} > ${UNKNOWN}` : test
}

function wordsCondition(params: Params, column: string, text: string): string {
  const tests = searchWords(text).map((word) => `${column} like ${params.add(`% ${word}%`)}`)
  return tests.length === 0 ? '1 = 0' : tests.join(' and ')
}

/** Returns the text that a column of a `words` filter holds. */
export const wordsColumn = (text: string): string =>
  searchWords(text)
    .map((word) => ` ${word}`)
    .join('')
