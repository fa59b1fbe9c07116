import type { Socket } from 'node:net'

/** One event of a stream, encoded at most once per transport however many clients receive it. */
export class Frame {
  readonly id: number
  readonly event: string
  readonly #data: string
  #sse: Buffer | undefined
  #message: Buffer | undefined

  /** `data` is JSON without line breaks. */
  constructor(id: number, event: string, data: string) {
    this.id = id
    this.event = event
    this.#data = data
  }

  get sse(): Buffer {
    this.#sse ??= Buffer.from(`id: ${this.id}\nevent: ${this.event}\ndata: ${this.#data}\n\n`)
    return this.#sse
  }

  /** WebSocket message. */
  get message(): Buffer {
    this.#message ??= Buffer.from(`{"id":${this.id},"event":"${this.event}","data":${this.#data}}`)
    return this.#message
  }
}

/** Transport of a stream to one client: server-sent events or a WebSocket. */
export interface Wire {
  send(frame: Frame): void
  /** Bytes in this process that the kernel has not accepted yet. */
  readonly waitingBytes: number
  /** Pings the client where the protocol can, and disconnects it if it has not answered the previous ping. */
  probe(): void
  /** Resolves when no bytes wait any more or the client has disconnected. */
  drained(): Promise<void>
  /** Closes the connection once everything is sent, or by force after `CLOSE_TIMEOUT_MS`. */
  end(): void
}

/** Result of an endpoint that streams; the pipeline provides the wire. */
export interface Streaming {
  start(wire: Wire): void
  disconnected(): void
}

/** How long a client may take to read the last bytes of a stream. */
export const CLOSE_TIMEOUT_MS = 5_000

/**
 * Writes an empty chunk; its callback fires once everything before it is flushed. The event `drain` fires only after the
 * buffer was full.
 */
export function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.write('', () => resolve())
  })
}

/** Ends the socket, and destroys it if the client does not close its half in time. */
export function endInTime(socket: Socket, graceMs = CLOSE_TIMEOUT_MS): void {
  socket.end()
  const cutOff = setTimeout(() => socket.destroy(), graceMs).unref()
  socket.once('close', () => clearTimeout(cutOff))
}
