import type { AddressInfo } from 'node:net'

/**
 * Returns the URL at which callers reach the service, without a trailing slash. `address` is that of the listening
 * server.
 */
export function publicUrl(
  config: { PUBLIC_URL: string | undefined; HOST: string; PORT: number },
  address: AddressInfo | string | null,
): string {
  // PORT may be 0, so the actual port comes from the server.
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  return config.PUBLIC_URL ?? localUrl(config.HOST, port)
}

/** Wildcard addresses to listen on, with an address that clients can connect to. */
const CALLABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': 'localhost' }

/** Returns the URL of the service for clients on the same machine. */
export function localUrl(host: string, port: number): string {
  const callable = CALLABLE[host] ?? host
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${port}`
}
