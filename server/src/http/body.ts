import type { IncomingMessage } from 'node:http'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../model/errors.ts'
import { fieldErrors } from '../model/field-errors.ts'
import { parsePairs } from './query.ts'

const MAX_BODY_BYTES = 1_048_576
/** A body over the limit is still read to its end up to here, so that the caller gets to read the answer. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES

/** `isExact` keeps a byte order mark, which is no part of what the text says but of what was signed. */
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
    throw new ApiError('BAD_REQUEST', 'The body ended before it was complete')
  }
  if (size > MAX_BODY_BYTES) throw new ApiError('BAD_REQUEST', 'The body is larger than 1 MB')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: isExact }).decode(Buffer.concat(chunks))
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not UTF-8 text')
  }
}

/** Reads a body into what its schema describes, or says which fields are wrong. */
export type BodyReader = (raw: string) => unknown

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

/** Of a form as browsers send it (application/x-www-form-urlencoded). A field that was left empty is an empty text. */
export function formReader(schema: TObject): BodyReader {
  const check = checker(schema)
  return (raw) => {
    const given = parsePairs(raw, 'form')
    const repeated = Object.keys(schema.properties).filter((name) => Array.isArray(given[name]))
    if (repeated.length > 0) {
      throw ApiError.invalid(repeated.map((field) => ({ field, message: 'was given more than once' })))
    }
    return check(given)
  }
}

function checker(schema: TObject): (body: unknown) => unknown {
  const check = Compile(schema)
  return (body) => {
    if (!check.Check(body)) throw ApiError.invalid(fieldErrors(check.Errors(body)))
    // Only what the schema names is looked at and passed on: the rest may be a megabyte of anything.
    const known = Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(schema.properties, name)))
    const badText = fieldWithBadText(known)
    if (badText !== undefined) {
      throw ApiError.invalid([{ field: badText, message: 'contains characters that are not text' }])
    }
    return known
  }
}

/** Walks without recursion: a body may be nested deeper than the stack. */
function fieldWithBadText(body: unknown): string | undefined {
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
