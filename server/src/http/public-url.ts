import type { AddressInfo } from 'node:net'

/** The address callers reach the service at, without a slash at its end. `address` is that of the server that listens. */
export function publicUrl(
  config: { PUBLIC_URL: string | undefined; HOST: string; PORT: number },
  address: AddressInfo | string | null,
): string {
  // PORT may be 0, which is no port that anybody could call.
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  return config.PUBLIC_URL ?? localUrl(config.HOST, port)
}

/** Addresses to listen on that stand for all of the machine's: one of these that can be called. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' }

export function localUrl(host: string, port: number): string {
  const callable = CALLABLE[host] ?? host
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`
}
