import type { IncomingMessage } from 'node:http'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError, type FieldError } from '../model/errors.ts'

const MAX_BODY_BYTES = 1_048_576
/** A body over the limit is still read to its end up to here, so that the caller gets to read the answer. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES

export async function readBody(message: IncomingMessage): Promise<string> {
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
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not UTF-8 text')
  }
}

/** Reads a JSON body into what its schema describes, or says which fields are wrong. */
export type BodyReader = (raw: string) => unknown

export function bodyReader(schema: TObject): BodyReader {
  const check = Compile(schema)
  return (raw) => {
    let body: unknown
    try {
      body = JSON.parse(raw)
    } catch {
      throw new ApiError('BAD_REQUEST', 'The body is not valid JSON')
    }
    if (!check.Check(body)) throw ApiError.invalid(firstPerField(check.Errors(body).flatMap(fieldErrors)))
    // Only what the schema names is looked at and passed on: the rest may be a megabyte of anything.
    const known = Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(schema.properties, name)))
    const badText = fieldWithBadText(known)
    if (badText !== undefined) {
      throw ApiError.invalid([{ field: badText, message: 'contains characters that are not text' }])
    }
    return known
  }
}

/** A field that matches none of its alternatives fails once for each of them. */
function firstPerField(errors: FieldError[]): FieldError[] {
  return errors.filter(({ field }, index) => errors.findIndex((error) => error.field === field) === index)
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

/** What the validator says in its own terms. */
const BODY_MESSAGES: Record<string, string> = {
  boolean: 'is not a known field',
  minLength: 'must not be empty',
  pattern: 'is not of the right form',
}

function fieldErrors(error: { keyword: string; instancePath: string; params: object; message: string }): FieldError[] {
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required' && 'requiredProperties' in error.params) {
    const missing = error.params.requiredProperties as string[]
    return missing.map((name) => ({ field: field === '' ? name : `${field}.${name}`, message: 'is required' }))
  }
  if (error.keyword === 'enum' && 'allowedValues' in error.params) {
    return [{ field, message: `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}` }]
  }
  // Said of the field itself by the next error.
  if (error.keyword === 'additionalProperties') return []
  return [{ field: field || 'body', message: BODY_MESSAGES[error.keyword] ?? error.message }]
}
