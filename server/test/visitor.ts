import { totpCode } from '../src/sign-in/totp.ts'
import { assertOk } from './envelope.ts'
import type { Reply, TestService } from './harness.ts'

const ORIGIN = 'http://127.0.0.1'

/** A browser with the dashboard open: keeps cookies and sends what browsers send. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly service: TestService
  readonly remoteAddress: string
  /** Headers of every request. */
  headers: Record<string, string> = {
    'sec-fetch-site': 'same-origin',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  }

  constructor(service: TestService, remoteAddress = '192.0.2.1') {
    this.service = service
    this.remoteAddress = remoteAddress
  }

  /** Sends a request to a path below /dashboard/auth; with a body by POST. */
  async call(
    path: string,
    { method, body, headers }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply & { setCookies: string[] }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.service.mintick.app.inject({
      method: (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET',
      url: `/dashboard/auth${path}`,
      remoteAddress: this.remoteAddress,
      headers: {
        origin: ORIGIN,
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const setCookies = [response.headers['set-cookie'] ?? []].flat()
    for (const line of setCookies) this.#keep(line)
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      body: response.body === '' ? undefined : isJson ? JSON.parse(response.body) : response.body,
      setCookies,
    }
  }

  /** Sends a request that must succeed and returns its data. */
  async ask(path: string, body?: unknown, method?: string): Promise<Reply['body']> {
    const reply = await this.call(path, { body, ...(method !== undefined && { method }) })
    assertOk(reply)
    return reply.body.data
  }

  async user(): Promise<Reply['body']> {
    return (await this.ask('/session')).user
  }

  /** Signs in by the link of the owner. */
  async signInAsOwner(): Promise<void> {
    await this.ask('/link', { token: await ownerToken(this.service) })
  }

  async token(): Promise<string> {
    return (await this.ask('/token', {})).token
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const mark = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, mark))
    else this.cookies.set(pair.slice(0, mark), pair.slice(mark + 1))
  }
}

/** Creates a link for the owner and returns its token. */
export async function ownerToken(service: TestService): Promise<string> {
  const link = await service.mintick.signIn.createLink()
  return link?.url.split('#')[1] ?? ''
}

/** Returns the code that an authenticator app shows for a secret, some time steps from the current one. */
export function codeAt(secret: string, now: number, offset = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return totpCode(bytes, Math.floor(now / 30_000) + offset)
}
