import Type, { type TSchema } from 'typebox'
import { DEMO_LIST_CAP } from '../admission/demo.ts'

/** Building blocks of query schemas. */

/** Extensions of JSON Schema for parameters; query.ts implements them and the reference shows them. */
export interface ParamMarks {
  /** Ignored for the demo key (spec 4.3.5). */
  'x-own-key'?: boolean
  /** Selects a page: answered with 400 for the demo key (spec 5). */
  'x-paging'?: boolean
  /** Values above the maximum are lowered to it instead of refused. */
  'x-clamp'?: boolean
  /** Default and maximum for the demo key. */
  'x-demo-maximum'?: number
  /** The case in which the store keeps the values; makes the parameter case-insensitive. */
  'x-letters'?: 'upper' | 'lower'
  'x-blank-is-absent'?: boolean
  /** A sort may be given without its direction. */
  'x-bare-names'?: boolean
  /** Lower-case name of a header that overrides the parameter. */
  'x-header'?: string
  /** A time that may lie in the future, such as the end of a market. */
  'x-future'?: boolean
  /** A cursor may also be the id of an item, which is its position. */
  'x-id-cursor'?: boolean
  /** The default if another parameter is given. */
  'x-default-with'?: { param: string; value: string }
}

export function mark<S extends TSchema>(schema: S, marks: ParamMarks): S {
  return Object.assign(schema, marks)
}

export const MAX_LIMIT = 100
const MAX_TEXT_LENGTH = 1_000
const MAX_LIST_ITEMS = 20

export const ownKey = <S extends TSchema>(schema: S) => mark(schema, { 'x-own-key': true })

/** Parameters that select a page, on any kind of list: the demo key gets 400 (spec 5). */
export const PAGING_PARAMS = ['after', 'before', 'offset', 'page'] as const

const paging = <S extends TSchema>(schema: S) => mark(schema, { 'x-paging': true })

export const limit = () =>
  mark(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: 50,
      description: `Page size. Values above the maximum are lowered to it; with the demo key, values above ${DEMO_LIST_CAP} are refused with 400.`,
    }),
    { 'x-clamp': true, 'x-demo-maximum': DEMO_LIST_CAP },
  )

export const after = () =>
  Type.Optional(paging(Type.String({ description: 'nextCursor of the previous page: returns the items after it' })))

export const before = () =>
  Type.Optional(paging(Type.String({ description: 'prevCursor of the following page: returns the items before it' })))

/** A cursor of a list whose order is that of the ids, which are numbers. */
export const idCursor = (description: string) =>
  Type.Optional(mark(paging(Type.String({ description })), { 'x-id-cursor': true }))

export const offset = () =>
  paging(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0, description: 'Number of items to skip' }))

export const page = () =>
  paging(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number' }))

export const sortBy = <const Sort extends string>(...sorts: [Sort, ...Sort[]]) =>
  ownKey(Type.Enum(sorts, { default: sorts[0], description: 'Sort order' }))

/**
 * A sort parameter that accepts each sort in both directions, and without a direction in the one given here. The first
 * sort is the default.
 */
export const sorts = <const Sort extends `${string}:${'asc' | 'desc'}`>(...sorts: [Sort, ...Sort[]]) => {
  const both = sorts.flatMap((sort) => [sort, opposite(sort)])
  const bare = sorts.map((sort) => sort.replace(/:.*/, ''))
  const options = { default: sorts[0], description: 'Sort order; without a direction, the first one listed applies' }
  return ownKey(mark(Type.Enum([...both, ...bare], options), { 'x-bare-names': true }))
}

function opposite(sort: string): string {
  const [name, direction] = sort.split(':')
  return `${name}:${direction === 'asc' ? 'desc' : 'asc'}`
}

/** A sort parameter whose default is relevance if `query` is given. */
export const sortByOrRelevance = <const Sort extends string>(...sorts: [Sort, ...Sort[]]) =>
  mark(
    Object.assign(sortBy<Sort | typeof RELEVANCE>(...sorts, RELEVANCE), {
      description: `Sort order; ${RELEVANCE} needs query, and is the default with it`,
    }),
    { 'x-default-with': { param: 'query', value: RELEVANCE } },
  )

const RELEVANCE = 'relevance:desc'

const SEARCH =
  'Full-text search. All words must match, in any of their forms (rate finds rates); supports "exact phrases", -exclusions, or, and beg* for words that begin so.'

export const search = (description = SEARCH) =>
  Type.Optional(mark(Type.String({ maxLength: MAX_TEXT_LENGTH, description }), { 'x-blank-is-absent': true }))

export const query = () =>
  search(
    'Semantic search: a question or headline in your own words; the first 300 characters count. Returns at most 200 entries, sorted by relevance unless sortBy is given, and fewer or none if few are relevant. Words such as "this week" prefer entries of that time. `meta.mode` is words if the model does not know the language of the query or is not available, else semantic.',
  )

export const text = (description: string) => Type.Optional(Type.String({ maxLength: MAX_TEXT_LENGTH, description }))

export const slug = (description: string) =>
  Type.Optional(mark(Type.String({ maxLength: MAX_TEXT_LENGTH, description }), { 'x-letters': 'lower' }))

/** A comma-separated list, which matches any of its values. */
const listOf = <S extends TSchema>(items: S, description: string) =>
  Type.Optional(
    Type.Array(items, {
      maxItems: MAX_LIST_ITEMS,
      description: `${description}; a comma-separated list matches any of its values`,
    }),
  )

/** Optional parts of a response. */
export const include = <const Parts extends readonly string[]>(parts: Parts) =>
  Type.Optional(Type.Array(Type.Enum(parts), { description: 'Parts to add to the response, separated by commas' }))

export const textList = (description: string, letters?: 'upper' | 'lower') =>
  listOf(mark(Type.String({ maxLength: MAX_TEXT_LENGTH }), letters ? { 'x-letters': letters } : {}), description)

export const enumList = <const Values extends readonly string[]>(values: Values, description: string) =>
  listOf(Type.Enum(values), description)

export const uuid = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

export const uuidList = (description: string) => listOf(Type.String({ format: 'uuid' }), description)

export const integerList = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  listOf(Type.Integer(range), description)

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const number = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }))

