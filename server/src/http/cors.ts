import type { IncomingMessage } from 'node:http'

type Headers = Record<string, string>

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Range',
  'X-API-KEY',
].join(', ')
/** Response headers that pages may read besides those that browsers always show. */
const EXPOSED_HEADERS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Credits-Cost',
  'X-Credits-Remaining',
  'X-Ignored-Parameters',
  'X-Notice',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')
/** Browsers keep the answer to a preflight for at most two hours. */
const MAX_AGE_SECONDS = '7200'

/** Lets pages of other origins call the API from a browser. Keys are sent in a header, so cookies are never allowed. */
export class Cors {
  readonly #origins: ReadonlySet<string>
  readonly #methods: string

  /** `*` among the origins allows all. */
  constructor(origins: readonly string[], methods: readonly string[]) {
    this.#origins = new Set(origins)
    this.#methods = methods.join(', ')
  }

  isPreflight({ method, headers }: IncomingMessage): boolean {
    return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers
  }

  /** Returns the headers of every response. Without permission the browser hides the response from the page. */
  headersFor(origin: string | undefined): Headers {
    const allowed = this.#allow(origin)
    return {
      ...(!this.#origins.has('*') && { vary: 'Origin' }),
      ...(allowed !== undefined && {
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': EXPOSED_HEADERS,
      }),
    }
  }

  preflightHeaders(origin: string | undefined): Headers {
    if (this.#allow(origin) === undefined) return {}
    return {
      'access-control-allow-methods': this.#methods,
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': MAX_AGE_SECONDS,
    }
  }

  allows(origin: string): boolean {
    return this.#allow(origin) !== undefined
  }

  #allow(origin: string | undefined): string | undefined {
    if (this.#origins.has('*')) return '*'
    return origin !== undefined && this.#origins.has(origin) ? origin : undefined
  }
}
