import { Deadline, sleep } from './deadline.ts'
import { ConnectionError, StreamGapError } from './errors.ts'
import { EventParser } from './sse.ts'
import { type Params, type RequestOptions, retryDelayMs, type Transport } from './transport.ts'

/** An event of a stream. */
export interface StreamEvent {
  /** Id of the event; ids never decrease. */
  id: number
  /** Name of the event. */
  event: string
  /** Its data. */
  data: unknown
}

/** What a stream does: it connects, has a connection, waits to connect again, or has ended. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'ended'

/** The events by which the service manages a stream; a stream handles them itself. */
type Control =
  | { event: 'ready'; id: number; data: { resumedFrom: number | null } }
  | { event: 'heartbeat'; id: number; data: object }
  | { event: 'gap'; id: number; data: { fromId: number; toId: number } }
  | { event: 'closing'; id: number; data: { reconnectAfterMs: number | null } }

/** The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000
/** About four minutes of attempts. */
const MAX_FAILURES = 10
const LONGEST_DELAY_MS = 30_000

/**
 * A stream of events. It reconnects and resumes after the last event when the connection breaks or the service ends it,
 * and throws if events are lost, the service refuses, or it stays away.
 */
export class EventStream<Event extends StreamEvent> implements AsyncIterable<Event> {
  /** Id of the last event. To resume in another process, pass it as the parameter `lastEventId`. */
  lastEventId: number | undefined
  /** Called when the stream connects, has connected, waits to connect again or ends. */
  onState: ((state: StreamState) => void) | undefined
  readonly #transport: Transport
  readonly #path: string
  readonly #params: Params
  readonly #options: RequestOptions

  /** Creates a stream, which connects when it is iterated. */
  constructor(
    transport: Transport,
    path: string,
    params: Params & { lastEventId?: number | undefined } = {},
    options: RequestOptions = {},
  ) {
    const { lastEventId, ...filters } = params
    this.lastEventId = lastEventId
    this.#transport = transport
    this.#path = path
    this.#params = filters
    this.#options = options
  }

  /** Iterates over the events. Iterating again continues after the last event. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { signal, maxRetries = MAX_FAILURES } = this.#options
    let failures = 0
    try {
      while (true) {
        let delayMs: number | undefined
        this.onState?.('connecting')
        try {
          for await (const event of this.#connection()) {
            // A connection that ends right after its first event has failed too.
            if (event.event === 'ready') this.onState?.('open')
            else failures = 0
            // Without a time, the service will say why it refuses the key.
            if (event.event === 'closing')
              delayMs = (event as Control & { event: 'closing' }).data.reconnectAfterMs ?? 0
            else if (!isControl(event)) yield event as Event
          }
          if (delayMs === undefined) throw new ConnectionError('The connection of the stream ended')
        } catch (error) {
          delayMs = retryDelayMs(error, failures, LONGEST_DELAY_MS)
          if (delayMs === undefined || failures >= maxRetries) throw error
        }
        failures += 1
        this.onState?.('waiting')
        await sleep(delayMs, signal)
      }
    } finally {
      this.onState?.('ended')
    }
  }

  /** Iterates over the events of one connection. */
  async *#connection(): AsyncGenerator<StreamEvent> {
    const deadline = new Deadline(this.#options.signal)
    const resumedFrom = this.lastEventId
    try {
      deadline.start(this.#transport.timeoutOf(this.#options))
      const body = await this.#transport.open(this.#path, this.#params, resumedFrom, deadline)
      const reader = body.getReader()
      const parser = new EventParser()
      while (true) {
        deadline.start(SILENCE_MS)
        const { done, value } = await reader.read().catch((cause) => {
          if (deadline.signal.aborted) throw deadline.signal.reason
          throw new ConnectionError('The connection of the stream broke', { cause })
        })
        // The caller may take any time for an event.
        deadline.pause()
        if (done) return
        for (const { id, event, data } of parser.push(value)) {
          const parsed = { id: Number(id), event, data: JSON.parse(data) }
          this.#check(parsed as Control, resumedFrom)
          this.lastEventId = parsed.id
          yield parsed
        }
      }
    } finally {
      deadline.end()
    }
  }

  /** Throws if events are lost. */
  #check(control: Control, resumedFrom: number | undefined): void {
    if (control.event === 'gap') {
      this.lastEventId = control.id
      throw new StreamGapError(control.data.fromId, control.data.toId)
    }
    // A proxy that drops the header Last-Event-ID.
    if (control.event === 'ready' && resumedFrom !== undefined && control.data.resumedFrom !== resumedFrom) {
      this.lastEventId = control.id
      throw new StreamGapError(resumedFrom + 1, control.id)
    }
  }
}

function isControl({ event }: { event: string }): boolean {
  return event === 'ready' || event === 'heartbeat' || event === 'closing'
}