export const integer = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

/** The id of the last event that a stream client received. */
export const lastEventId = () =>
  Type.Optional(
    mark(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Id of the last event you received: the stream first sends what you missed. The header Last-Event-ID does the same and takes precedence',
      }),
      { 'x-header': 'last-event-id' },
    ),
  )

/** A non-negative amount of money or of units. */
export const amount = (description: string) => number(0, 1e15, description)

/** An ISO 8601 date or time; handlers receive epoch milliseconds. */
export const instant = (description: string) =>
  Type.Optional(Type.Unsafe<number>({ type: 'string', format: 'date-time', description }))

/** An instant that may lie in the future. */
export const plannedInstant = (description: string) => mark(instant(description), { 'x-future': true })

/** A time of the past. The pipeline lowers a time in the future to now. */
export const asOf = (description: string) => ownKey(instant(`Time of the past: ${description}`))

/** Parameters of every cursor list. */
export const cursorList = () => ({ limit: limit(), search: search(), after: after(), before: before() })

/** Parameters of every page list. */
export const pageList = (searchDescription?: string) => ({
  limit: limit(),
  search: search(searchDescription),
  page: page(),
})

/** Parameters of every catalogue list. */
export const catalogueList = () => pageList(`${SEARCH} Words match by prefix.`)

/** Marks filters as ignored for the demo key. */
export function ownKeyFilters<Filters extends Record<string, TSchema>>(filters: Filters): Filters {
  for (const filter of Object.values(filters)) ownKey(filter)
  return filters
}

type NotFilters = 'limit' | 'sortBy' | 'group' | 'include' | (typeof PAGING_PARAMS)[number]
const NOT_FILTERS = new Set<string>(['limit', 'sortBy', 'group', 'include', ...PAGING_PARAMS])

/** Returns whether a parameter of a list filters it, rather than choosing the page or the order. */
export const isFilter = (name: string): boolean => !NOT_FILTERS.has(name)

/**
 * Returns the parameters of a query that filter its list. The code that uses the result must accept exactly these: a
 * parameter that the store does not filter by, or a filter of the store without a parameter, does not compile.
 */
export function filtersOf<Query extends object, Filters>(query: Query & Matching<Query, Filters>): Filters {
  return Object.fromEntries(Object.entries(query).filter(([name]) => isFilter(name))) as Filters
}

/** No requirement if the names and the types agree. The branches must not be `Filters`: it would be inferred from them. */
type Matching<Query, Filters> = [Exclude<keyof Query, NotFilters | keyof Filters>] extends [never]
  ? [Exclude<keyof Filters, keyof Query>] extends [never]
    ? Omit<Query, NotFilters> extends Filters
      ? unknown
      : { 'a parameter has another type than its filter': Filters }
    : { 'the query has no parameter for the filter': Exclude<keyof Filters, keyof Query> }
  : { 'the store has no filter for the parameter': Exclude<keyof Query, NotFilters | keyof Filters> }
