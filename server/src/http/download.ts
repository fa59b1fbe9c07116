import type { ServerResponse } from 'node:http'
import { ApiError } from '../model/errors.ts'
import type { LoggedRequest } from '../model/request-log.ts'

/** A request for a file, which its endpoint charges and logs itself. */
export interface DownloadRequest {
  /** Asks for the headers of the file alone, which are free. */
  isHead: boolean
  /** The address of the client. */
  address: string
  /** Returns its line of the request log, as of now. */
  toLogged(responseBytes: number): LoggedRequest
  /** Whether the client has closed its connection. */
  hasLeft(): boolean
}

/** The answer of an endpoint that sends a file. The pipeline provides the wire. */
export interface Download {
  status?: number
  headers: Record<string, string | number>
  /** Credits that the caller has paid for it so far. */
  cost: number
  /** Whether the request log has its line already: it is written with the first charge. */
  isLogged: boolean
  /** Sends the file and ends the wire. Resolves with the number of bytes sent, however it ends. */
  send(wire: DownloadWire): Promise<number>
}

export interface DownloadWire {
  /**
   * Resolves once the kernel has accepted the bytes, each part of which is passed to `accepted`. Throws `WireBroken` if the
   * client has left or reads nothing.
   */
  write(bytes: Uint8Array, accepted: (part: Uint8Array) => void): Promise<void>
  /** Throws `WireBroken` if the client has left. */
  check(): void
  /** Ends the answer as complete. */
  end(): void
  /** Cuts the connection, so that no client takes the answer for complete. */
  cut(): void
}

/** Answers with the headers of a file alone. */
export function headersOnly(headers: Download['headers'], status = 200): Download {
  return {
    status,
    headers,
    cost: 0,
    isLogged: false,
    async send(wire) {
      wire.end()
      return 0
    },
  }
}

/** The client can no longer be written to. */
export class WireBroken extends Error {
  readonly by: 'disconnected' | 'stalled'

  constructor(by: WireBroken['by']) {
    super(`the client has ${by}`)
    this.by = by
  }
}

/** The client has closed its connection before its file could be sent; nobody reads this answer, but the log has it. */
export class ClientLeft extends ApiError {
  constructor() {
    super('BAD_REQUEST', 'The client has closed the connection', { statusCode: 499 })
  }
}

/** Whether the client of a response has closed its connection. */
export const hasLeft = ({ closed, destroyed, socket }: ServerResponse): boolean =>
  closed || destroyed || socket?.destroyed === true

/** How long a client may read nothing. */
export const STALL_MS = 60_000
/** Bytes to write at once: a slow client makes progress in time. */
const PIECE = 65_536

/** Wire to the client of a response, whose headers are sent. */
export class ResponseWire implements DownloadWire {
  readonly #response: ServerResponse
  readonly #stallMs: number

  constructor(response: ServerResponse, stallMs = STALL_MS) {
    this.#response = response
    this.#stallMs = stallMs
    // An error without a listener would end the process; `write` reports it.
    response.on('error', () => {})
  }

  async write(bytes: Uint8Array, accepted: (part: Uint8Array) => void): Promise<void> {
    for (let start = 0; start < bytes.length; start += PIECE) {
      const piece = bytes.subarray(start, start + PIECE)
      await this.#writePiece(piece)
      accepted(piece)
    }
  }

  check(): void {
    if (hasLeft(this.#response)) throw new WireBroken('disconnected')
  }

  #writePiece(bytes: Uint8Array): Promise<void> {
    const response = this.#response
    return new Promise((resolve, reject) => {
      const settle = (error?: WireBroken) => {
        clearTimeout(timer)
        response.off('close', left)
        if (error === undefined) resolve()
        else reject(error)
      }
      const left = () => settle(new WireBroken('disconnected'))
      const timer = setTimeout(() => settle(new WireBroken('stalled')), this.#stallMs)
      if (hasLeft(response)) return left()
      response.once('close', left)
      response.write(bytes, (error) => settle(error ? new WireBroken('disconnected') : undefined))
    })
  }

  end(): void {
    this.#response.end()
  }

  cut(): void {
    this.#response.destroy()
  }
}
