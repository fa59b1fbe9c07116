import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface LoadResult {
  requestsPerSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  failures: number
}

/**
 * Sends GET requests over raw sockets, sequentially per connection, and only finds the end of each response, so that
 * the client itself costs little.
 */
export async function load(options: {
  port: number
  paths: readonly string[]
  headers?: Record<string, string>
  connections: number
  /** Pause of each connection between two requests. */
  pauseMs?: number
  /** Stops after this time or number of requests, whichever comes first. */
  seconds?: number
  requests?: number
}): Promise<LoadResult> {
  const { paths, connections, pauseMs = 0, seconds = Infinity, requests = Infinity } = options
  const headers = Object.entries({ host: 'localhost', ...options.headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const messages = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n`))
  const latencies: number[] = []
  let sent = 0
  let failures = 0
  const startedAt = performance.now()
  const mayGoOn = () => sent < requests && performance.now() - startedAt < seconds * 1_000

  const drive = async () => {
    const connection = await Connection.open(options.port)
    while (mayGoOn()) {
      const message = messages[sent % messages.length]
      sent += 1
      if (message === undefined) break
      const from = performance.now()
      if ((await connection.get(message)) !== 200) failures += 1
      latencies.push(performance.now() - from)
      if (pauseMs > 0) await delay(pauseMs)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, drive))

  const elapsed = (performance.now() - startedAt) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return { requestsPerSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), failures }
}

class Connection {
  readonly #socket: Socket
  #done: (status: number) => void = () => {}
  #status = 0
  #missing = -1
  #head = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('close', () => this.#done(0))
    socket.on('error', () => {})
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  get(message: Buffer): Promise<number> {
    return new Promise((resolve) => {
      this.#done = resolve
      this.#socket.write(message)
    })
  }

  close(): void {
    this.#done = () => {}
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    let rest = chunk.length
    if (this.#missing < 0) {
      const text = this.#head + chunk.toString('latin1', 0, 2_048)
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) {
        this.#head = text
        return
      }
      rest = this.#head.length + chunk.length - end - 4
      this.#head = ''
      this.#status = Number(text.slice(9, 12))
      this.#missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    }
    this.#missing -= rest
    if (this.#missing > 0) return
    this.#missing = -1
    this.#done(this.#status)
  }
}
