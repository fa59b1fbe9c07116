import type { IncomingMessage } from 'node:http'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../model/errors.ts'
import { fieldErrors } from '../model/field-errors.ts'
import { parsePairs } from './query.ts'

const MAX_BODY_BYTES = 1_048_576
/** A body over the limit is read up to this size and discarded, so that the client reads the response. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES

/** Reads a body as text. `isExact` keeps a byte order mark, which is part of a signed body. */
export async function readBody(message: IncomingMessage, isExact = false): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of message) {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      if (size > MAX_DISCARDED_BYTES) break
    }
  } catch {
    throw new ApiError('BAD_REQUEST', 'The connection ended before the body was complete')
  }
  if (size > MAX_BODY_BYTES) throw new ApiError('BAD_REQUEST', 'The body is larger than 1 MB')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: isExact }).decode(Buffer.concat(chunks))
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not UTF-8 text')
  }
}

/** Parses and validates a body; throws an ApiError that names the invalid fields. */
export type BodyReader = (raw: string) => unknown

/** Creates a parser for JSON bodies. */
export function bodyReader(schema: TObject): BodyReader {
  const check = checker(schema)
  return (raw) => {
    let body: unknown
    try {
      body = JSON.parse(raw)
    } catch {
      throw new ApiError('BAD_REQUEST', 'The body is not valid JSON')
    }
    return check(body)
  }
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
  const check = Compile(schema)
  const isOpen = 'additionalProperties' in schema && schema.additionalProperties === true
  return (body) => {
    if (!check.Check(body)) throw ApiError.invalid(fieldErrors(check.Errors(body)))
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
