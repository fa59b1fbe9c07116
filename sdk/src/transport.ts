import { Deadline, sleep } from './deadline.ts'
import { ApiError, ConnectionError, type FieldError, TimeoutError } from './errors.ts'
import { ERROR_CLASSES, type ErrorCode } from './generated/errors.ts'
import { type ResponseInfo, responseInfo } from './response.ts'

/** The HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Settings of a transport. */
export interface TransportOptions {
  /** Address of the service, such as `https://mintick.example`. */
  url: string | URL
  /** API key, or for the operator API an admin token; a function is asked for it before each attempt. */
  token?: string | (() => string | Promise<string>) | undefined
  /** Milliseconds after which an attempt fails with `TimeoutError`; 30,000 by default. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again; 2 by default, 0 for never. */
  maxRetries?: number | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
}

/** Settings of a single call. */
export interface RequestOptions {
  /** Cancels the call: it fails with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds after which an attempt fails with `TimeoutError`. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again. */
  maxRetries?: number | undefined
  /** Of POST: calls with the same key and body have one effect. By default each call has a random key. */
  idempotencyKey?: string | undefined
}

/** Parameters of a call: query parameters of GET, else fields of the body. */
export type Params = object

/** The body of an answer and everything else about it. */
export interface Answer {
  /** The data, and for a list its place. */
  body: { data: unknown; meta?: unknown }
  /** Status, headers, credits and rate limits. */
  response: ResponseInfo
}

type Init = RequestInit & { headers: Record<string, string> }

const TIMEOUT_MS = 30_000
const MAX_RETRIES = 2
const MAX_DELAY_MS = 60_000

/** Sends requests: adds the key, repeats what may be repeated, and turns failures into typed errors. */
export class Transport {
  readonly #options: TransportOptions

  /** Creates a transport for one service and key. */
  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** Sends a request and returns its answer. */
  async send(method: Method, path: string, params?: Params, options: RequestOptions = {}): Promise<Answer> {
    const isQuery = method === 'GET'
    const url = this.#urlOf(path, isQuery ? params : undefined)
    const headers: Record<string, string> = { accept: 'application/json' }
    const init: Init = { method, headers }
    if (!isQuery && params !== undefined) {
      init.body = JSON.stringify(params)
      headers['content-type'] = 'application/json'
    }
    // With a key the service runs a repeated POST once, so an attempt whose answer was lost is repeatable.
    if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? randomKey()
    const maxRetries = method === 'PATCH' ? 0 : (options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES)

    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(url, init, options)
      } catch (error) {
        const delayMs = retryDelayMs(error, attempt)
        if (attempt >= maxRetries || delayMs === undefined) throw error
        await sleep(delayMs, options.signal)
      }
    }
  }

  /** Opens a stream of server-sent events. The deadline runs until its first event. */
  async open(path: string, params: Params | undefined, lastEventId: number | undefined, deadline: Deadline) {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    }
    const response = await this.#fetch(this.#urlOf(path, params), { headers, cache: 'no-store' }, deadline)
    if (!response.ok) throw errorOf(responseInfo(response), parse(await orConnectionError(response.text(), deadline)))
    if (response.body === null) throw new ConnectionError('The stream has no body')
    return response.body
  }

  /** Opens a file. The deadline runs until its first byte. */
  async download(path: string, params: Params | undefined, deadline: Deadline) {
    const opened = await this.#fetch(this.#urlOf(path, params), { headers: {}, cache: 'no-store' }, deadline)
    const response = responseInfo(opened)
    if (!opened.ok) throw errorOf(response, parse(await orConnectionError(opened.text(), deadline)))
    if (opened.body === null) throw new ConnectionError('The file has no body')
    return { body: opened.body, response }
  }

  /** Milliseconds that a call may take. */
  timeoutOf({ timeoutMs }: RequestOptions): number {
    return timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS
  }

  async #attempt(url: URL, init: Init, options: RequestOptions): Promise<Answer> {
    const deadline = new Deadline(options.signal)
    deadline.start(this.timeoutOf(options))
    try {
      const fetched = await this.#fetch(url, init, deadline)
      const response = responseInfo(fetched)
      const body = parse(await orConnectionError(fetched.text(), deadline))
      if (!fetched.ok || !isAnswer(body)) throw errorOf(response, body)
      return { body, response }
    } finally {
      deadline.end()
    }
  }

  async #fetch(url: URL, init: Init, deadline: Deadline): Promise<Response> {
    // Browsers refuse to call fetch as a method of another object.
    const { fetch: send = globalThis.fetch, token: given } = this.#options
    const token = typeof given === 'function' ? await given() : given
    const headers = token === undefined ? init.headers : { ...init.headers, authorization: `Bearer ${token}` }
    // A redirected request could reach another host, or turn from POST into GET.
    return orConnectionError(send(url, { ...init, headers, redirect: 'error', signal: deadline.signal }), deadline)
  }

  #urlOf(path: string, params: Params = {}): URL {
    const url = new URL(String(this.#options.url).replace(/\/*$/, path))
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, textOf(value))
    }
    return url
  }
}

/** Returns a path with its variable parts encoded. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((joined, part, index) => {
    const value = values[index - 1] ?? ''
    // Such a segment would lead to another path.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`"${value}" is not an id`)
    return joined + encodeURIComponent(value) + part
  })
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Returns the result; an error of fetch becomes a ConnectionError, or the reason of the deadline. */
async function orConnectionError<T>(promise: Promise<T>, { signal }: Deadline): Promise<T> {
  try {
    return await promise
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    throw new ConnectionError('The service cannot be reached, or the connection broke', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isAnswer = (body: unknown): body is Answer['body'] => typeof body === 'object' && body !== null && 'data' in body

interface ErrorBody {
  error?: { message?: string; code?: ErrorCode; details?: FieldError[] }
}

function errorOf(response: ResponseInfo, body: unknown): ApiError {
  const { message, code, details } = (body as ErrorBody | undefined)?.error ?? {}
  const Class: typeof ApiError<string> | undefined = code && ERROR_CLASSES[code]
  if (Class === undefined || message === undefined)
    return new ApiError(`Status ${response.status} with a body that is none of the service`, response)
  return new Class(message, response, code, details)
}

const TRANSIENT = [429, 500, 502, 503, 504]

/** Returns how long to wait before another attempt; undefined if it would not help. */
export function retryDelayMs(error: unknown, attempt: number, longestMs = 8_000): number | undefined {
  const isTransient =
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && TRANSIENT.includes(error.status))
  if (!isTransient) return undefined
  if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
    const delayMs = error.retryAfterSeconds * 1_000
    return delayMs <= MAX_DELAY_MS ? delayMs : undefined
  }
  // Clients that failed together must not return together.
  return Math.min(500 * 2 ** attempt, longestMs) * (0.5 + Math.random() / 2)
}

/** Returns a random key. Browsers have crypto.randomUUID only on secure pages. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
