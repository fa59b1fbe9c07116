import type { ServerResponse } from 'node:http'

/** The answer of an endpoint that sends a file. The pipeline provides the wire. */
export interface Download {
  status?: number
  headers: Record<string, string | number>
  /** Credits that the caller has paid for it so far. */
  cost: number
  /** Sends the file and ends the wire. Resolves with the number of bytes sent, however it ends. */
  send(wire: DownloadWire): Promise<number>
}

export interface DownloadWire {
  /** Resolves once the kernel has accepted the bytes. Throws `WireBroken` if the client has left or reads nothing. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the answer as complete. */
  end(): void
  /** Cuts the connection, so that no client takes the answer for complete. */
  cut(): void
}

/** The client can no longer be written to. */
export class WireBroken extends Error {
  readonly by: 'disconnected' | 'stalled'

  constructor(by: WireBroken['by']) {
    super(`the client has ${by}`)
    this.by = by
  }
}

/** How long a client may read nothing. */
const STALL_MS = 60_000
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

  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += PIECE)
      await this.#writePiece(bytes.subarray(start, start + PIECE))
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
      if (response.closed || response.destroyed) return left()
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
