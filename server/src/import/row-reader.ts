import type { Static, TObject, TSchema } from 'typebox'
import { cleanText } from '../model/clean-text.ts'
import { fieldErrors } from '../model/field-errors.ts'
import { normalizeField } from '../model/field-formats.ts'
import { readTime, TIME_FORMS } from '../model/given-time.ts'
import { Refused } from '../model/refused.ts'
import { isoDay, isoTime } from '../model/time.ts'
import { validatorOf } from '../model/validator.ts'

const LONGEST_TEXT = 500
const LONGEST_PROSE = 20_000
/** Names of fields with longer texts: prose, and the terms of a topic. */
const PROSE = new Set(['description', 'rules', 'resolutionSource', 'text', 'sure', 'likely', 'hint', 'not', 'assets'])
const MAX_ITEMS = { texts: 500, objects: 10_000 }
const SHOWN_NAME = 50

/**
 * Returns a function that reads a row and throws Refused with the reason, which starts with the name of a field. Rows of
 * CSV files have only texts, so a text is converted to the type of its field. Other fields of the row are ignored.
 */
export function rowReader<Schema extends TObject>(schema: Schema): (row: unknown) => Static<Schema> {
  const validator = validatorOf(schema)
  const readFields = fieldsReader(schema)
  return (row) => {
    const record = readFields(fieldsOf(row), '')
    if (validator().Check(record)) return record
    const [first] = fieldErrors(validator().Errors(record))
    throw new Refused(first === undefined ? 'it is invalid' : `${first.field} ${first.message}`)
  }
}

export function fieldsOf(row: unknown): Record<string, unknown> {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new Refused('it is not a JSON object')
  return row as Record<string, unknown>
}

type Fields = Record<string, unknown>
/** Converts a value; `path` is the path of its field, such as outcomes.0.label. */
type Read = (value: unknown, path: string) => unknown

/** Returns a function that reads the fields of a schema. Missing fields that may be null or a list are completed. */
function fieldsReader(schema: TObject): (given: Fields, path: string) => Fields {
  const required = new Set<string>(schema.required)
  const fields = Object.entries<TSchema>(schema.properties).map(([name, field]) => {
    const type = typeOf(field)
    const missing = isNullable(field) ? null : type.type === 'array' ? [] : undefined
    return { name, read: readerOf(type, name), missing: required.has(name) ? missing : undefined }
  })
  return (given, path) => {
    const record: Fields = {}
    for (const { name, read, missing } of fields) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      const result = value === undefined ? missing : read(value, path + name)
      if (result !== undefined) record[name] = result
    }
    return record
  }
}

/** The keywords of a schema that decide how a value is read. */
interface FieldType {
  type?: string
  format?: string
  items?: TSchema
  properties?: Record<string, TSchema>
}

const alternativesOf = (schema: TSchema) => ('anyOf' in schema ? (schema.anyOf as TSchema[]) : [schema])
const isNullable = (schema: TSchema) => alternativesOf(schema).some((one) => (one as FieldType).type === 'null')
const typeOf = (schema: TSchema): FieldType => alternativesOf(schema)[0] as FieldType

function readerOf(type: FieldType, name: string): Read {
  const read = typeReader(type, name)
  // An empty text is no value.
  return (value, path) => (typeof value === 'string' && value.trim() === '' ? null : read(value, path))
}

function typeReader(type: FieldType, name: string): Read {
  if (type.type === 'number' || type.type === 'integer') return readNumber
  if (type.type === 'boolean') return readBoolean
  if (type.format === 'date-time') return readMoment
  if (type.format === 'date') return readDay
  if (type.type === 'array') return listReader(typeOf(type.items ?? {}), name)
  if (type.type === 'object') return type.properties === undefined ? readJson : objectReader(type as TObject)
  return (value, path) => readText(value, path, name)
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const readNumber: Read = (value) => (typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value)

const BOOLEANS: Record<string, boolean> = { true: true, yes: true, 1: true, false: false, no: false, 0: false }

const readBoolean: Read = (value) =>
  typeof value === 'string' ? (BOOLEANS[value.trim().toLowerCase()] ?? value) : value

function readMoment(value: unknown, path: string): unknown {
  if (value === null) return value
  const time = readTime(value)
  if (time === undefined) throw new Refused(`${path} is not a time; ${TIME_FORMS}`)
  return isoTime(time)
}

function readDay(value: unknown, path: string): unknown {
  // The schema refuses days that do not exist, which other forms move to the next month.
  if (value === null || (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))) return value
  const time = readTime(value)
  if (time === undefined) throw new Refused(`${path} is not a day; ${TIME_FORMS}`)
  return isoDay(time)
}

/** Cleans a text and normalises it for its field; returns null if it is empty. */
function readText(value: unknown, path: string, name: string): unknown {
  if (typeof value !== 'string') return value
  const longest = PROSE.has(name) ? LONGEST_PROSE : LONGEST_TEXT
  if (value.length > longest) throw new Refused(`${path} has more than ${longest} characters`)
  const text = cleanText(value)
  return text === '' ? null : normalizeField(name, text)
}

/** Reads a list, also from a cell: JSON, or texts separated by | or ;. */
function listReader(type: FieldType, name: string): Read {
  const isTexts = type.type !== 'object'
  const maxItems = MAX_ITEMS[isTexts ? 'texts' : 'objects']
  const readItem = isTexts ? readerOf(type, name) : objectReader(type as TObject)
  return (value, path) => {
    const list = typeof value === 'string' ? listOf(value, isTexts) : value
    if (!Array.isArray(list)) return list
    if (list.length > maxItems) throw new Refused(`${path} has more than ${maxItems} items`)
    const items = list.map((item, index) => readItem(item, `${path}.${index}`)).filter((item) => item !== null)
    return isTexts ? [...new Set(items)] : items
  }
}

function listOf(text: string, isTexts: boolean): unknown {
  const json = readJson(text, '')
  return isTexts && typeof json === 'string' ? json.split(json.includes('|') ? '|' : ';') : json
}

/** Parses a cell with JSON; other values stay as they are. */
function readJson(value: unknown, _path: string): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function objectReader(schema: TObject): Read {
  const readFields = fieldsReader(schema)
  return (given, path) => {
    const value = readJson(given, path)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(schema.properties, name))
    if (unknown !== undefined) throw new Refused(`${path}.${cleanText(unknown, SHOWN_NAME)} is not a known field`)
    return readFields(value as Fields, `${path}.`)
  }
}
