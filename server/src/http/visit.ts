import type { IncomingMessage } from 'node:http'
import { ApiError } from '../model/errors.ts'
import { browserOf } from './browser-name.ts'
import type { ServiceAddress } from './public-url.ts'

/** Cookies of the dashboard: a session, a browser that has signed in before, and a sign-in through OpenID Connect. */
export type CookieName = 'session' | 'device' | 'oidc'

export interface CookieOptions {
  /** Undefined for a cookie that ends with the browser. */
  maxAgeSeconds?: number
  /** `lax` also sends it when another site links or redirects here. */
  sameSite?: 'strict' | 'lax'
}

/** A request of the dashboard: its browser and cookies. */
export class Visit {
  readonly address: string
  readonly browser: string
  readonly #request: IncomingMessage
  readonly #service: ServiceAddress
  readonly #cookies: ReadonlyMap<string, string>
  readonly #set = new Map<string, string>()

  constructor(request: IncomingMessage, address: string, service: ServiceAddress) {
    this.address = address
    this.browser = browserOf(request.headers['user-agent'] ?? '')
    this.#request = request
    this.#service = service
    this.#cookies = parseCookies(request.headers.cookie ?? '')
  }

  cookie(name: CookieName): string | undefined {
    return this.#cookies.get(this.#nameOf(name))
  }

  setCookie(name: CookieName, value: string, { maxAgeSeconds, sameSite = 'strict' }: CookieOptions = {}): void {
    const parts = [
      `${this.#nameOf(name)}=${value}`,
      'Path=/',
      'HttpOnly',
      `SameSite=${sameSite === 'lax' ? 'Lax' : 'Strict'}`,
      ...(this.#isSecure ? ['Secure'] : []),
      ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ]
    this.#set.set(name, parts.join('; '))
  }

  removeCookie(name: CookieName): void {
    this.setCookie(name, '', { maxAgeSeconds: 0 })
  }

  /** Returns the cookies to send with the answer. */
  get newCookies(): string[] {
    return [...this.#set.values()]
  }

  /** Throws 403 unless a page of this service sends the request: cookies alone do not prove that the user wants it. */
  checkOrigin(): void {
    if (!this.#isOfSameOrigin()) {
      throw new ApiError('FORBIDDEN', 'Only pages of this service may send this request; check PUBLIC_URL')
    }
    const { method, headers } = this.#request
    const isJson = /^application\/json(;|$)/i.test(headers['content-type'] ?? '')
    if (method !== 'DELETE' && !isJson) throw new ApiError('BAD_REQUEST', 'Send the body as application/json')
  }

  /**
   * Browsers send Sec-Fetch-Site over HTTPS and to localhost, and otherwise Origin. Without PUBLIC_URL, the host that
   * the browser asked for is ours.
   */
  #isOfSameOrigin(): boolean {
    const { origin, host, 'sec-fetch-site': site } = this.#request.headers
    if (site !== undefined) return site === 'same-origin'
    if (origin === undefined) return false
    return origin === this.#service.publicOrigin || (!this.#service.isPublicUrlSet && origin === `http://${host}`)
  }

  get #isSecure(): boolean {
    return this.#service.publicOrigin.startsWith('https:')
  }

  /** A cookie with the prefix __Host- cannot be set by another host of the same domain, or without HTTPS. */
  #nameOf(name: CookieName): string {
    return `${this.#isSecure ? '__Host-' : ''}mintick-${name}`
  }
}

/** Returns the cookies of a header; of cookies with the same name, the first. */
function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header.split(';')) {
    const mark = pair.indexOf('=')
    const name = pair.slice(0, mark).trim()
    if (mark > 0 && !cookies.has(name)) cookies.set(name, pair.slice(mark + 1).trim())
  }
  return cookies
}
