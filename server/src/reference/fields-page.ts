import { figure, markdownPage, markdownTable } from './markdown.ts'
import type { JsonSchema, OpenApi } from './openapi.ts'

/** The fields of every object that the API returns, and the building blocks of tables of fields. */
export function fieldsPage({ components }: OpenApi): string {
  const schemas: Record<string, JsonSchema> = components.schemas
  const row = ({ path, schema, isRequired }: Field) => [
    `\`${path}\``,
    (isRequired ? '' : 'optional, ') + typeOf(schema),
    meaningOf(schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {})),
  ]
  return markdownPage(
    'Fields',
    'The objects in the answers of the [endpoints](endpoints.md), by the names that `openapi.json` uses. Optional fields may be absent; all others are always present, and null if they are unknown. Times are in UTC.',
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      `## ${name}`,
      `${schema.description}.`,
      markdownTable(['Field', 'Type', 'Meaning'], fieldsOf(schema).map(row)),
    ]),
  )
}

/** Returns a link to an object of the page. */
export const fieldsLink = (name: string): string => `[${name}](fields.md#${name.toLowerCase()})`

export const nameIn = (ref: string) => ref.replace(/.*\//, '')

interface Field {
  path: string
  schema: JsonSchema
  isRequired: boolean
}

/** Returns the fields of a schema, each followed by the fields of its objects, such as `outcomes[].label`. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const { properties = {}, required = [], anyOf = [], items } = schema
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { path: `${prefix}${name}`, schema: field, isRequired: required.includes(name) },
    ...fieldsOf(field, `${prefix}${name}${field.type === 'array' ? '[]' : ''}.`),
  ])
  return [...own, ...[...anyOf, ...(items === undefined ? [] : [items])].flatMap((part) => fieldsOf(part, prefix))]
}

export const meaningOf = ({ description, anyOf = [] }: JsonSchema): string =>
  description ?? anyOf.find((schema) => schema.description !== undefined)?.description ?? ''

/** Returns the type of a value in words, with a link to each object in it. */
export function typeOf(schema: JsonSchema, linkTo = fieldsLink): string {
  if (schema.$ref !== undefined) return linkTo(nameIn(schema.$ref))
  if (schema.anyOf !== undefined) return schema.anyOf.map((part) => typeOf(part, linkTo)).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  switch (schema.type) {
    case 'array': {
      const most = schema.maxItems === undefined ? '' : `, up to ${schema.maxItems}`
      const { maxLength: _maxLength, ...item } = schema.items ?? {}
      return `list of ${typeOf(item, linkTo)}${most}`
    }
    case 'integer':
    case 'number':
      return [schema.type, rangeOf(schema)].filter(Boolean).join(' ')
    case 'boolean':
      return '`true`, `false`'
    case undefined:
      if (schema.format === undefined && schema.maxLength === undefined) return 'JSON'
      return FORMATS[schema.format ?? ''] ?? textOf(schema)
    case 'string':
      return schema.format === undefined ? textOf(schema) : (FORMATS[schema.format] ?? schema.format)
    default:
      return schema.type
  }
}

const FORMATS: Record<string, string> = { uuid: 'UUID', 'date-time': 'ISO 8601 time', date: 'ISO 8601 day' }

const textOf = ({ maxLength }: JsonSchema) =>
  maxLength === undefined ? 'text' : `text of up to ${figure(maxLength)} characters`

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return maximum === undefined ? '' : `up to ${figure(maximum)}`
  return maximum === undefined ? `from ${figure(minimum)}` : `${figure(minimum)} to ${figure(maximum)}`
}
