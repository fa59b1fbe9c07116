import type { IncomingHttpHeaders } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import type { TObject } from 'typebox'
import { ApiError, type FieldError } from '../model/errors.ts'
import { parseInstant } from '../model/instant.ts'
import { PAGING_PARAMS, type ParamMarks } from './params.ts'

/** Parses and validates a query string; throws an ApiError that names the invalid parameters. */
export type QueryReader = (
  raw: string,
  isDemo: boolean,
  headers?: IncomingHttpHeaders,
  /** Receives the names of given parameters that have no effect. */
  ignored?: string[],
) => Record<string, unknown>

interface ParamSchema extends ParamMarks {
  type?: string
  enum?: string[]
  format?: string
  items?: ParamSchema
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
}

/** An invalid value. The message follows the name of the parameter. */
class InvalidValue extends Error {}

/** Creates the parser for a schema. */
export function queryReader(schema: TObject): QueryReader {
  const params = Object.entries(schema.properties) as [string, ParamSchema][]
  const isPaged = params.some(([, param]) => param['x-paging'])
  const defaultsFor = (isDemo: boolean) =>
    Object.fromEntries(
      params
        .filter(([, param]) => param.default !== undefined)
        .map(([name, param]) => [name, (isDemo ? param['x-demo-maximum'] : undefined) ?? param.default]),
    )
  const defaults = { demo: defaultsFor(true), own: defaultsFor(false) }

  const required = requiredParams(schema)
  const byHeader = params.flatMap(([name, { 'x-header': header }]) => (header === undefined ? [] : [{ name, header }]))

  return (raw, isDemo, headers = {}, ignored = []) => {
    const values: Record<string, unknown> = { ...(isDemo ? defaults.demo : defaults.own) }
    if (raw === '' && byHeader.length === 0 && required.length === 0) return values
    const given = parsePairs(raw, 'query string')
    for (const name in given) {
      const param = Object.hasOwn(schema.properties, name) ? (schema.properties[name] as ParamSchema) : undefined
      if (param === undefined || (isDemo && param['x-own-key'])) ignored.push(name)
    }
    for (const { name, header } of byHeader) given[name] = headers[header] || given[name]
    const errors: FieldError[] = []
    for (const [name, param] of params) {
      const text = given[name]
      if (text === undefined || (isDemo && (param['x-own-key'] || param['x-paging']))) continue
      try {
        const value = readParam(param, text, isDemo)
        if (value !== undefined) values[name] = value
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error
        errors.push({ field: name, message: error.message })
      }
    }
    for (const field of required) if (given[field] === undefined) errors.push({ field, message: 'is missing' })
    if (isDemo && isPaged) {
      const refused = PAGING_PARAMS.filter((name) => given[name] !== undefined)
      errors.push(...refused.map((field) => ({ field, message: 'is not available with the demo key' })))
    }
    for (const [name, { 'x-default-with': other }] of params) {
      if (other && values[other.param] !== undefined && (isDemo || given[name] === undefined))
        values[name] = other.value
    }
    errors.push(...reversedRanges(values))
    if (errors.length > 0) throw ApiError.invalid(errors)
    return values
  }
}

/** Returns the parameters that every request must have. */
export function requiredParams({ required = [], properties }: { required?: readonly string[]; properties: object }) {
  const defaults = properties as Record<string, { default?: unknown }>
  return required.filter((name) => defaults[name]?.default === undefined)
}

/** Parses an encoded query string or form; a repeated name has an array of values. */
export function parsePairs(raw: string, what: 'query string' | 'form'): NodeJS.Dict<string | string[]> {
  if (raw.includes('%')) {
    try {
      decodeURIComponent(raw)
    } catch {
      throw new ApiError('BAD_REQUEST', `The ${what} is not valid percent-encoded UTF-8`)
    }
  }
  return parseQueryString(raw, '&', '=', { maxKeys: 0 })
}

