import Type, { type TSchema } from 'typebox'
import { DEMO_LIST_CAP } from '../admission/demo.ts'

/** Building blocks of query schemas. The `x-` marks are read by input.ts and shown in the reference. */

export const MAX_LIMIT = 100
const MAX_TEXT_LENGTH = 1_000
const MAX_LIST_ITEMS = 20

/** Only for callers with a key of their own: dropped unread for the demo key (spec 4.3.5). */
export function ownKey<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { 'x-own-key': true })
}

/** What asks for another page, on any kind of list: the demo key gets 400 (spec 5). */
export const PAGING_PARAMS = ['after', 'before', 'offset', 'page'] as const

/** A paging parameter of this list. */
function paging<S extends TSchema>(schema: S): S {
  return Object.assign(schema, { 'x-paging': true })
}

export const limit = () =>
  Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 50,
    description: 'Page size. More than the maximum is clamped to it; the demo key gets 3 at most.',
    'x-clamp': true,
    'x-demo-maximum': DEMO_LIST_CAP,
  })

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

export const search = () =>
  Type.Optional(
    Type.String({
      maxLength: MAX_TEXT_LENGTH,
      description: 'Full-text search. Words are ANDed; "phrases", -not and or work as usual.',
      'x-blank-is-absent': true,
    }),
  )

export const text = (description: string) => Type.Optional(Type.String({ maxLength: MAX_TEXT_LENGTH, description }))

/** A comma list means OR. `letters` says how the values are kept, so that a caller's case does not matter. */
export const textList = (description: string, letters?: 'upper' | 'lower') =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_TEXT_LENGTH, ...(letters && { 'x-letters': letters }) }), {
      maxItems: MAX_LIST_ITEMS,
      description: `${description}; several, separated by commas, mean any of them`,
    }),
  )

export const uuidList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: MAX_LIST_ITEMS,
      description: `${description}; several, separated by commas, mean any of them`,
    }),
  )

export const integerList = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  Type.Optional(Type.Array(Type.Integer(range), { maxItems: MAX_LIST_ITEMS, description }))

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const number = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum, maximum, description }))

/** An ISO 8601 date or time; handlers get epoch milliseconds. */
export const instant = (description: string) =>
  Type.Optional(Type.Unsafe<number>({ type: 'string', format: 'date-time', description }))
