import { readFile } from 'node:fs/promises'
import { type Socket, SocketAddress } from 'node:net'
import { setImmediate } from 'node:timers/promises'

const CHECK_EVERY_MS = 10_000
/** So many unanswered retransmissions take more than ten seconds: the peer is gone. */
const MAX_RETRANSMISSIONS = 6
/** Linux lists its connections here. On other systems TCP itself gives up after about 15 minutes. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

/** Characters of a table to parse before yielding to the event loop. */
const CHUNK = 200_000
const MAX_LINE = 300

const watched = new Map<string, Socket>()
let timer: NodeJS.Timeout | undefined

/**
 * Closes the connection if its peer disappears without closing it, such as by a power or network failure. Server-sent
 * events have no replies, so only the kernel knows that nothing is acknowledged any more.
 */
export function watchPeer(socket: Socket): void {
  const { remoteAddress = '', remotePort = 0 } = socket
  const peer = peerOf(remoteAddress, remotePort)
  watched.set(peer, socket)
  socket.once('close', () => {
    if (watched.get(peer) === socket) watched.delete(peer)
    if (watched.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  })
  timer ??= setInterval(closeLostPeers, CHECK_EVERY_MS).unref()
}

async function closeLostPeers(): Promise<void> {
  for (const table of TABLES) {
    // Not on Linux, or no IPv6.
    const text = await readFile(table, 'latin1').catch(() => '')
    for (let start = 0; start < text.length; start += CHUNK) {
      // Chunks overlap, because the previous one may end in the middle of a line.
      const from = Math.max(0, start - MAX_LINE)
      for (const peer of lostPeers(text.slice(from, start + CHUNK))) watched.get(peer)?.destroy()
      await setImmediate()
    }
  }
}

const peerOf = (address: string, port: number) => `${address} ${port}`

/** Matches remote address, state 1 (established), queues, timer and retransmissions, all hexadecimal. */
const CONNECTION = /: [\dA-F]+:[\dA-F]{4} ([\dA-F]+):([\dA-F]{4}) 01 [\dA-F:]{17} [\dA-F:]{11} ([\dA-F]{8}) /g

/** Yields the peers in a table of connections that no longer acknowledge data. */
export function* lostPeers(table: string): Generator<string> {
  for (const [, address = '', port = '', retries = ''] of table.matchAll(CONNECTION)) {
    if (Number.parseInt(retries, 16) >= MAX_RETRANSMISSIONS) yield peerOf(addressOf(address), Number.parseInt(port, 16))
  }
}

/** Converts an address, in 32-bit words of the machine's byte order, to the form that Node uses. */
function addressOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex').swap32()
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}
