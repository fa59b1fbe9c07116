/** A server-sent event. */
export interface ServerSentEvent {
  id: string | undefined
  event: string
  data: string
}

/** Parses server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) from any chunks of bytes. */
export class EventParser {
  readonly #decoder = new TextDecoder()
  #text = ''
  #id: string | undefined
  #event = ''
  #data: string[] = []

  /** Returns the events that the bytes complete. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    // A carriage return at the end may be the first half of a line break.
    const lines = this.#text.split(/\r\n|\n|\r(?!$)/)
    this.#text = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line) ?? [])
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#dispatch()
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    return undefined
  }

  #dispatch(): ServerSentEvent | undefined {
    const event = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') }
    const isEmpty = this.#data.length === 0
    this.#event = ''
    this.#data = []
    return isEmpty ? undefined : event
  }
}
