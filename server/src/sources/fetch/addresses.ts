import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { FetchError } from './fetch-error.ts'

/** Addresses that no public host has: private, loopback, link-local, reserved and multicast ones. */
const RESERVED: readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

const reserved = new BlockList()
for (const [network, prefix, family] of RESERVED) reserved.addSubnet(network, prefix, family)

/** IPv4 addresses within IPv6 (::ffff:10.0.0.1) count as what they contain. */
export function isPublic(address: string): boolean {
  const family = isIP(address.replace(/%.*$/, ''))
  if (family === 0) return false
  return !reserved.check(address.replace(/%.*$/, ''), family === 4 ? 'ipv4' : 'ipv6')
}

/** Refuses a host that is itself an address that is not public: such hosts are not looked up. */
export function checkHost(host: string, isAllowed: (host: string) => boolean): void {
  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !isAllowed(host) && !isPublic(address)) throw new FetchError('private', { host })
}

/** Returns a lookup that finds only public addresses, so that a name cannot lead into the operator's network. */
export function publicLookup(isAllowed: (host: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '')
        return
      }
      const usable = isAllowed(host) ? found : found.filter(({ address }) => isPublic(address))
      const [first] = usable
      if (first === undefined) callback(new FetchError('private', { host }), '')
      else if (options.all) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
}
