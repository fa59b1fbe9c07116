import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** How the proxy treats connections: it forwards their bytes, swallows them, or closes every connection. */
type Mode = 'forward' | 'silent' | 'refuse'

interface Trap {
  marker: string
  trigger: string
  /** Whether the server still gets the trigger; its answer is lost in any case. */
  isForwarded: boolean
  isCut?: boolean
}

/** A TCP proxy in front of a server, for tests of broken networks. */
export class TcpProxy {
  #mode: Mode = 'forward'
  #trap: Trap | undefined
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(target: URL): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true })
    const proxy = new TcpProxy(server)
    server.on('connection', (client) => proxy.#accept(client, target))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }

  /** Returns the URL with the address of the proxy. */
  urlOf(url: string): string {
    const proxied = new URL(url)
    proxied.hostname = '127.0.0.1'
    proxied.port = String((this.#server.address() as AddressInfo).port)
    return proxied.href
  }

  /** Swallows all bytes and keeps connections open, as a network that drops every packet. */
  silence(): void {
    this.#mode = 'silent'
  }

  /** Goes silent, or cuts the connection, when a client that has sent `marker` sends `trigger`. */
  breakAt(trap: Trap): void {
    this.#trap = trap
  }

  /** Closes all connections and every new one, as a server that is down. */
  refuse(): void {
    this.#mode = 'refuse'
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Forwards new connections. Those that lost bytes stay silent. */
  restore(): void {
    this.#mode = 'forward'
  }

  async close(): Promise<void> {
    this.refuse()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(client: Socket, target: URL): void {
    this.#keep(client)
    if (this.#mode === 'refuse') client.destroy()
    if (this.#mode !== 'forward') return
    const server = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    this.#keep(server)
    let isDead = false
    let isMarked = false
    client.on('data', (bytes: Buffer) => {
      if (this.#trap === undefined || isDead) return
      isMarked ||= bytes.includes(this.#trap.marker)
      if (!isMarked || !bytes.includes(this.#trap.trigger)) return
      if (this.#trap.isForwarded) server.write(bytes)
      if (this.#trap.isCut) client.destroy()
      else this.silence()
      isDead = true
      this.#trap = undefined
    })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes: Buffer) => {
        isDead ||= this.#mode !== 'forward'
        if (!isDead) to.write(bytes)
      })
      // A connection that lost bytes also loses its end: the other side is never told.
      from.on('close', () => {
        isDead ||= this.#mode === 'silent'
        if (!isDead) to.destroy()
      })
      from.on('end', () => {
        isDead ||= this.#mode === 'silent'
        if (!isDead) to.end()
      })
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.resume()
  }
}
