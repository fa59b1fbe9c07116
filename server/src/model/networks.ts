import { BlockList, isIP } from 'node:net'

/** An address or a network such as 10.0.0.0/8. */
interface Network {
  address: string
  /** The number of leading bits that all addresses of the network share. */
  prefix: number
  family: 'ipv4' | 'ipv6'
}

const BITS = { ipv4: 32, ipv6: 128 }

/** Returns undefined if the text is neither an address nor a network. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined
  const family = familyOf(address)
  if (prefix === undefined) return { address, prefix: BITS[family], family }
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= BITS[family]
    ? { address, prefix: Number(prefix), family }
    : undefined
}

/** A list of addresses and networks. IPv4 addresses within IPv6 (::ffff:10.0.0.1) count as what they contain. */
export class Networks {
  readonly #list = new BlockList()
  readonly #networks: readonly Network[]

  constructor(texts: readonly string[]) {
    this.#networks = texts.flatMap((text) => parseNetwork(text) ?? [])
    for (const { address, prefix, family } of this.#networks) this.#list.addSubnet(address, prefix, family)
  }

  has(address: string): boolean {
    return this.#networks.length > 0 && isIP(address) !== 0 && this.#list.check(address, familyOf(address))
  }

  /** Returns whether one network of this list contains the whole network. */
  includes(text: string): boolean {
    const inner = parseNetwork(text)
    return inner !== undefined && this.#networks.some((outer) => contains(outer, inner))
  }
}

function contains(outer: Network, inner: Network): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false
  const list = new BlockList()
  list.addSubnet(outer.address, outer.prefix, outer.family)
  return list.check(inner.address, inner.family)
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
