import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { SECOND } from '../model/time.ts'
import { webUrl } from '../model/web-url.ts'
import { http } from '../node-http.ts'
import { checkHost, publicLookup } from '../sources/fetch/addresses.ts'
import { FetchError } from '../sources/fetch/fetch-error.ts'
import { version } from '../version.ts'

const TIMEOUT_MS = 5 * SECOND

const SIGNATURE_HEADER = 'mintick-signature'

/** Returns the secret that signs the webhooks of an account. The store has only the salt. */
export function webhookSecret(pepper: string, accountId: string, salt: string): string {
  return `whsec_${createHmac('sha256', pepper).update(`webhook ${accountId} ${salt}`).digest('base64url')}`
}

/** Returns the value of the header: the time in seconds, and the HMAC-SHA-256 of time and body. */
export function signatureOf(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / SECOND)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** Sends webhooks to public addresses, and to private ones of hosts that the operator allows. */
export class WebhookClient {
  readonly #isAllowed: (host: string) => boolean
  readonly #timeoutMs: number

  constructor({ allowHosts, timeoutMs = TIMEOUT_MS }: { allowHosts: readonly string[]; timeoutMs?: number }) {
    const allowed = new Set(allowHosts.map((host) => host.toLowerCase()))
    this.#isAllowed = (host) => allowed.has(host.replace(/^\[|\]$/g, ''))
    this.#timeoutMs = timeoutMs
  }

  /** Returns the problem of an address, or undefined if there is none. Does not look up its host. */
  problemOf(text: string): string | undefined {
    const url = webUrl(text)
    if (url === undefined) return 'must be an http or https URL'
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
    try {
      checkHost(url.hostname, this.#isAllowed)
      return undefined
    } catch {
      return 'must not be a private address'
    }
  }

  /** Throws an error whose message the account may see unless the receiver answers with a status from 200 to 299. */
  async post(url: string, body: string, signature: string): Promise<void> {
    const status = await this.#send(new URL(url), body, signature)
    if (status < 200 || status > 299) throw new Error(`the address answered with status ${status}`)
  }

  async #send(url: URL, body: string, signature: string): Promise<number> {
    const problem = this.problemOf(url.href)
    if (problem !== undefined) throw new Error(`the address ${problem}`)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const send = url.protocol === 'https:' ? https.request : http.request
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Mintick/${version}`,
      [SIGNATURE_HEADER]: signature,
    }
    // No shared agent: a kept connection may lead to a private address.
    const options = { method: 'POST', agent: false, lookup: publicLookup(this.#isAllowed), headers } as const
    const signal = AbortSignal.timeout(this.#timeoutMs)
    send(url, { ...options, signal }, resolve)
      .on('error', reject)
      .end(body)
    try {
      const response = await promise
      // Later errors of the connection do not matter.
      response.on('error', () => {}).destroy()
      return response.statusCode ?? 0
    } catch (error) {
      if (signal.aborted) throw new Error(`the address did not answer within ${this.#timeoutMs / SECOND} seconds`)
      if (error instanceof FetchError && error.kind === 'private') throw new Error('the address is private')
      throw new Error(`the address cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'connection failed'})`)
    }
  }
}
