import type { IncomingMessage } from 'node:http'
import type { TObject } from 'typebox'
import { ApiError } from '../model/errors.ts'
import { fieldErrors } from '../model/field-errors.ts'
import { isDeeperThan } from '../model/json-depth.ts'
import { validatorOf } from '../model/validator.ts'
import type { Access } from './endpoint.ts'
import { parsePairs } from './query.ts'

const KB = 1_024
/** Operators import data; payment processors send whole objects. */
const MAX_BODY_BYTES: Record<Access, number> = {
  key: 64 * KB,
  open: 64 * KB,
  operator: 1_024 * KB,
  signed: 1_024 * KB,
  visitor: 16 * KB,
  session: 16 * KB,
  relay: 64 * KB,
}
/** A body over the limit is read up to this size and discarded, so that the client reads the response. */
const MAX_DISCARDED_BYTES = 16_384 * KB
/** Deeper than any body of the API. Parsing and checking deep nesting takes long. */
const MAX_DEPTH = 32

/** Reads a body as text. A signed body keeps its byte order mark. */
export async function readBody(message: IncomingMessage, access: Access): Promise<string> {
  const maxBytes = MAX_BODY_BYTES[access]
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of message) {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      if (size > MAX_DISCARDED_BYTES) break
    }
  } catch {
    throw new ApiError('BAD_REQUEST', 'The connection ended before the body was complete')
  }
  if (size > maxBytes) throw new ApiError('BAD_REQUEST', `The body is larger than ${maxBytes / KB} KB`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: access === 'signed' }).decode(Buffer.concat(chunks))
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not UTF-8 text')
  }
}

/** Parses and validates a body; throws an ApiError that names the invalid fields. */
export type BodyReader = (raw: string) => unknown

/** Creates a parser for JSON bodies. If no field is required, an empty body is an object without fields. */
export function bodyReader(schema: TObject): BodyReader {
  const check = checker(schema)
  const isOptional = !hasRequired(schema)
  return (raw) => {
    if (isDeeperThan(raw, MAX_DEPTH))
      throw new ApiError('BAD_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels`)
    let body: unknown
    try {
      body = raw === '' && isOptional ? {} : JSON.parse(raw)
    } catch {
      throw new ApiError('BAD_REQUEST', 'The body is not valid JSON')
    }
    return check(body)
  }
}

export function hasRequired({ required = [] }: { required?: readonly string[] }): boolean {
  return required.length > 0
}

/** Creates a parser for HTML forms (application/x-www-form-urlencoded). An empty field is an empty string. */
export function formReader(schema: TObject): BodyReader {
  const check = checker(schema)
  return (raw) => {
    const given = parsePairs(raw, 'form')
    const repeated = Object.keys(schema.properties).filter((name) => Array.isArray(given[name]))
    if (repeated.length > 0) {
      throw ApiError.invalid(repeated.map((field) => ({ field, message: 'must be given only once' })))
    }
    return check(given)
  }
}

function checker(schema: TObject): (body: unknown) => unknown {
  const validator = validatorOf(schema)
  const isOpen = 'additionalProperties' in schema && schema.additionalProperties === true
  return (body) => {
    if (!validator().Check(body)) throw ApiError.invalid(fieldErrors(validator().Errors(body)))
    // Unknown fields are dropped unread, unless the schema asks for them: they may hold a megabyte of anything.
    const isKnown = (name: string) => isOpen || Object.hasOwn(schema.properties, name)
    const known = Object.fromEntries(Object.entries(body).filter(([name]) => isKnown(name)))
    const invalid = findInvalidText(known)
    if (invalid !== undefined) {
      throw ApiError.invalid([{ field: invalid, message: 'must not contain NUL or unpaired surrogates' }])
    }
    return known
  }
}

/** Returns the path of the first invalid string. Not recursive: a body may be nested deeper than the stack. */
function findInvalidText(body: unknown): string | undefined {
  const pending: { value: unknown; path: string }[] = [{ value: body, path: '' }]
  for (const { value, path } of pending) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return path
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      pending.push({ value: member, path: path === '' ? name : `${path}.${name}` })
    }
  }
  return undefined
}
