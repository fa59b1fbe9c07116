import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { watchPeer } from './peer-watch.ts'
import { drainedOrClosed, type Frame, GOODBYE_MS, type Streaming, type Wire } from './wire.ts'

const RETRY = Buffer.from('retry: 3000\n\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Keeps proxies such as nginx from buffering events.
  'x-accel-buffering': 'no',
  // A pipelined request would wait for the end of the stream.
  connection: 'close',
}

/** Responds with server-sent events until the stream ends or the client disconnects. */
export async function serveEvents(
  response: ServerResponse,
  headers: Record<string, string | number>,
  streaming: Streaming,
): Promise<void> {
  response.writeHead(200, { ...headers, ...HEADERS })
  response.flushHeaders()
  const socket = await socketOf(response)
  if (socket === undefined || socket.destroyed) {
    streaming.left()
    return
  }
  socket.once('close', () => streaming.left())
  // A half-closed connection counts as closed: no stream client closes only its sending side.
  socket.once('end', () => socket.destroy())
  watchPeer(socket)
  const wire = new EventWire(socket, response.chunkedEncoding ? chunkOf : whole)
  wire.write(RETRY)
  streaming.start(wire)
}

/** Returns the response's socket. A pipelined request gets it only once the previous one is answered. */
function socketOf(response: ServerResponse): Socket | Promise<Socket | undefined> {
  if (response.socket !== null) return response.socket
  return new Promise((resolve) => {
    const { socket: connection } = response.req
    if (connection.destroyed) resolve(undefined)
    connection.once('close', () => resolve(undefined))
    // Node writes the headers right after this event.
    response.once('socket', (socket: Socket) => setImmediate(() => resolve(socket)))
  })
}

/** Writes to the socket directly: ServerResponse would need three writes and much more memory per event. */
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

  /** Does nothing: server-sent events have no replies. peer-watch.ts finds lost clients. */
  probe(): void {}

  async drained(): Promise<void> {
    await drainedOrClosed(this.#socket)
  }

  end(): void {
    if (this.#encode === chunkOf) this.#socket.write(LAST_CHUNK)
    endInTime(this.#socket)
  }
}

/** For HTTP/1.0, which has no chunks: the response ends with the connection. */
const whole = (bytes: Buffer) => bytes

const chunks = new WeakMap<Buffer, Buffer>()

/** Returns the bytes as an HTTP chunk, built once for the thousands of clients that receive it. */
function chunkOf(bytes: Buffer): Buffer {
  const known = chunks.get(bytes)
  if (known !== undefined) return known
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  chunks.set(bytes, chunk)
  return chunk
}

/** Ends the socket, and destroys it if the client does not read the rest in time. */
function endInTime(socket: Socket): void {
  socket.end()
  const cutOff = setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
  socket.once('close', () => clearTimeout(cutOff))
}
