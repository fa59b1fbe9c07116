import Type, { type TObject, type TSchema } from 'typebox'
import { ApiError } from '../model/errors.ts'
import { type Selection, selected } from '../model/selection.ts'
import { findNearest } from './nearest.ts'

/** The parameter `fields`, which selects fields of the records in an answer. */

const MAX_FIELDS = 100
/** Unknown names that an error shows, and how much of each. */
const MAX_SHOWN = 5
const MAX_COMPARED = 60

/** For callers. */
export const FIELDS_MEANING =
  'Fields of the records to return, separated by commas, such as id,title; by default all. A dot leads into objects and lists of objects, such as publisher.name. The order of the fields stays, and the cost too. Parts that need include are only selected, not added. An unknown name is refused with 400.'

/** One schema for all endpoints, so that the reference writes it once. */
const PARAMETER = Type.Optional(Type.Array(Type.String(), { maxItems: MAX_FIELDS, description: FIELDS_MEANING }))

const SELECTING = ['object', 'list', 'series', 'cursor-list', 'offset-list', 'page-list', 'download']

interface Endpoint {
  method: string
  access: string
  returns: string
  data: TSchema
  query?: TObject
}

/** Adds the parameter `fields` to the endpoints of callers that return records. */
export function withFields<E extends Endpoint>(endpoint: E): E {
  const { access, method, returns, data, query } = endpoint
  if (access !== 'key' || method !== 'GET' || !SELECTING.includes(returns) || fieldsOf(data) === undefined) {
    return endpoint
  }
  return { ...endpoint, query: Type.Object({ ...query?.properties, fields: PARAMETER }) }
}

/** The fields of a record: each with the fields of its objects, or undefined if it is not an object. */
type Fields = Map<string, Lazy>
type Lazy = () => Fields | undefined

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: readonly Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
}

/** Returns the fields of a schema: of an object, of the items of a list, of any of several objects. */
function fieldsOf(schema: TSchema): Fields | undefined {
  return fieldsIn(schema, (schema as Schema).$defs ?? {})
}

function fieldsIn(schema: Schema, definitions: Record<string, Schema>): Fields | undefined {
  const { properties, items, anyOf, $ref } = schema
  const referred = $ref === undefined ? undefined : definitions[$ref]
  if (referred !== undefined) return fieldsIn(referred, definitions)
  if (items !== undefined) return fieldsIn(items, definitions)
  if (anyOf !== undefined) {
    const all = anyOf.flatMap((part) => [...(fieldsIn(part, definitions) ?? [])])
    return all.length === 0 ? undefined : new Map(all)
  }
  // Not computed before they are asked for: the schema of a tree contains itself.
  return (
    properties && new Map(Object.entries(properties).map(([name, field]) => [name, () => fieldsIn(field, definitions)]))
  )
}

/** Returns a function that reads the parameter `fields` of an endpoint; throws 400 if it names unknown fields. */
export function fieldsReader({ data }: { data: TSchema }): (names: readonly string[]) => Selection {
  return (names) => {
    const fields = fieldsOf(data) ?? new Map()
    const selection = new Map<string, Selection>()
    const unknown = names.filter((name) => !select(selection, name.split('.'), fields))
    if (unknown.length > 0) throw ApiError.invalid([{ field: 'fields', message: unknownNames(unknown, fields) }])
    return selection
  }
}

/** Selects fields of the data of an answer. */
export function selectData(body: Buffer, selection: Selection): Buffer {
  const answer = JSON.parse(body.toString())
  answer.data = selected(answer.data, selection)
  return Buffer.from(JSON.stringify(answer))
}

/** Adds a field to a selection. Returns false if there is no such field. */
function select(
  selection: Map<string, Selection>,
  [name = '', ...rest]: string[],
  fields: Fields | undefined,
): boolean {
  const field = fields?.get(name)
  if (field === undefined) return false
  if (rest.length === 0) {
    selection.set(name, 'all')
    return true
  }
  const known = selection.get(name) ?? new Map<string, Selection>()
  const isFound = select(known === 'all' ? new Map() : known, rest, field())
  if (isFound && known !== 'all') selection.set(name, known)
  return isFound
}

function unknownNames(names: readonly string[], fields: Fields): string {
  const shown = names.slice(0, MAX_SHOWN).map((given) => {
    const name = given.slice(0, MAX_COMPARED).replaceAll(/[^\w.-]/g, '?')
    const nearest = nearestOf(name.split('.'), fields)
    return nearest === undefined ? `"${name}"` : `"${name}" (the nearest one is "${nearest}")`
  })
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''
  return `has names that are no fields of the record: ${shown.join(', ')}${more}`
}

/** Returns the known field that is nearest to a mistyped one, by the parts of its name. */
function nearestOf([name = '', ...rest]: string[], fields: Fields | undefined): string | undefined {
  if (fields === undefined) return undefined
  const nearest = fields.has(name) ? name : findNearest(name, [...fields.keys()])
  if (nearest === undefined || rest.length === 0) return nearest
  const below = nearestOf(rest, fields.get(nearest)?.())
  return below === undefined ? nearest : `${nearest}.${below}`
}
