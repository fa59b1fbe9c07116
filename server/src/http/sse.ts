import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { drainedOrClosed, type Frame, GOODBYE_MS, type Streaming, type Wire } from './wire.ts'

const RETRY = Buffer.from('retry: 3000\n\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Proxies like nginx would hold events back to send them in larger pieces.
  'x-accel-buffering': 'no',
  // What follows on this connection would wait for the end of the stream.
  connection: 'close',
}

/** Answers with server-sent events, from the headers on, until the stream ends or the client is gone. */
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
  // Who has stopped sending is gone: no client of a stream closes only one half.
  socket.once('end', () => socket.destroy())
  const wire = new EventWire(socket, response.chunkedEncoding ? chunkOf : whole)
  wire.write(RETRY)
  streaming.start(wire)
}

/** A request that came right behind another one gets the connection when that one is answered. */
function socketOf(response: ServerResponse): Socket | Promise<Socket | undefined> {
  if (response.socket !== null) return response.socket
  return new Promise((resolve) => {
    const { socket: connection } = response.req
    if (connection.destroyed) resolve(undefined)
    connection.once('close', () => resolve(undefined))
    // The headers are written right after this is told.
    response.once('socket', (socket: Socket) => setImmediate(() => resolve(socket)))
  })
}

/** Writes to the connection itself: the framework's own way costs three writes and much memory for each event. */
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

/** HTTP/1.0 knows no chunks: the end of the connection is the end of the answer. */
const whole = (bytes: Buffer) => bytes

const chunks = new WeakMap<Buffer, Buffer>()

/** The same bytes go to thousands of clients, so their chunk is made once. */
function chunkOf(bytes: Buffer): Buffer {
  const known = chunks.get(bytes)
  if (known !== undefined) return known
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  chunks.set(bytes, chunk)
  return chunk
}

function endInTime(socket: Socket): void {
  socket.end()
  const cutOff = setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
  socket.once('close', () => clearTimeout(cutOff))
}
