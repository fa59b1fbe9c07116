import type { TObject } from 'typebox'
import type { Selection } from '../model/selection.ts'
import type { Column } from './encoder.ts'

interface FieldSchema {
  type?: string
  format?: string
  enum?: readonly unknown[]
  anyOf?: readonly FieldSchema[]
  items?: FieldSchema
}

/** Returns the columns of a record: its fields, except those that are present only on request. */
export function columnsOf(schema: TObject, selection: Selection = 'all'): Column[] {
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties)
    .filter(([name]) => required.includes(name) && (selection === 'all' || selection.has(name)))
    .map(([name, schema]) => ({ name, type: typeOf(schema) }))
}

function typeOf(schema: FieldSchema): Column['type'] {
  const [value, ...others] = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  if (value === undefined || others.length > 0) return 'json'
  if (value.enum?.every((member) => typeof member === 'string')) return 'text'
  switch (value.type) {
    case 'string':
      return value.format === 'date-time' ? 'time' : 'text'
    case 'integer':
    case 'number':
    case 'boolean':
      return value.type
    case 'array':
      return value.items?.type === 'string' ? 'texts' : 'json'
    default:
      return 'json'
  }
}
