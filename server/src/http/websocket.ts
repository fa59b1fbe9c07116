import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError } from '../model/errors.ts'
import { http } from '../node-http.ts'
import { CLOSE_TIMEOUT_MS, drainedOrClosed, endInTime, type Frame, type Streaming, type Wire } from './wire.ts'

/** Clients send only control frames. */
const MAX_MESSAGE_BYTES = 1_024
/** Close code; the event `closing` before it has the reason. */
const GOING_AWAY = 1_001

/** How long a client whose handshake is declined may keep its half of the connection open. */
const DECLINED_GRACE_MS = 1_000

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
  // WebSocketWire answers pings: ws would queue pongs without limit for a client that does not read.
  autoPong: false,
}).on('headers', (lines, request) => {
  lines.push(...Object.entries(headersOf.get(request) ?? {}).map(([name, value]) => `${name}: ${value}`))
})

/** Returns whether the request asks for a WebSocket; other upgrades are answered as plain requests. */
export function wantsWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return method === 'GET' && httpVersion === '1.1' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Routes WebSocket requests like all others, so that refusals have the same form. */
export function routeUpgrades(
  server: Server,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  // Node drops bytes that arrive together with an upgrade that is declined, such as the next request, so there must be none.
  server.prependListener('request', ({ headers }, response) => {
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The server listens on TCP only.
    const connection = socket as Socket
    connection.on('error', () => connection.destroy())
    const response = new http.ServerResponse(request)
    response.shouldKeepAlive = false
    try {
      response.assignSocket(connection)
    } catch {
      // Pipelined behind a request that is not answered yet: a WebSocket cannot share the connection.
      connection.destroy()
      return
    }
    // The HTTP server no longer manages this connection: a client that keeps its half open would keep it forever.
    // What else it has sent is read and discarded: closing with unread bytes would reset the connection.
    response.once('finish', () => endInTime(connection.resume(), DECLINED_GRACE_MS))
    upgrades.set(request, { socket: connection, head })
    route(request, response)
  })
}

/** Throws 400 if the request is not a valid WebSocket handshake. */
export function checkHandshake(request: IncomingMessage): void {
  if (!upgrades.has(request)) {
    throw new ApiError('BAD_REQUEST', 'This endpoint accepts only WebSocket handshakes')
  }
  const {
    'sec-websocket-key': key = '',
    'sec-websocket-version': version,
    'sec-websocket-protocol': protocols,
  } = request.headers
  if (version !== VERSION) throw new ApiError('BAD_REQUEST', `Sec-WebSocket-Version must be ${VERSION}`)
  if (!isListOfNames(protocols)) throw new ApiError('BAD_REQUEST', 'Sec-WebSocket-Protocol is not a list of names')
  if (!KEY.test(key)) throw new ApiError('BAD_REQUEST', 'Sec-WebSocket-Key is missing or invalid')
}

function isListOfNames(text: string | undefined): boolean {
  if (text === undefined) return true
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => PROTOCOL.test(name)) && new Set(names).size === names.length
}

/** Switches to a WebSocket and streams until the stream ends or the client disconnects. */
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
    streaming.disconnected()
    return
  }
  socket.once('close', () => streaming.disconnected())
  response.detachSocket(socket)
  headersOf.set(request, headers)
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    // Protocol errors end the connection.
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
    // RFC 6455, 5.5.3: pings that arrive before the previous pong is sent need no pong of their own.
    webSocket.on('ping', (data) => {
      if (this.waitingBytes === 0 && webSocket.readyState === webSocket.OPEN) webSocket.pong(data)
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
    const cutOff = setTimeout(() => this.#webSocket.terminate(), CLOSE_TIMEOUT_MS).unref()
    this.#socket.once('close', () => clearTimeout(cutOff))
  }
}
