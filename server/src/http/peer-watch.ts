import { readFile } from 'node:fs/promises'
import { type Socket, SocketAddress } from 'node:net'
import { setImmediate } from 'node:timers/promises'

const LOOK_EVERY_MS = 10_000
/** What is sent again so often without an answer has taken more than ten seconds: nobody is there. */
const MOST_RETRIES = 6
/** Where Linux tells of its connections; on other systems TCP gives up by itself, after a quarter of an hour. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

/** Characters of a table that are read before others get their turn. */
const PORTION = 200_000
const LONGEST_LINE = 300

const watched = new Map<string, Socket>()
let timer: NodeJS.Timeout | undefined

/**
 * Cuts off a connection whose other side has gone without a word, with its power or its network. Only the system knows
 * that nothing that is sent is acknowledged any more: server-sent events ask for no answer.
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
  timer ??= setInterval(cutOffTheLost, LOOK_EVERY_MS).unref()
}

async function cutOffTheLost(): Promise<void> {
  for (const table of TABLES) {
    // Where there is no such file nothing is known.
    const text = await readFile(table, 'latin1').catch(() => '')
    for (let start = 0; start < text.length; start += PORTION) {
      // Each portion begins with the line that the one before may have cut in two.
      const from = Math.max(0, start - LONGEST_LINE)
      for (const peer of lostPeers(text.slice(from, start + PORTION))) watched.get(peer)?.destroy()
      await setImmediate()
    }
  }
}

const peerOf = (address: string, port: number) => `${address} ${port}`

/** Other address, state 1 (open), queues, timer, retries: numbers in hexadecimal. */
const CONNECTION = /: [\dA-F]+:[\dA-F]{4} ([\dA-F]+):([\dA-F]{4}) 01 [\dA-F:]{17} [\dA-F:]{11} ([\dA-F]{8}) /g

/** The other sides of a table of connections that no longer answer. */
export function* lostPeers(table: string): Generator<string> {
  for (const [, address = '', port = '', retries = ''] of table.matchAll(CONNECTION)) {
    if (Number.parseInt(retries, 16) >= MOST_RETRIES) yield peerOf(addressOf(address), Number.parseInt(port, 16))
  }
}

/** Four bytes or sixteen, each group of four in the order of the machine, as Node writes them. */
function addressOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex').swap32()
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}
