import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const CALLERS = 32

/**
 * Clients that call over connections which they keep open, with a short pause after each answer. Declared with `await using`, they also
 * end when the test fails.
 */
export class KeepAliveLoad implements AsyncDisposable {
  /** Ids of the answered requests. */
  readonly answered: string[] = []
  readonly failures: string[] = []
  #isOver = false
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CALLERS })
  readonly #callers: Promise<void>[]

  /** With `endsIfRefused`, a caller ends when the port is closed: then its request was not sent. */
  constructor(url: string, key: string, { endsIfRefused }: { endsIfRefused: boolean }) {
    this.#callers = Array.from({ length: CALLERS }, async () => {
      while (!this.#isOver) {
        const failure = await this.#call(`${url}/api/v1/entries?limit=1`, key)
        await delay(this.answered.length % 5)
        if (failure === 'ECONNREFUSED' && endsIfRefused) return
        if (failure !== undefined) this.failures.push(failure)
      }
    })
  }

  /** Returns the status or error of a call that failed. */
  async #call(url: string, key: string): Promise<string | undefined> {
    try {
      const request = get(url, { agent: this.#agent, headers: { authorization: `Bearer ${key}` } })
      const [response]: [IncomingMessage] = (await once(request, 'response')) as [IncomingMessage]
      await response.resume().toArray()
      if (response.statusCode !== 200) return String(response.statusCode)
      this.answered.push(String(response.headers['x-request-id']))
      return undefined
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }

  /** Waits for this many further answers, or for a failure. */
  async hasAnswered(calls: number): Promise<void> {
    const wanted = this.answered.length + calls
    while (this.answered.length < wanted && this.failures.length === 0) await delay(1)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
    this.#agent.destroy()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }
}
