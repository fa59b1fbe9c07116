import Type, { type TSchema } from 'typebox'
import { DEMO_LIST_CAP } from '../admission/demo.ts'

/** Building blocks of query schemas. */

/** What a parameter says beyond JSON Schema: query.ts acts on it, the reference shows it. */
export interface ParamMarks {
  /** Only for callers with a key of their own: dropped unread for the demo key (spec 4.3.5). */
  'x-own-key'?: boolean
  /** Asks for another page of its list: the demo key gets 400 (spec 5). */
  'x-paging'?: boolean
  /** More than the maximum is taken for the maximum. */
  'x-clamp'?: boolean
  /** Default and maximum for the demo key. */
  'x-demo-maximum'?: number
  /** How the values are kept, so that a caller's case does not matter. */
  'x-letters'?: 'upper' | 'lower'
  'x-blank-is-absent'?: boolean
  /** A sort may be named without its direction. */
  'x-bare-names'?: boolean
  /** A header that may be sent in place of the parameter, in small letters; it wins. */
  'x-header'?: string
  /** The default when another parameter is given. */
  'x-default-with'?: { param: string; value: string }
}

export function mark<S extends TSchema>(schema: S, marks: ParamMarks): S {
  return Object.assign(schema, marks)
}

const MAX_LIMIT = 100
const MAX_TEXT_LENGTH = 1_000
const MAX_LIST_ITEMS = 20

export const ownKey = <S extends TSchema>(schema: S) => mark(schema, { 'x-own-key': true })

/** What asks for another page, on any kind of list: the demo key gets 400 (spec 5). */
export const PAGING_PARAMS = ['after', 'before', 'offset', 'page'] as const

const paging = <S extends TSchema>(schema: S) => mark(schema, { 'x-paging': true })

export const limit = () =>
  mark(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: 50,
      description: `Page size. More than the maximum is taken for the maximum; more than ${DEMO_LIST_CAP} with the demo key is 400.`,
    }),
    { 'x-clamp': true, 'x-demo-maximum': DEMO_LIST_CAP },
  )

export const after = () =>
  Type.Optional(paging(Type.String({ description: 'nextCursor of the page before: continues after it' })))

export const before = () =>
  Type.Optional(paging(Type.String({ description: 'prevCursor of the page after: goes back to what precedes it' })))

export const offset = () =>
  paging(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0, description: 'How many to skip' }))

export const page = () =>
  paging(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number' }))

export const sortBy = <const Sort extends string>(...sorts: [Sort, ...Sort[]]) =>
  ownKey(Type.Enum(sorts, { default: sorts[0], description: 'Sort order' }))

/**
 * Sorts by name: each can be asked for in both directions, and without one in the direction given here. The first is
 * the default.
 */
export const sorts = <const Sort extends `${string}:${'asc' | 'desc'}`>(...sorts: [Sort, ...Sort[]]) => {
  const both = sorts.flatMap((sort) => [sort, opposite(sort)])
  const bare = sorts.map((sort) => sort.replace(/:.*/, ''))
  const options = { default: sorts[0], description: 'Sort order; a name alone takes the first of its directions' }
  return ownKey(mark(Type.Enum([...both, ...bare], options), { 'x-bare-names': true }))
}

function opposite(sort: string): string {
  const [name, direction] = sort.split(':')
  return `${name}:${direction === 'asc' ? 'desc' : 'asc'}`
}

/** Sorts of a list that is sorted by relevance when it is asked a question. */
export const sortByOrRelevance = <const Sort extends string>(...sorts: [Sort, ...Sort[]]) =>
  mark(
    Object.assign(sortBy<Sort | typeof RELEVANCE>(...sorts, RELEVANCE), {
      description: `Sort order; ${RELEVANCE} is for query, and the default with it`,
    }),
    { 'x-default-with': { param: 'query', value: RELEVANCE } },
  )

const RELEVANCE = 'relevance:desc'

const SEARCH = 'Full-text search. Words are ANDed; "phrases", -not and or work as usual.'

export const search = (description = SEARCH) =>
  Type.Optional(mark(Type.String({ maxLength: MAX_TEXT_LENGTH, description }), { 'x-blank-is-absent': true }))

export const query = () =>
  search(
    'Search by meaning: a question or a headline in your own words, of which 300 characters are read. At most 200 entries answer it; they are sorted by relevance unless sortBy says otherwise.',
  )

export const text = (description: string) => Type.Optional(Type.String({ maxLength: MAX_TEXT_LENGTH, description }))

export const slug = (description: string) =>
  Type.Optional(mark(Type.String({ maxLength: MAX_TEXT_LENGTH, description }), { 'x-letters': 'lower' }))

/** A comma list means OR. */
const listOf = <S extends TSchema>(items: S, description: string) =>
  Type.Optional(
    Type.Array(items, {
      maxItems: MAX_LIST_ITEMS,
      description: `${description}; several, separated by commas, mean any of them`,
    }),
  )

/** Parts of an answer that are there only when they are asked for. */
export const include = <const Parts extends readonly string[]>(parts: Parts) =>
  Type.Optional(Type.Array(Type.Enum(parts), { description: 'What is answered besides, separated by commas' }))

export const textList = (description: string, letters?: 'upper' | 'lower') =>
  listOf(mark(Type.String({ maxLength: MAX_TEXT_LENGTH }), letters ? { 'x-letters': letters } : {}), description)

export const enumList = <const Values extends readonly string[]>(values: Values, description: string) =>
  listOf(Type.Enum(values), description)

export const uuidList = (description: string) => listOf(Type.String({ format: 'uuid' }), description)

export const integerList = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  listOf(Type.Integer(range), description)

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const number = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }))

export const integer = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))

/** The id of the last event that a client of a stream knows of. */
export const lastEventId = () =>
  Type.Optional(
    mark(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Id of the last event that you have: what came since then is sent first. The header Last-Event-ID says the same, and wins',
      }),
      { 'x-header': 'last-event-id' },
    ),
  )

/** An amount of money or of things. */
export const amount = (description: string) => number(0, 1e15, description)

/** An ISO 8601 date or time; handlers get epoch milliseconds. */
export const instant = (description: string) =>
  Type.Optional(Type.Unsafe<number>({ type: 'string', format: 'date-time', description }))

/** What every cursor list takes. */
export const cursorList = () => ({ limit: limit(), search: search(), after: after(), before: before() })

/** What every page list takes. */
export const pageList = (searchDescription?: string) => ({
  limit: limit(),
  search: search(searchDescription),
  page: page(),
})

/** What every list of a catalogue takes. */
export const catalogueList = () => pageList(`${SEARCH} The beginning of a word is enough.`)

/** Filters that only callers with a key of their own may use. */
export function ownKeyFilters<Filters extends Record<string, TSchema>>(filters: Filters): Filters {
  for (const filter of Object.values(filters)) ownKey(filter)
  return filters
}

type NotFilters = 'limit' | 'sortBy' | (typeof PAGING_PARAMS)[number]
const NOT_FILTERS = new Set<string>(['limit', 'sortBy', ...PAGING_PARAMS])

/** Returns whether a parameter of a list filters it, rather than choosing the page or the order. */
export const isFilter = (name: string): boolean => !NOT_FILTERS.has(name)

/**
 * Returns the parameters of a query that filter its list. The place where the result is used must want exactly these:
 * a parameter that the store does not filter by, or a filter of the store without a parameter, does not compile.
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
