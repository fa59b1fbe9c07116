import type { IncomingMessage } from 'node:http'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../model/errors.ts'
import { fieldErrors } from '../model/field-errors.ts'

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
