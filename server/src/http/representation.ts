/** What a client may get instead of a body: the note that it has it already, or the body compressed. */
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, gzip } from 'node:zlib'

/** Shorter bodies gain nothing. */
const MIN_BYTES = 1_024
/** Higher ones take several times as long for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }

type Compress = (body: Buffer) => Promise<Buffer>

/** By preference. Both compress outside of the event loop. */
const ENCODINGS: Readonly<Record<string, Compress>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body) => promisify(gzip)(body, GZIP),
}

/** Bodies that stay in a cache are hashed and compressed once. */
const etags = new WeakMap<Buffer, string>()
const compressions = new WeakMap<Buffer, Map<string, Promise<Buffer>>>()

/**
 * Returns the entity tag, a weak one: all encodings of a body share it. A checksum takes a sixth of the time of a hash, and
 * one changed body in four billion of the same length would have the same.
 */
export function etagOf(body: Buffer): string {
  const known = etags.get(body)
  if (known !== undefined) return known
  const etag = `W/"${crc32(body).toString(16)}-${body.length.toString(16)}"`
  etags.set(body, etag)
  return etag
}

/** Returns whether an If-None-Match header names the tag. */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.slice(2))
}

export const isCompressible = (body: Buffer) => body.length >= MIN_BYTES

/** Returns the encoding to use for an Accept-Encoding header, or undefined to send the body as it is. */
export function encodingFor(acceptEncoding: string | undefined): string | undefined {
  if (acceptEncoding === undefined) return undefined
  const weights = new Map(
    acceptEncoding.split(',').map((item) => {
      const [name = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase())
      const weight = params.find((param) => param.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [best] = Object.keys(ENCODINGS).sort((a, b) => weightOf(b) - weightOf(a))
  const isWanted = best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0)
  return isWanted ? best : undefined
}

export function compressed(body: Buffer, encoding: string): Promise<Buffer> {
  const known = compressions.get(body) ?? new Map<string, Promise<Buffer>>()
  const result = known.get(encoding) ?? ENCODINGS[encoding]?.(body) ?? Promise.resolve(body)
  compressions.set(body, known.set(encoding, result))
  return result
}
