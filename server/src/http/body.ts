import type { IncomingMessage } from 'node:http'
import { ApiError } from '../model/errors.ts'

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
