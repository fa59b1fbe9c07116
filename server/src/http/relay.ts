import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerSecret } from '../admission/key.ts'
import { ApiError } from '../model/errors.ts'
import type { Cors } from './cors.ts'
import type { ServiceAddress } from './public-url.ts'

/** An answer with a status and headers of its own. */
export interface Reply {
  status: number
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  text: string
}

/** Headers of a client that its further requests carry, too: who it is, and the trace it belongs to. */
const FORWARDED = ['x-forwarded-for', 'traceparent'] as const

/** The request of a client that speaks another protocol; it is answered by requests of its own to the API. */
export class Relay {
  readonly method: string
  readonly body: string
  readonly #request: FastifyRequest
  readonly #app: Pick<FastifyInstance, 'inject'>
  readonly #authenticate: (authorization: string | undefined) => Promise<void>

  constructor(parts: {
    request: FastifyRequest
    body: string
    app: Pick<FastifyInstance, 'inject'>
    authenticate: (authorization: string | undefined) => Promise<void>
  }) {
    this.method = parts.request.method
    this.body = parts.body
    this.#request = parts.request
    this.#app = parts.app
    this.#authenticate = parts.authenticate
  }

  /** By lower-case name. */
  get headers(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#request.headers).map(([name, value]) => [name, String(value)]))
  }

  get query(): URLSearchParams {
    const { raw = '' } = this.#request.query as { raw?: string }
    return new URLSearchParams(raw)
  }

  /** The API key, if there is one. */
  get key(): string | undefined {
    return bearerSecret(this.#authorization)
  }

  /** Throws 401 or 403 unless the key may be used; the requests of `call` check it again. */
  async authenticate(): Promise<void> {
    await this.#authenticate(this.#authorization)
  }

  /** Sends a GET request with the key of the client. It is metered and logged as if the client had sent it. */
  async call(path: string): Promise<Reply> {
    const { headers, socket } = this.#request.raw
    const forwarded = FORWARDED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
    const response = await this.#app.inject({
      method: 'GET',
      url: path,
      headers: {
        ...Object.fromEntries(forwarded),
        ...(this.#authorization !== undefined && { authorization: this.#authorization }),
      },
      remoteAddress: socket.remoteAddress ?? '',
    })
    return { status: response.statusCode, headers: textHeaders(response.headers), text: response.body }
  }

  /** Some clients can send a key only as X-API-KEY, maybe beside the Authorization of a proxy. */
  get #authorization(): string | undefined {
    const { authorization, 'x-api-key': key } = this.#request.headers
    return key === undefined || bearerSecret(authorization) !== undefined ? authorization : `Bearer ${key}`
  }
}

const textHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/**
 * Throws 403 if a page of another site sends the request. Otherwise any site could use a service on the visitor's own
 * machine by letting its name point there (DNS rebinding).
 */
export function checkOrigin(origin: string | undefined, address: ServiceAddress, cors: Cors | undefined): void {
  if (origin === undefined || origin === address.publicOrigin || cors?.allows(origin)) return
  if (!address.isPublicUrlSet && LOCAL_HOSTS.includes(hostOf(origin))) return
  throw new ApiError('FORBIDDEN', 'Pages of this origin may not call the service; CORS_ORIGINS lists those that may')
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : ''
}
