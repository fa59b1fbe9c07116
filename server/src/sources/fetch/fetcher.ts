import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { parseDate } from '../../model/dates.ts'
import { SECOND } from '../../model/time.ts'
import { http } from '../../node-http.ts'
import { version } from '../../version.ts'
import { checkHost, publicLookup } from './addresses.ts'
import { FetchError } from './fetch-error.ts'

const MAX_REDIRECTS = 5
const MAX_BYTES = 20_000_000
const TIMEOUT_MS = 30 * SECOND
const LONGEST_RETRY_MS = 24 * 3_600 * SECOND

export interface FetchRequest {
  url: string
  headers?: Record<string, string>
  /** Limit of the decompressed body. */
  maxBytes?: number
  /** Whether the server answers 403 for a document that does not exist. */
  mayBeAbsent?: boolean
}

/** A complete answer with status 200 or 304. */
export interface Fetched {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The address that answered. */
  url: string
  /** The address to use from now on, if the server said that it moved for good. */
  movedTo: string | undefined
}

export interface FetcherOptions {
  /** Whom to contact about this service, for the servers that it reads. */
  contact?: string | undefined
  /** Hosts that may have private addresses. */
  allowHosts?: readonly string[]
  timeoutMs?: number
  now(): number
}

const DECOMPRESSORS = new Map<string, () => NodeJS.ReadWriteStream>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
])
/** Compressions on top of each other; each needs memory. */
const MAX_LAYERS = 3

const KEEP_ALIVE = { keepAlive: true, timeout: 5 * SECOND }

/** Reads documents from the network within limits of time, size and reach. */
export class Fetcher {
  readonly #userAgent: string
  readonly #timeoutMs: number
  readonly #lookup: LookupFunction
  readonly #isAllowed: (host: string) => boolean
  readonly #now: () => number
  // Connections that others opened may lead to private addresses.
  readonly #agents = { 'http:': new http.Agent(KEEP_ALIVE), 'https:': new https.Agent(KEEP_ALIVE) }

  constructor({ contact, allowHosts = [], timeoutMs = TIMEOUT_MS, now }: FetcherOptions) {
    const allowed = new Set(allowHosts.map((host) => host.toLowerCase()))
    this.#isAllowed = (host) => allowed.has(host)
    this.#lookup = publicLookup(this.#isAllowed)
    this.#userAgent = `Mintick/${version}${contact === undefined ? '' : ` (${contact})`}`
    this.#timeoutMs = timeoutMs
    this.#now = now
  }

  /** Follows redirects. Throws FetchError for everything but status 200 and 304. */
  async fetch(
    { url: first, headers = {}, maxBytes = MAX_BYTES }: FetchRequest,
    signal?: AbortSignal,
  ): Promise<Fetched> {
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const stopped = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    let url = URL.parse(first)
    if (url === null) throw new FetchError('scheme', {})
    // Stays true as long as every redirect so far was permanent.
    let isMoved = true
    let movedTo: string | undefined
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const host = url.hostname
      try {
        const response = await this.#send(url, headers, stopped)
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (status >= 300 && status < 400 && status !== 304 && location !== undefined) {
          response.destroy()
          url = nextUrl(location, url)
          isMoved &&= status === 301 || status === 308
          if (isMoved) movedTo = url.href
          continue
        }
        if (status !== 200 && status !== 304) {
          response.destroy()
          throw new FetchError('status', { host, status, retryAfterMs: this.#retryAfter(response) })
        }
        const body = await readBody(response, maxBytes, host, stopped)
        return { status, headers: response.headers, body, url: url.href, movedTo }
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (timeout.aborted) throw new FetchError('timeout', { host, limit: this.#timeoutMs })
        throw FetchError.from(error, host)
      }
    }
    throw new FetchError('too many redirects', { host: url.hostname })
  }

  #send(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    const { protocol } = url
    if (protocol !== 'http:' && protocol !== 'https:') throw new FetchError('scheme', {})
    checkHost(url.hostname, this.#isAllowed)
    const send = protocol === 'https:' ? https.request : http.request
    return new Promise((resolve, reject) => {
      send(
        url,
        {
          agent: this.#agents[protocol],
          lookup: this.#lookup,
          signal,
          headers: {
            'user-agent': this.#userAgent,
            'accept-encoding': [...DECOMPRESSORS.keys()].join(', '),
            ...headers,
          },
        },
        resolve,
      )
        .on('error', reject)
        .end()
    })
  }

  /** Reads Retry-After: seconds, or a date. */
  #retryAfter({ headers }: IncomingMessage): number | undefined {
    const text = headers['retry-after']?.trim() ?? ''
    const ms = /^\d+$/.test(text) ? Number(text) * SECOND : (parseDate(text) ?? Number.NaN) - this.#now()
    return ms > 0 ? Math.min(ms, LONGEST_RETRY_MS) : undefined
  }
}

function nextUrl(location: string, from: URL): URL {
  const url = URL.parse(location, from)
  if (url === null) throw new FetchError('too many redirects', { host: from.hostname })
  return url
}

/** Reads and decompresses a body; stops as soon as it is too large. */
async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  host: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const stop = () => response.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    let stream: NodeJS.ReadableStream = response
    const encodings = (response.headers['content-encoding'] ?? '').toLowerCase().split(/\s*,\s*/)
    if (encodings.length > MAX_LAYERS) {
      throw new FetchError('compression', { host, reason: `it is compressed ${encodings.length} times` })
    }
    for (const encoding of encodings.reverse()) {
      const decompressor = DECOMPRESSORS.get(encoding)?.()
      if (decompressor === undefined) continue
      const source = stream
      source.on('error', (error) => decompressor.emit('error', error))
      stream = source.pipe(decompressor)
    }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of stream) {
      size += chunk.length
      if (size > maxBytes) throw new FetchError('too large', { host, limit: maxBytes })
      chunks.push(chunk as Buffer)
    }
    if (!response.complete) throw new FetchError('cut off', { host })
    return Buffer.concat(chunks)
  } finally {
    signal.removeEventListener('abort', stop)
    response.destroy()
  }
}
