/** Reads server-sent events with fetch, since EventSource cannot send an authorization header. */

export interface Message {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  data: any
}

export class EventReader {
  readonly response: Response
  /** Reconnection delay requested by the server. */
  retryMs: number | undefined
  readonly #messages: AsyncIterator<Message>
  readonly #abort: AbortController

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.#messages = this.#read()
  }

  /** Opens a stream. Throws the response if it is not a stream. */
  static async open(url: string, key: string, lastEventId?: string | number): Promise<EventReader> {
    const abort = new AbortController()
    const response = await fetch(url, {
      signal: abort.signal,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      },
    })
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    return new EventReader(response, abort)
  }

  /** Returns the next message, or undefined at the end of the stream. */
  async next(): Promise<Message | undefined> {
    const { value, done } = await this.#messages.next()
    return done ? undefined : value
  }

  /** Returns the next message of a kind, skipping all others. */
  async nextOf(event: string): Promise<Message> {
    for (;;) {
      const message = await this.next()
      if (message === undefined) throw new Error(`the stream ended before ${event}`)
      if (message.event === event) return message
    }
  }

  close(): void {
    this.#abort.abort()
  }

  async *#read(): AsyncGenerator<Message> {
    const { body } = this.response
    if (body === null) return
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield* this.#parse(block)
    }
  }

  *#parse(block: string): Generator<Message> {
    const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
    const retry = fields.get('retry')
    if (retry !== undefined) this.retryMs = Number(retry)
    const data = fields.get('data')
    if (data === undefined) return
    yield { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) }
  }
}
