import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { endInTime } from './wire.ts'

type Route = (request: IncomingMessage, response: ServerResponse) => void

/** How long an idle connection may still send a request once the port is closed. */
const IDLE_GRACE_MS = 500
/** How long a client may then keep its half of an idle connection open. */
const HALF_OPEN_GRACE_MS = 500
/** Time for running requests once the port is closed; then connections are cut. */
const CUT_AFTER_MS = 5_000

/**
 * Ends the connections of a server without losing a request that a client has sent. Answers carry `Connection: close`;
 * only connections that stay idle are closed without an answer. A connection that is opened during the drain is kept
 * until the port is closed: its client would otherwise reconnect for every request, and the kernel resets connections
 * that are not accepted yet when the port is closed.
 */
export class Drain {
  readonly #open = new Set<Socket>()
  readonly #newest = new WeakMap<Socket, ServerResponse>()
  #ending = new WeakSet<Socket>()
  #listenUntil = 0
  #isPortClosed = false
  #isDraining = false

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Follows the connections and requests of a server, and routes the requests. */
  watch(server: Server, route: Route): void {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
    server.removeAllListeners('request').on('request', (request, response) => {
      const { socket } = request
      // The answer could not be sent, so the request must not be charged.
      if (socket.writableEnded) return
      const previous = this.#newest.get(socket)
      this.#newest.set(socket, response)
      if (this.#isDraining && (this.#isPortClosed || this.#ending.has(socket))) {
        // Pipelined: the last answer ends the connection.
        if (previous !== undefined) previous.shouldKeepAlive = true
        response.shouldKeepAlive = false
      }
      route(request, response)
    })
  }

  /**
   * Starts to end connections. The port stays open for `listenMs`, in which load balancers see that the service is not
   * ready. Without that time, connections end only once the port is closed, so that none is opened while it closes.
   */
  begin(listenMs: number): void {
    this.#isDraining = true
    if (listenMs === 0) return
    this.#listenUntil = performance.now() + listenMs
    this.#ending = new WeakSet(this.#open)
    this.#endAfterAnswers()
  }

  /** Closes the port in its time. Resolves once all connections are closed. */
  async end(server: Server): Promise<void> {
    await delay(Math.max(0, this.#listenUntil - performance.now()))
    this.#isDraining = true
    this.#isPortClosed = true
    this.#endAfterAnswers()
    // Not `close` of the HTTP server, which also destroys idle connections.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
    const idle = setInterval(() => this.#endIdle(), IDLE_GRACE_MS)
    const cut = setTimeout(() => this.#cut(), CUT_AFTER_MS)
    await closed
    clearInterval(idle)
    clearTimeout(cut)
  }

  /** Ends all connections with the answers to their running requests. */
  #endAfterAnswers(): void {
    for (const socket of this.#open) {
      const response = this.#newest.get(socket)
      if (response !== undefined) response.shouldKeepAlive = false
    }
  }

  #endIdle(): void {
    for (const socket of this.#open) {
      const isIdle = this.#newest.get(socket)?.writableFinished ?? true
      if (isIdle && !socket.writableEnded) endInTime(socket, HALF_OPEN_GRACE_MS)
    }
  }

  #cut(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
