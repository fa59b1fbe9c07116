/** HTTP over bare sockets: sends any bytes, and reads all replies until the connection ends. */
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface RawReply {
  status: number
  headers: ReadonlyMap<string, string>
  body: string
}

export interface Exchange {
  replies: readonly RawReply[]
  /** Why the connection ended: 'hung' means that the service left it open, 'left' that the client has seen enough. */
  end: 'closed' | 'reset' | 'hung' | 'left'
  /** Received bytes that are no complete reply. */
  rest: string
}

interface Options {
  timeoutMs?: number
  /** Closes the client's half of the connection after the last part. */
  halfClose?: boolean
  /** The first reply has no body: it answers HEAD. */
  isHead?: boolean
  /** Ends the exchange at the head of the first reply, for streams. */
  untilHead?: boolean
  /** Pause between the parts. */
  pauseMs?: number
}

export function exchange(
  port: number,
  parts: readonly (string | Uint8Array)[],
  { timeoutMs = 15_000, halfClose = false, isHead = false, untilHead = false, pauseMs = 0 }: Options = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const chunks: Buffer[] = []
    const finish = (end: Exchange['end']) => {
      clearTimeout(timer)
      // A reset leaves no port waiting: a run opens more connections than there are ports.
      socket.resetAndDestroy()
      resolve({ ...parseReplies(Buffer.concat(chunks).toString('latin1'), isHead), end })
    }
    const timer = setTimeout(() => finish('hung'), timeoutMs)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (untilHead && Buffer.concat(chunks).includes('\r\n\r\n')) finish('left')
    })
    socket.once('end', () => finish('closed'))
    socket.once('error', () => finish('reset'))
    socket.once('connect', async () => {
      for (const part of parts) {
        if (!socket.writable) break
        socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
        if (pauseMs > 0) await delay(pauseMs)
      }
      if (halfClose && socket.writable) socket.end()
    })
  })
}

/** Bodies are returned as latin1, one character per byte. */
function parseReplies(text: string, isHead: boolean): { replies: RawReply[]; rest: string } {
  const replies: RawReply[] = []
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1])
    if (end < 0 || Number.isNaN(status)) return { replies, rest }
    const lines = rest.slice(0, end).split('\r\n').slice(1)
    const headers = new Map(
      lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
    )
    const isBodiless = status < 200 || status === 204 || status === 304 || (isHead && replies.length === 0)
    const length = isBodiless ? 0 : Number(headers.get('content-length') ?? 0)
    if (rest.length < end + 4 + length) return { replies, rest }
    if (status >= 200) replies.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
}