function readParam(param: ParamSchema, text: string | string[], isDemo: boolean): unknown {
  if (Array.isArray(text)) throw new InvalidValue('must be given only once')
  if (param['x-blank-is-absent'] && text.trim() === '') return undefined
  if (param.type === 'array') return readList(param, text)
  return readValue(param, text, isDemo)
}

function readList(param: ParamSchema, text: string): unknown[] {
  const items = text.split(',')
  const { maxItems = items.length } = param
  if (items.length > maxItems) throw new InvalidValue(`must list at most ${maxItems} values`)
  return [...new Set(items.map((item) => readValue(param.items ?? {}, item.trim(), false)))]
}

function readValue(param: ParamSchema, text: string, isDemo: boolean): unknown {
  if (text === '') throw new InvalidValue('must not be empty')
  if (text.includes('\0') || !text.isWellFormed()) throw new InvalidValue('must not contain NUL or unpaired surrogates')
  if (param['x-bare-names']) return readSort(param.enum ?? [], text)
  if (param.enum !== undefined) return readOneOf(param.enum, text)
  switch (param.type) {
    case 'integer':
      return readNumber(param, text, /^[+-]?\d+$/, 'a whole number', isDemo)
    case 'number':
      return readNumber(param, text, /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, 'a number', isDemo)
    case 'boolean':
      return readOneOf(['true', 'false'], text) === 'true'
    default:
      return readText(param, text)
  }
}

function readOneOf(allowed: readonly string[], text: string): string {
  if (!allowed.includes(text)) throw new InvalidValue(`must be one of ${allowed.join(', ')}`)
  return text
}

function readSort(allowed: readonly string[], text: string): string {
  return allowed.find((sort) => sort.startsWith(`${text}:`)) ?? readOneOf(allowed, text)
}

function readNumber(param: ParamSchema, text: string, pattern: RegExp, what: string, isDemo: boolean): number {
  const { minimum = -Infinity, maximum = Infinity } = param
  const range = Number.isFinite(minimum) || Number.isFinite(maximum) ? ` from ${minimum} to ${maximum}` : ''
  if (!pattern.test(text)) throw new InvalidValue(`must be ${what}${range}`)
  const value = Number(text)
  const demoMaximum = param['x-demo-maximum']
  if (isDemo && demoMaximum !== undefined && value > demoMaximum) {
    throw new InvalidValue(`must be at most ${demoMaximum} with the demo key`)
  }
  if (value > maximum && param['x-clamp']) return maximum
  if (value < minimum || value > maximum || !Number.isFinite(value)) throw new InvalidValue(`must be ${what}${range}`)
  return value
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function readText(param: ParamSchema, text: string): string | number {
  if (text.length > (param.maxLength ?? Infinity))
    throw new InvalidValue(`must be at most ${param.maxLength} characters long`)
  if (param.format === 'date-time') return readInstant(text)
  if (param.format === 'uuid') return readUuid(text)
  if (param['x-letters'] === 'upper') return text.toUpperCase()
  if (param['x-letters'] === 'lower') return text.toLowerCase()
  return text
}

/** The store keeps ids in lower case. */
function readUuid(text: string): string {
  if (!UUID.test(text)) throw new InvalidValue('must be a UUID')
  return text.toLowerCase()
}

function readInstant(text: string): number {
  const epochMs = parseInstant(text)
  if (epochMs === undefined) throw new InvalidValue('must be an ISO 8601 time such as 2026-01-31T09:30:00Z')
  return epochMs
}

const RANGES = [
  ['After', 'Before'],
  ['Min', 'Max'],
  ['from', 'to'],
] as const

/** Returns an error for each range whose start is beyond its end: a mistake, not an empty result. */
function reversedRanges(values: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = []
  for (const [name, low] of Object.entries(values)) {
    for (const [start, end] of RANGES) {
      if (!name.endsWith(start)) continue
      const other = name.slice(0, -start.length) + end
      const high = values[other]
      if (typeof low === 'number' && typeof high === 'number' && low > high) {
        errors.push({ field: name, message: `must not be greater than ${other}` })
      }
    }
  }
  return errors
}
