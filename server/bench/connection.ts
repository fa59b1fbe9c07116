import { connect, type Socket } from 'node:net'

/** A connection over a raw socket that only finds the end of each response, so that the client itself costs little. */
export class Connection {
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

  /** Sends a request and returns the status of the response; 0 if the connection closes. */
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

/** Returns a GET request as bytes. */
export function requestOf(path: string, authorization: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`)
}
