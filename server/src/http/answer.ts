import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../admission/caller.ts'
import { redactKeys } from '../admission/key.ts'
import type { Clock } from '../clock.ts'
import { ApiError, DatabaseUnavailable } from '../model/errors.ts'
import { type LoggedRequest, NO_ENDPOINT } from '../model/request-log.ts'
import type { LogError } from '../repeated-lines.ts'
import { currentTrace } from '../trace.ts'
import { type Download, ResponseWire } from './download.ts'
import type { StreamKind } from './endpoint.ts'
import { type AnswerFormat, JSON_FORMAT } from './envelope.ts'
import type { HtmlAnswer, HtmlDocument } from './html-page.ts'
import type { Reply } from './relay.ts'
import { compressed, encodingFor, etagOf, isCompressible, isNamed } from './representation.ts'
import { serveEvents } from './sse.ts'
import { serveWebSocket } from './websocket.ts'
import type { Streaming } from './wire.ts'

const MAX_LOGGED_URL = 2_000
/** How long a client may read nothing of a response. */
const UNREAD_TIMEOUT_MS = 60_000
const NO_BODY = Buffer.alloc(0)
/** Files are sent as they are, so that their bytes can be counted and verified. */
const DOWNLOAD_HEADERS = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

export interface Logs {
  log: Logger
  logError: LogError
  /** Whether each request gets a line of its own, besides failures. */
  logRequests: boolean
  /** Called after every answer with the method and path of its endpoint. */
  observe(endpoint: string, statusCode: number, durationMs: number): void
}

/** The response to one request: collects its headers, sends it and writes its log line. */
export class Answer {
  caller: Caller | undefined
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #clock: Clock
  readonly #format: AnswerFormat
  readonly #logs: Logs
  readonly #endpoint: string
  readonly #startedAt = performance.now()
  readonly #url: { path: string; query: string | null }
  readonly #headers: Record<string, string | number>
  #statusCode = 200
  #error: ApiError | undefined

