import { SECOND } from '../../model/time.ts'

interface Details {
  host?: string
  status?: number
  /** Time until the next attempt, as the server asked for. */
  retryAfterMs?: number | undefined
  reason?: string
  limit?: number
}

const MEGABYTE = 1_000_000

/** What can go wrong, in words that tell the operator what to do. */
const PROBLEMS = {
  private: ({ host }) => `${host} is a private address; add it to allowHosts in the SOURCES file if it should be read`,
  scheme: () => 'only http and https addresses can be read',
  unresolved: ({ host }) => `the name ${host} has no address; check the spelling, and the DNS of this machine`,
  unreachable: ({ host, reason }) => `${host} cannot be reached (${reason}); check the network, or try later`,
  certificate: ({ host, reason }) => `the certificate of ${host} is not valid (${reason})`,
  timeout: ({ host, limit = 0 }) => `${host} did not finish its answer within ${limit / SECOND} s`,
  paused: ({ host, retryAfterMs = 0 }) =>
    `${host} refused too many requests; Mintick asks again in ${Math.ceil(retryAfterMs / (60 * SECOND))} minutes`,
  'cut off': ({ host }) => `${host} cut its answer off; the next attempt may succeed`,
  compression: ({ host, reason }) => `the answer of ${host} cannot be decompressed (${reason})`,
  'too large': ({ host, limit = 0 }) => `the answer of ${host} has more than ${limit / MEGABYTE} MB`,
  'too many redirects': ({ host }) => `${host} redirects too often or in a circle; find the final address and use it`,
  status: ({ host, status }) => `${host} answered ${status}: ${STATUS_HINTS[status ?? 0] ?? statusHint(status ?? 0)}`,
} satisfies Record<string, (details: Details) => string>

const STATUS_HINTS: Record<number, string> = {
  400: 'it does not accept the request; the address may have changed',
  401: 'it needs a login',
  403: 'it refuses automated readers; its terms may offer another address',
  404: 'there is nothing at this address any more; find the new one',
  406: 'it does not offer a format that can be read',
  410: 'the address was given up for good',
  418: 'it has banned this network address for a while',
  429: 'too many requests; Mintick waits as long as the server asks for',
  451: 'it is not available in this country',
}

const statusHint = (status: number) =>
  status >= 500 ? 'it has a problem of its own; Mintick tries again' : 'this is not an answer that can be used'

/** Problems in which the server said nothing, or nothing in time. */
const UNANSWERED: readonly string[] = ['unresolved', 'unreachable', 'timeout'] satisfies (keyof typeof PROBLEMS)[]

/** A fetch that failed. */
export class FetchError extends Error {
  readonly kind: keyof typeof PROBLEMS
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(kind: keyof typeof PROBLEMS, details: Details) {
    super(PROBLEMS[kind](details))
    this.kind = kind
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
  }

  get isAnswered(): boolean {
    return !UNANSWERED.includes(this.kind)
  }

  /** Turns an error of Node into one in words. */
  static from(error: unknown, host: string): FetchError {
    if (error instanceof FetchError) return error
    const { code = '', message = String(error) } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new FetchError('unresolved', { host })
    if (code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE') return new FetchError('cut off', { host })
    if (/^(ERR_TLS|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
      return new FetchError('certificate', { host, reason: message })
    }
    if (/^(Z_|ZSTD|ERR_BROTLI|ERR_ZSTD|ERR__)/.test(code))
      return new FetchError('compression', { host, reason: message })
    return new FetchError('unreachable', { host, reason: code || message })
  }
}
