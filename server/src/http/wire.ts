import type { Socket } from 'node:net'

/** One event of a stream. It is written down once for each kind of wire, however many clients it goes to. */
export class Frame {
  readonly id: number
  readonly event: string
  readonly #data: string
  #sse: Buffer | undefined
  #message: Buffer | undefined

  /** `data` is JSON on one line. */
  constructor(id: number, event: string, data: string) {
    this.id = id
    this.event = event
    this.#data = data
  }

  get sse(): Buffer {
    this.#sse ??= Buffer.from(`id: ${this.id}\nevent: ${this.event}\ndata: ${this.#data}\n\n`)
    return this.#sse
  }

  /** Of a WebSocket. */
  get message(): Buffer {
    this.#message ??= Buffer.from(`{"id":${this.id},"event":"${this.event}","data":${this.#data}}`)
    return this.#message
  }
}

/** What carries the events of a stream to one client: server-sent events or a WebSocket. */
export interface Wire {
  send(frame: Frame): void
  /** Bytes that the client has not taken yet and the network does not hold either. */
  readonly waitingBytes: number
  /** Asks the client for a sign of life where the protocol knows one; a client that gave none since the last time is cut off. */
  probe(): void
  /** Resolves when nothing waits any more, or the client is gone. */
  drained(): Promise<void>
  /** Says goodbye once everything is sent; a client that does not take it in time is cut off. */
  end(): void
}

/** What an endpoint gives that goes on and on: the pipeline provides the wire. */
export interface Streaming {
  start(wire: Wire): void
  /** The client is gone. */
  left(): void
}

/** How long a client may take to read what was sent to it before the end. */
export const GOODBYE_MS = 5_000

/** Nothing is sent after everything else: the event `drain` would tell only of what was more than a certain amount. */
export function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.write('', () => resolve())
  })
}
