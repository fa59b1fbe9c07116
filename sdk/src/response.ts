/** A rate limit of the key. */
export interface RateLimit {
  /** Its name: `burst`, `hour` or `day`. */
  window: string
  /** Requests that are left. */
  remaining: number
  /** Seconds until the limit is fully available again. */
  resetSeconds: number
  /** Requests that the plan allows in the window. */
  quota: number
  /** Length of the window. */
  windowSeconds: number
}

/** Everything about an answer except its data. */
export interface ResponseInfo {
  /** The HTTP status. */
  status: number
  /** All headers. */
  headers: Headers
  /** Id of the request, as in the request logs. */
  requestId: string | undefined
  /** Credits charged for the request and credits left; undefined without a valid key. */
  credits: { cost: number; remaining: number } | undefined
  /** Rate limits of the key; empty without a valid key. */
  rateLimits: RateLimit[]
  /** Seconds to wait before another attempt. */
  retryAfterSeconds: number | undefined
  /** Whether the answer repeats the one to an earlier request with the same idempotency key. */
  isReplayed: boolean
  /** Parameters that had no effect, each with the nearest known name. */
  ignoredParameters: string | undefined
  /** Why a list is empty, if its range of time is the reason. */
  notice: string | undefined
}

/** Reads the headers of an answer. */
export function responseInfo({ status, headers }: Response): ResponseInfo {
  const text = (name: string) => headers.get(name) ?? undefined
  const number = (name: string) => {
    const value = Number(headers.get(name) ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const cost = number('x-credits-cost')
  return {
    status,
    headers,
    requestId: text('x-request-id'),
    credits: cost === undefined ? undefined : { cost, remaining: number('x-credits-remaining') ?? 0 },
    rateLimits: rateLimits(text('ratelimit'), text('ratelimit-policy')),
    retryAfterSeconds: number('retry-after'),
    isReplayed: headers.has('idempotent-replayed'),
    ignoredParameters: text('x-ignored-parameters'),
    notice: text('x-notice'),
  }
}

/** Parses `"burst";r=14;t=6, "hour";r=99;t=3600` and the policy `"burst";q=15;w=90, "hour";q=100;w=3600`. */
function rateLimits(state = '', policy = ''): RateLimit[] {
  const policies = new Map(parseItems(policy))
  return parseItems(state).map(([window, { r = 0, t = 0 }]) => {
    const { q = 0, w = 0 } = policies.get(window) ?? {}
    return { window, remaining: r, resetSeconds: t, quota: q, windowSeconds: w }
  })
}

function parseItems(header: string): [string, Record<string, number>][] {
  return [...header.matchAll(/"(\w+)"((?:;\w+=\d+)*)/g)].map(([, name = '', parts = '']) => [
    name,
    Object.fromEntries([...parts.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)])),
  ])
}