  /** Without an `endpoint` the request matched no route. */
  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    clock: Clock,
    logs: Logs,
    endpoint = NO_ENDPOINT,
    format = JSON_FORMAT,
  ) {
    this.#request = request
    this.#reply = reply
    this.#clock = clock
    this.#logs = logs
    this.#endpoint = endpoint
    this.#format = format
    this.#url = loggedUrl(request.url)
    this.#headers = { 'x-request-id': request.id, 'x-content-type-options': 'nosniff', ...format.headers }
  }

  addHeaders(headers: Record<string, string | number>): void {
    Object.assign(this.#headers, headers)
  }

  setCookies(cookies: readonly string[]): void {
    if (cookies.length > 0) this.#reply.raw.setHeader('set-cookie', cookies)
  }

  /** Returns the body to send with `succeed`: none if the client has it already. */
  revalidate(body: Buffer): Buffer {
    const { method, headers } = this.#request
    if (method !== 'GET' && method !== 'HEAD') return body
    const etag = etagOf(body)
    this.#headers.etag = etag
    if (!isNamed(etag, headers['if-none-match'])) return body
    this.#statusCode = 304
    return NO_BODY
  }

  /** Sends the body, compressed if the client asks for it. */
  succeed(body: Buffer, durationMs = this.#durationMs()): void {
    if (!isCompressible(body)) {
      this.#send(body, durationMs)
      return
    }
    this.#headers.vary = this.#headers.vary === undefined ? 'Accept-Encoding' : `${this.#headers.vary}, Accept-Encoding`
    const encoding = encodingFor(this.#request.headers['accept-encoding'])
    if (encoding === undefined) this.#send(body, durationMs)
    else void this.#sendCompressed(body, encoding, durationMs)
  }

  async #sendCompressed(body: Buffer, encoding: string, durationMs: number): Promise<void> {
    // Before the wait: Fastify would answer itself once the handler has returned.
    this.#reply.hijack()
    try {
      const shorter = await compressed(body, encoding)
      this.#headers['content-encoding'] = encoding
      this.#send(shorter, durationMs)
    } catch (error) {
      this.#logs.logError(error, 'failed to compress a response', this.#ids())
      this.#send(body, durationMs)
    }
  }

  page(page: Exclude<HtmlAnswer, HtmlDocument>): void {
    if ('location' in page) {
      this.#statusCode = 303
      this.#headers.location = headerUrl(page.location)
      this.#send(NO_BODY, this.#durationMs())
      return
    }
    this.#statusCode = page.status ?? 200
    this.#send(Buffer.from(page.html), this.#durationMs())
  }

  /** Sends an answer with a status and headers of its own. */
  reply({ status, headers, text }: Reply): void {
    this.#statusCode = status
    delete this.#headers['content-type']
    this.addHeaders(headers)
    this.succeed(Buffer.from(text))
  }

  /** Sends a response without a body. */
  noContent(): void {
    this.#reply.hijack()
    this.#statusCode = 204
    const { 'content-type': _, ...headers } = this.#headers
    this.#reply.raw.writeHead(this.#statusCode, headers).end()
    this.#writeLine(this.#durationMs())
  }

  /** Hands the connection over to a stream instead of sending a body. */
  stream(kind: StreamKind, streaming: Streaming): void {
    this.#reply.hijack()
    const { 'content-type': _, ...headers } = this.#headers
    const { raw: request } = this.#request
    const { raw: response } = this.#reply
    this.#statusCode = kind === 'websocket' ? 101 : 200
    const serving =
      kind === 'websocket'
        ? serveWebSocket(request, response, headers, streaming)
        : serveEvents(response, headers, streaming)
    serving.catch((error: unknown) => {
      this.#logs.logError(error, 'failed to start stream', this.#ids())
      streaming.disconnected()
      request.socket.destroy()
    })
    this.#writeLine(this.#durationMs())
  }

  /** Sends a file. Resolves with the number of bytes sent, however it ends. */
  async download({ status = 200, headers, send }: Download): Promise<number> {
    this.#reply.hijack()
    this.#statusCode = status
    const { raw: response } = this.#reply
    const { 'content-type': _, ...own } = this.#headers
    response.writeHead(status, { ...own, ...DOWNLOAD_HEADERS, ...headers })
    response.flushHeaders()
    try {
      return await send(new ResponseWire(response))
    } catch (error) {
      this.#logs.logError(error, 'failed to send a file', this.#ids())
      response.destroy()
      return 0
    } finally {
      this.#writeLine(this.#durationMs())
    }
  }

  /** Sends an error and returns its body. */
  fail(error: unknown): Buffer {
    const shown = toApiError(error)
    if (shown.cause !== undefined && !(shown.cause instanceof DatabaseUnavailable))
      this.#logs.logError(shown.cause, 'request failed', this.#ids())
    if (shown.retryAfterSeconds !== undefined) this.#headers['retry-after'] = shown.retryAfterSeconds
    this.addHeaders(shown.headers)
    if (shown.code === 'UNAUTHORIZED') this.#headers['www-authenticate'] = 'Bearer'
    delete this.#headers.etag
    this.#error = shown
    this.#statusCode = shown.statusCode
    const body = this.#format.errorBody(shown, this.#clock.now())
    this.#send(body, this.#durationMs())
    return body
  }

  /** Returns the request as it goes into the request log. Without an `endpoint` it matched no route. */
  toLoggedRequest(endpoint: string | undefined, responseBytes: number, credits: number): LoggedRequest {
    if (this.caller === undefined) throw new Error('cannot log a request without a caller')
    const { path, query } = this.#url
    return {
      id: this.#request.id,
      accountId: this.caller.account.id,
      apiKeyId: this.caller.key.id,
      endpoint: endpoint ?? NO_ENDPOINT,
      method: this.#request.method,
      path,
      // Everyone can read the request log of the demo account.
      query: this.caller.account.isDemo ? null : query,
      statusCode: this.#statusCode,
      errorCode: this.#error?.code ?? null,
      credits,
      durationMs: this.#durationMs(),
      responseBytes,
      createdAt: this.#clock.now(),
    }
  }

  /** Returns the ids by which log lines are found. */
  #ids(): { requestId: string; traceId?: string } {
    const trace = currentTrace()
    return { requestId: this.#request.id, ...(trace !== undefined && { traceId: trace.traceId }) }
  }

  #durationMs(): number {
    return Math.round((performance.now() - this.#startedAt) * 1_000) / 1_000
  }

  #send(body: Buffer, durationMs: number): void {
    // Bypasses Fastify's send: the body is finished, and each of its steps costs time.
    this.#reply.hijack()
    const { raw: response } = this.#reply
    response.writeHead(this.#statusCode, this.#headersFor(body)).end(body)
    // Node resets the timeout once the response is read. Injected requests have no real socket.
    if (response.writableLength > 0 && response.socket instanceof Socket) response.socket.setTimeout(UNREAD_TIMEOUT_MS)
    this.#writeLine(durationMs)
  }

  #headersFor(body: Buffer): Record<string, string | number> {
    if (this.#statusCode !== 304) return Object.assign(this.#headers, { 'content-length': body.length })
    const { 'content-type': _, ...headers } = this.#headers
    return headers
  }

  #writeLine(durationMs: number): void {
    this.#logs.observe(this.#endpoint, this.#statusCode, durationMs)
    if (!this.#logs.logRequests) return
    this.#logs.log.info({
      ...this.#ids(),
      method: this.#request.method,
      path: this.#url.path,
      statusCode: this.#statusCode,
      durationMs,
      accountId: this.caller?.account.id,
      apiKeyId: this.caller?.key.id,
    })
  }
}

/** Splits a URL for the log, shortened and with API keys redacted. */
function loggedUrl(given: string): { path: string; query: string | null } {
  const url = redactKeys(given.slice(0, MAX_LOGGED_URL))
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, query: null } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/** Percent-encodes characters that a Location header cannot contain: spaces and non-ASCII characters. */
function headerUrl(url: string): string {
  return url.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
}

/** Returns the error as callers may see it. An unexpected error becomes the `cause`, which is only logged. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('INTERNAL_ERROR', 'Something went wrong on the server', { cause: error })
}
