import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'

/** Closes connections beyond the limit per address, and logs the first of each series. */
export function limitConnections(server: Server, limit: number, log: Logger): void {
  const open = new Map<string, number>()
  const exceeding = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return
    const network = networkOf(remoteAddress)
    const count = (open.get(network) ?? 0) + 1
    if (count > limit) {
      socket.destroy()
      if (!exceeding.has(network)) log.warn({ address: remoteAddress, limit }, 'refused connections beyond the limit')
      exceeding.add(network)
      return
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
      if (left < limit / 2) exceeding.delete(network)
    })
  })
}

/** Returns the part of an address that names one client: for IPv6 its first 64 bits, which one customer holds. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const rest = tail.split(':').filter((group) => group !== '')
  const missing = address.includes('::') ? 8 - groups.length - rest.length : 0
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...rest].slice(0, 4).join(':')
}
