import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { ApiError } from '../model/errors.ts'
import { drainedOrClosed, type Frame, GOODBYE_MS, type Streaming, type Wire } from './wire.ts'

/** Clients have nothing to say but pings and goodbyes. */
const MAX_MESSAGE_BYTES = 1_024
/** The service ends the stream; what it said last says why. */
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

/** Whether the request wants to go on as a WebSocket; other upgrades are none of ours and are not taken up. */
export function wantsWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  return method === 'GET' && httpVersion === '1.1' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Sends requests that want a WebSocket through the routes like all others: they are refused in the same words. */
export function routeUpgrades(
  server: Server,
  route: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The server speaks HTTP over TCP, and so does this.
    const connection = socket as Socket
    connection.on('error', () => connection.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    try {
      response.assignSocket(connection)
    } catch {
      // It came right behind a request that is not answered yet: nobody can take turns with a WebSocket.
      connection.destroy()
      return
    }
    // The server watches over it no longer, so a client that does not end its half would keep it open for good.
    response.once('finish', () => connection.destroySoon())
    upgrades.set(request, { socket: connection, head })
    route(request, response)
  })
}

/** Throws 400 when no WebSocket can come of the request. */
export function checkHandshake(request: IncomingMessage): void {
  if (!upgrades.has(request)) {
    throw new ApiError('BAD_REQUEST', 'This endpoint is for WebSockets: send the headers of a WebSocket handshake')
  }
  const {
    'sec-websocket-key': key = '',
    'sec-websocket-version': version,
    'sec-websocket-protocol': protocols,
  } = request.headers
  if (version !== VERSION) throw new ApiError('BAD_REQUEST', `Sec-WebSocket-Version must be ${VERSION}`)
  if (!isListOfNames(protocols)) throw new ApiError('BAD_REQUEST', 'Sec-WebSocket-Protocol is not a list of names')
  if (!KEY.test(key)) throw new ApiError('BAD_REQUEST', 'Sec-WebSocket-Key is missing or not valid')
}

function isListOfNames(text: string | undefined): boolean {
  if (text === undefined) return true
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => PROTOCOL.test(name)) && new Set(names).size === names.length
}

/** Goes on as a WebSocket until the stream ends or the client is gone. */
export async function serveWebSocket(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string | number>,
  streaming: Streaming,
): Promise<void> {
  const upgrade = upgrades.get(request)
  if (upgrade === undefined) throw new Error('a request that is no upgrade cannot become a WebSocket')
  const { socket, head } = upgrade
  if (socket.destroyed) {
    streaming.left()
    return
  }
  socket.once('close', () => streaming.left())
  response.detachSocket(socket)
  headersOf.set(request, headers)
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    // What is wrong with a connection ends it, and that is all there is to do.
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
