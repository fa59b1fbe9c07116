import type { Db, SearchTerms } from '../db.ts'
import { Params, where } from '../sql.ts'
import type { OffsetRequest } from './feed-pages.ts'
import { type FilterMap, type GivenValues, readFilters, testOf } from './filters.ts'

/** A list over a catalogue: a table of at most some ten thousand rows, which a request may scan. */
export interface CatalogueList {
  /** A query for the columns to filter and sort on, including `words` and the unique `ref`. */
  rows: string
  filters: FilterMap
  /** Column by the name of the sort. The first breaks ties. Nulls come last in both directions. */
  sorts: Readonly<Record<string, string>>
}

/** Returns the rows of one page and the number of all matches. */
export async function readCatalogue<Row>(
  db: Db,
  list: CatalogueList,
  { filters, sort, limit, offset }: OffsetRequest<GivenValues>,
): Promise<{ rows: Row[]; totalCount: number }> {
  const none = { rows: [], totalCount: 0 }
  const read = await readFilters(db, list.filters, filters)
  if (read === undefined) return none

  const params = new Params()
  const conditions = [
    ...read.given.map((one) => testOf(params, one, (name) => `t.${name}`, [])),
    ...(read.terms === undefined ? [] : searchTests(params, read.terms)),
  ]
  const from = `(${list.rows}) t${where(conditions)}`
  const [count] = await db.query<{ count: number }>(`select count(*) as count from ${from}`, params.values)
  const totalCount = count?.count ?? 0
  if (offset >= totalCount) return { ...none, totalCount }

  const [name = '', direction] = sort.split(':')
  const column = list.sorts[name]
  if (column === undefined) throw new Error(`a list cannot be sorted by ${name}`)
  const [first = column] = Object.values(list.sorts)
  const rows = await db.query<Row>(
    `select * from ${from}
     order by t.${column} is null, t.${column} ${direction === 'desc' ? 'desc' : 'asc'}, t.${first}, t.ref
     limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`,
    params.values,
  )
  return { rows, totalCount }
}

/** Matches like the full-text index, except that the last word of a phrase is a prefix: users type parts of names. */
function searchTests(params: Params, { groups, excluded }: SearchTerms): string[] {
  const matches = (phrase: string[]) => `t.words like ${params.add(`% ${phrase.join(' ')}%`)}`
  return [
    ...groups.map((phrases) => `(${phrases.map(matches).join(' or ')})`),
    ...excluded.map((phrase) => `not ${matches(phrase)}`),
  ]
}
