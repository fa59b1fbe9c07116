import type { Socket } from 'node:net'

/** One event of a stream, serialized once per protocol however many clients receive it. */
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

  /** The text of the WebSocket message. */
  get message(): Buffer {
    this.#message ??= Buffer.from(`{"id":${this.id},"event":"${this.event}","data":${this.#data}}`)
    return this.#message
  }
}

/** A connection that carries a stream to one client: server-sent events or a WebSocket. */
export interface Wire {
  send(frame: Frame): void
  /** Bytes buffered in this process because the client reads too slowly. */
  readonly waitingBytes: number
  /** Pings the client where the protocol supports it; disconnects a client that did not answer the previous ping. */
  probe(): void
  /** Resolves when the buffer is flushed or the client is gone. */
  drained(): Promise<void>
  /** Closes the connection once everything is sent; disconnects a client that does not read it in time. */
  end(): void
}

/** The result of a stream endpoint; the pipeline starts it with a wire. */
export interface Streaming {
  start(wire: Wire): void
  /** Called when the client disconnects. */
  left(): void
}

/** Time for a client to read the rest of a stream that ends. */
export const GOODBYE_MS = 5_000

/**
 * Writes an empty chunk; its callback fires once the buffer is flushed. The event `drain` fires only above a high-water
 * mark.
 */
export function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.write('', () => resolve())
  })
}
