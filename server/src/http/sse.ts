import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { drainedOrClosed, endInTime, type Frame, type Streaming, type Wire } from './wire.ts'

const RETRY = Buffer.from('retry: 3000\n\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Without it proxies such as nginx buffer events.
  'x-accel-buffering': 'no',
  // A further request on this connection would wait until the stream ends.
  connection: 'close',
}

/** Answers with server-sent events until the stream ends or the client disconnects. */
export async function serveEvents(
  response: ServerResponse,
  headers: Record<string, string | number>,
  streaming: Streaming,
): Promise<void> {
  response.writeHead(200, { ...headers, ...HEADERS })
  response.flushHeaders()
  const socket = await socketOf(response)
  // A client that closes its half has left: stream clients do not half-close.
  if (socket?.readableEnded) socket.destroy()
  if (socket === undefined || socket.destroyed) {
    streaming.disconnected()
    return
  }
  socket.once('close', () => streaming.disconnected())
  socket.once('end', () => socket.destroy())
  const wire = new EventWire(socket, response.chunkedEncoding ? chunkOf : whole)
  wire.write(RETRY)
  streaming.start(wire)
}

/** Returns the connection; a pipelined request gets it once the requests before it are answered. */
function socketOf(response: ServerResponse): Socket | Promise<Socket | undefined> {
  if (response.socket !== null) return response.socket
  return new Promise((resolve) => {
    const { socket: connection } = response.req
    if (connection.destroyed) resolve(undefined)
    connection.once('close', () => resolve(undefined))
    // The headers are written right after this event.
    response.once('socket', (socket: Socket) => setImmediate(() => resolve(socket)))
  })
}

/** Writes to the socket directly: `response.write` would cost three writes and much memory per event. */
class EventWire implements Wire {
  readonly #socket: Socket
  readonly #encode: (bytes: Buffer) => Buffer

  constructor(socket: Socket, encode: (bytes: Buffer) => Buffer) {
    this.#socket = socket
    this.#encode = encode
  }

  send(frame: Frame): void {
    this.write(frame.sse)
  }

  write(bytes: Buffer): void {
    this.#socket.write(this.#encode(bytes))
  }

  get waitingBytes(): number {
    return this.#socket.writableLength
  }

  /** Server-sent events have no reply: a vanished client is found when TCP stops retransmitting. */
  probe(): void {}

  async drained(): Promise<void> {
    await drainedOrClosed(this.#socket)
  }

  end(): void {
    if (this.#encode === chunkOf) this.#socket.write(LAST_CHUNK)
    endInTime(this.#socket)
  }
}

/** HTTP/1.0 has no chunks: the end of the connection ends the response. */
const whole = (bytes: Buffer) => bytes

const chunks = new WeakMap<Buffer, Buffer>()

/** Returns the bytes as a chunk, cached because the same bytes go to thousands of clients. */
function chunkOf(bytes: Buffer): Buffer {
  const known = chunks.get(bytes)
  if (known !== undefined) return known
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  chunks.set(bytes, chunk)
  return chunk
}
