import type { Db, SearchTerms } from '../db.ts'
import type { Params } from '../sql.ts'
import type { FeedList } from './feed-list.ts'
import { conditionOf, type Given, isBound, type ListFilter, testedColumns, testOf } from './filters.ts'

/** The filter or the search that finds the rows; the other filters are tested on them. */
export type Driver = Given<ListFilter> | SearchTerms | undefined

/** An index is searched once for each value of a filter. */
const MAX_PROBES = 4

/** A from-clause with its conditions. */
export interface RowSource {
  from: string
  conditions: string[]
  /** Returns a column of the list's table as the query names it. */
  columnOf(name: string): string
  /** Whether a row can occur several times, once per value. */
  mayRepeat: boolean
}

/** The parts of a request that select rows. */
export interface Asked {
  list: FeedList
  given: readonly Given[]
  terms: SearchTerms | undefined
  /** The sort columns, the default first. */
  sorts: readonly string[]
}

/** How rows are found and which of their columns are read. */
interface How {
  driver: Driver
  /** The filter of the kind `including`, with the values to look at. */
  part: Given | undefined
  /** A column whose bounds the caller adds. */
  bounded: string | undefined
  reads: readonly string[]
  /** Whether a search that drives finds all hits first. */
  areHitsFirst?: boolean
  /** Whether the rows are read in the order of the sort until there are enough. */
  isWalk?: boolean
  /** The rows to look at: all, or those whose `seq` the caller restricts to the end of the feed or to a few. */
  among: 'all' | 'tail' | 'few'
  /** Whether filters are tested in their `testIndex`, which is faster if very many rows are tested. */
  testsInIndexes?: boolean
}

/**
 * Returns where the rows of a request are found, with every condition but those on `seq` and on the column `bounded`.
 * The list's table is joined only if the relation of the driver lacks a column that is read or tested.
 *
 * | driver | relation                                      |
 * |--------|-----------------------------------------------|
 * | search | `m`, the full-text index, in the order of seq |
 * | filter | `d`, its side table, or `t`, the list's table |
 * | none   | `t`                                           |
 */
export function rowSource(db: Db, params: Params, asked: Asked, how: How): RowSource {
  const { list, terms, sorts } = asked
  const { driver, part } = how
  const { hasStatistics: isPlain } = db.dialect
  // The planner takes the columns of a side table for independent, expects one match, and would collect and sort all rows.
  const fence = isPlain && how.isWalk ? ' offset 0' : ''
  const found = relationOf(db, params, asked, how)
  const columnOf = (name: string) => `${found.has(name) ? found.name : 't'}.${name}`
  const isFirstPart = part?.values.every((value) => value === 0)
  const tested = asked.given.filter(
    ({ filter }) =>
      !(isList(driver) && filter === driver.filter) && !(isFirstPart && filter.kind === 'test' && filter.isWeak),
  )
  const isPartTested = part !== undefined && (how.among === 'all' || part.values.length === 1)
  const tests = how.testsInIndexes
    ? indexTests(db, tested, sorts, found)
    : tested.map((given) => ({ given, index: undefined }))
  const reads = [
    ...how.reads,
    ...tests.flatMap(({ given, index }) => (index === undefined ? testedColumns(given, sorts) : ['seq'])),
  ]
  const isJoined = found.name !== 't' && (isPartTested || !reads.every(found.has))
  return {
    from: isJoined ? `${found.from} cross join ${list.table} t` : found.from,
    conditions: [
      ...found.conditions,
      ...(isJoined ? [`t.seq = ${found.name}.seq`] : []),
      ...(isPartTested ? [conditionOf(params, `${how.among === 'all' ? '' : '+'}t.${part.filter.column}`, part)] : []),
      ...tests
        .filter(({ given }) => !isBoundOf(given, how.bounded))
        .map(({ given, index }) =>
          index === undefined
            ? testOf(params, given, columnOf, sorts, { isPlain, fence })
            : indexTest(params, list.table, given, index, columnOf('seq')),
        ),
      ...(terms === undefined || isSearch(driver)
        ? []
        : [searchTest(db, params, list, terms, columnOf('seq'), how.among)]),
    ],
    columnOf,
    mayRepeat: found.name === 'd' && isList(driver) && driver.values.length > 1,
  }
}

/** Returns the relation in which the driver finds rows. */
function relationOf(db: Db, params: Params, { list: { table }, sorts }: Asked, { driver, areHitsFirst }: How) {
  if (driver === undefined) return { name: 't', from: `${table} t`, conditions: [], has: () => true }
  if (isSearch(driver)) {
    const { search } = db.dialect
    const hits = search.hits(table, params.add(search.queryValue(driver)), areHitsFirst)
    return { name: 'm', from: `${hits} m`, conditions: [], has: (name: string) => name === 'seq' }
  }
  const { column, sideTable } = driver.filter
  const name = sideTable === undefined ? 't' : 'd'
  const columns = ['seq', ...sortsOf(driver, sorts)]
  return {
    name,
    from: `${sideTable ?? table} ${name}`,
    conditions: [conditionOf(params, `${name}.${column}`, driver)],
    has: (name: string) => sideTable === undefined || columns.includes(name),
  }
}

/**
 * Returns the index in which each filter is tested, as a from-clause names it. There is none if another filter reads the row in
 * any case, or for more values than a test of the row would be faster for.
 */
function indexTests(db: Db, tested: readonly Given[], sorts: readonly string[], found: ReturnType<typeof relationOf>) {
  const tests = tested.map((given) => {
    const { filter, values } = given
    const name = filter.kind === 'list' && values.length <= MAX_PROBES ? filter.testIndex : undefined
    return { given, index: name === undefined ? undefined : db.dialect.indexedBy?.(name) }
  })
  const isInIndex = (name: string) => (found.name === 't' ? ['seq', ...sorts].includes(name) : found.has(name))
  const readsRow = tests.some(
    ({ given, index }) => index === undefined && !testedColumns(given, sorts).every(isInIndex),
  )
  return readsRow ? tested.map((given) => ({ given, index: undefined })) : tests
}

/** Returns the condition that an index has the row with this `seq` among those of a filter. */
function indexTest(params: Params, table: string, given: Given, index: string, seq: string): string {
  const matches = conditionOf(params, `x.${given.filter.column}`, given)
  return `exists (select 1 from ${table} x${index} where ${matches} and x.seq = ${seq})`
}

/** Returns the condition that the row with this `seq` passes a search. */
function searchTest(
  db: Db,
  params: Params,
  { table }: FeedList,
  terms: SearchTerms,
  seq: string,
  among: How['among'],
): string {
  const { search } = db.dialect
  const param = params.add(search.queryValue(terms))
  const matches = search.matches(table, seq, param)
  if (terms.groups.length > 0) return matches
  // Terms that only exclude are written as the hits to exclude. For many rows the hits are collected once, as a set: a
  // test row by row would search the full-text index again for each row.
  return among === 'few' ? `not ${matches}` : `${seq} not in (select x.seq from ${search.hits(table, param)} x)`
}

/** Returns the sort columns that an index has after the column of the filter. */
export function sortsOf({ filter }: Given<ListFilter>, [defaultSort = 'seq']: readonly string[]): readonly string[] {
  return [defaultSort, ...filter.alsoBy]
}

export const isSearch = (driver: Driver): driver is SearchTerms => driver !== undefined && 'groups' in driver

export const isList = (driver: Driver): driver is Given<ListFilter> => driver !== undefined && 'filter' in driver

export const isBoundOf = ({ filter }: Given, column: string | undefined): boolean =>
  isBound(filter) && filter.column === column
