import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Step } from './crashing.ts'

/** A proxy to the payment processor that can fail before a request arrives or before its response returns. */
export class Wire {
  step: Step = () => {}
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(port: () => number): Promise<Wire> {
    const server = createServer(async (incoming, outgoing) => {
      const body = Buffer.concat(await Array.fromAsync(incoming))
      try {
        wire.step()
        const { method = 'GET', url = '/', headers } = incoming
        const onward = request({ host: '127.0.0.1', port: port(), method, path: url, headers })
        onward.end(body)
        const [answer] = await once(onward, 'response')
        const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>))
        wire.step()
        const { 'transfer-encoding': _, connection, ...kept } = answer.headers
        outgoing.writeHead(answer.statusCode, { ...kept, 'content-length': text.length })
        outgoing.end(text)
      } catch {
        // Otherwise the SDK would wait and retry.
        outgoing.writeHead(503, { 'stripe-should-retry': 'false', 'content-type': 'application/json' })
        outgoing.end('{"error":{"type":"api_error","message":"the connection broke"}}')
      }
    })
    const wire = new Wire(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return wire
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}
