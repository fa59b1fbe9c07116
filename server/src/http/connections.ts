import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { type ClientAddresses, networkOf } from './client-address.ts'

/**
 * Closes connections beyond the limit per address, and logs the first of each series. Trusted proxies have no limit: their
 * connections are those of many clients.
 */
export function limitConnections(server: Server, limit: number, addresses: ClientAddresses, log: Logger): void {
  const open = new Map<string, number>()
  const exceeding = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || addresses.isProxy(remoteAddress)) return
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
