import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Networks } from '../model/networks.ts'

/** Finds the address of a request's client, behind proxies that the operator trusts. */
export class ClientAddresses {
  readonly #proxies: Networks

  /** `proxies` are addresses and networks such as 10.0.0.0/8. */
  constructor(proxies: readonly string[]) {
    this.#proxies = new Networks(proxies)
  }

  isProxy(address: string): boolean {
    return this.#proxies.has(address)
  }

  /**
   * Returns the rightmost address that is not a trusted proxy's: each proxy appends the address that it sees to
   * X-Forwarded-For, and what comes before may be invented by the client.
   */
  of({ socket, headers }: IncomingMessage): string {
    let address = socket.remoteAddress ?? ''
    if (!this.isProxy(address)) return address
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    while (this.isProxy(address)) {
      const next = withoutPort(forwarded.pop()?.trim() ?? '')
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}

/** Returns the part of an address that names one client: for IPv6 its first 64 bits, which one customer holds. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const rest = tail.split(':').filter((group) => group !== '')
  const missing = address.includes('::') ? 8 - groups.length - rest.length : 0
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...rest].slice(0, 4).join(':')
}

/** Some proxies append the port: 192.0.2.1:4711 or [2001:db8::1]:4711. */
const withoutPort = (text: string) => text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[(.*)\](?::\d+)?$/, '$1$2')
