import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError } from '../model/errors.ts'
import { drainedOrClosed, type Frame, GOODBYE_MS, type Streaming, type Wire } from './wire.ts'

/** Clients send only control frames. */
const MAX_MESSAGE_BYTES = 1_024
/** Close code of streams that the service ends; the last event has the reason. */
const GOING_AWAY = 1_001

const KEY = /^[+/0-9a-z]{22}==$/i
const VERSION = '13'
const PROTOCOL = /^[\w!#$%&'*+.^`|~-]+$/

interface Upgrade {
  socket: Socket
  head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()
const headersOf = new WeakMap<IncomingMessage, Record<string, string | number>>()

const sockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
}).on('headers', (lines, request) => {
  lines.push(...Object.entries(headersOf.get(request) ?? {}).map(([name, value]) => `${name}: ${value}`))
})

/** Whether a request asks for a WebSocket. Other upgrades are ignored and served as plain requests. */
export function wantsWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return method === 'GET' && httpVersion === '1.1' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Routes WebSocket requests like all others, so that they get the same errors. */
export function routeUpgrades(
  server: Server,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // An HTTP server over TCP always passes a net.Socket.
    const connection = socket as Socket
    connection.on('error', () => connection.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    try {
      response.assignSocket(connection)
    } catch {
      // A pipelined request: the socket is still busy with the previous response, and cannot be shared with a
      // WebSocket.
      connection.destroy()
      return
    }
    // The server no longer manages this socket, so a client that keeps its side open would hold it forever.
    response.once('finish', () => connection.destroySoon())
    upgrades.set(request, { socket: connection, head })
    route(request, response)
  })
}

/** Throws 400 if the request is no valid WebSocket handshake. */
export function checkHandshake(request: IncomingMessage): void {
  if (!upgrades.has(request)) {
    throw new ApiError('BAD_REQUEST', 'This endpoint accepts only WebSockets: send a WebSocket handshake')
  }
  const {
    'sec-websocket-key': key = '',
    'sec-websocket-version': version,
    'sec-websocket-protocol': protocols,
  } = request.headers
  if (version !== VERSION) throw new ApiError('BAD_REQUEST', `Sec-WebSocket-Version must be ${VERSION}`)
  if (!isListOfNames(protocols))
    throw new ApiError('BAD_REQUEST', 'Sec-WebSocket-Protocol must be a comma-separated list of distinct names')
  if (!KEY.test(key)) throw new ApiError('BAD_REQUEST', 'Sec-WebSocket-Key must be 16 bytes in base64')
}

function isListOfNames(text: string | undefined): boolean {
  if (text === undefined) return true
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => PROTOCOL.test(name)) && new Set(names).size === names.length
}

/** Completes the handshake and serves the stream until it ends or the client disconnects. */
export async function serveWebSocket(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string | number>,
  streaming: Streaming,
): Promise<void> {
  const upgrade = upgrades.get(request)
  if (upgrade === undefined) throw new Error('the request is not a WebSocket upgrade')
  const { socket, head } = upgrade
  if (socket.destroyed) {
    streaming.left()
    return
  }
  socket.once('close', () => streaming.left())
  response.detachSocket(socket)
  headersOf.set(request, headers)
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    // Protocol errors only end the connection.
    webSocket.on('error', () => webSocket.terminate())
    streaming.start(new WebSocketWire(webSocket, socket))
  })
}

class WebSocketWire implements Wire {
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  #isAlive = true

  constructor(webSocket: WebSocket, socket: Socket) {
    this.#webSocket = webSocket
    this.#socket = socket
    webSocket.on('pong', () => {
      this.#isAlive = true
    })
  }

  send(frame: Frame): void {
    if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.send(frame.message, { binary: false })
  }

  get waitingBytes(): number {
    return this.#webSocket.bufferedAmount
  }

  probe(): void {
    if (!this.#isAlive) this.#webSocket.terminate()
    else if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#webSocket.ping()
    this.#isAlive = false
  }

  drained(): Promise<void> {
    return drainedOrClosed(this.#socket)
  }

  end(): void {
    this.#webSocket.close(GOING_AWAY)
    const cutOff = setTimeout(() => this.#webSocket.terminate(), GOODBYE_MS).unref()
    this.#socket.once('close', () => clearTimeout(cutOff))
  }
}
