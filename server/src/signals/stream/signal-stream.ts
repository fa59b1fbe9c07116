import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Caller } from '../../admission/caller.ts'
import type { StreamTicket } from '../../admission/streams/stream-meter.ts'
import type { Frame, Streaming, Wire } from '../../http/wire.ts'
import type { SignalEvent } from '../../model/signals.ts'
import type { ClosingReason } from '../../model/streams.ts'
import { SECOND } from '../../model/time.ts'
import type { SignalFacts } from '../../store/signals/signal-log.ts'
import { closingFrame, frameOf, signalFrame } from './frames.ts'
import { passes, type SignalFilter } from './signal-filter.ts'

/** What a client may leave lying before it counts as too slow. What lies there is shared with the other clients. */
const MAX_WAITING_BYTES = 1_048_576
/** How long a client may take to read a page of what it missed. */
const DRAIN_MS = 30 * SECOND

/** What a stream needs of those who feed it. */
export interface SignalFeed {
  /** The last event that was given to all who are live. */
  readonly head: number
  list(after: number, upTo: number): Promise<SignalEvent[]>
  countPassing(filter: SignalFilter, after: number, upTo: number): Promise<number>
  /** From now on events are given to it as they come. */
  join(stream: SignalStream): void
  leave(stream: SignalStream): void
  report(error: unknown): void
}

interface StreamRequest {
  caller: Caller
  filter: SignalFilter
  /** The last event that the client knows of. */
  after: number | undefined
  creditsPerMinute: number
  serverTime: string
}

/** One client that reads signals: what it missed first, then what comes. */
export class SignalStream implements Streaming {
  readonly id = randomUUID()
  readonly #feed: SignalFeed
  readonly #filter: SignalFilter
  #request: StreamRequest | undefined
  #ticket: StreamTicket | undefined
  #wire: Wire | undefined
  /** Every event up to this one was sent, or kept back by the filters. */
  #cursor = 0
  #ending: ClosingReason | undefined
  #isOver = false

  constructor(feed: SignalFeed, request: StreamRequest) {
    this.#feed = feed
    this.#filter = request.filter
    this.#request = request
  }

  /** With what it holds: from here on it has to be ended. */
  hold(ticket: StreamTicket): void {
    this.#ticket = ticket
    if (this.#isOver) this.#release()
  }

  start(wire: Wire): void {
    this.#wire = wire
    const request = this.#request
    this.#request = undefined
    if (this.#ending !== undefined) this.#sayGoodbye(wire, this.#ending)
    else if (request !== undefined && !this.#isOver) this.#begin(request, wire).catch((error) => this.#fail(error))
  }

  left(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#release()
  }

  /** Tells the client why, and ends. Resolves when its time is settled. */
  async end(reason: ClosingReason): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#ending = reason
    if (this.#wire !== undefined) this.#sayGoodbye(this.#wire, reason)
    await this.#release()
  }

  /** The next event of the log. */
  take(event: SignalFacts, frame: Frame): void {
    if (event.id <= this.#cursor) return
    this.#cursor = event.id
    if (passes(this.#filter, event)) this.#send(frame)
  }

  /** `frameAt` gives the frame for a place in the log. */
  beat(frameAt: (id: number) => Frame): void {
    this.#wire?.probe()
    this.#send(frameAt(this.#cursor))
  }

  async #begin({ caller, after, creditsPerMinute, serverTime }: StreamRequest, wire: Wire): Promise<void> {
    const { head } = this.#feed
    this.#cursor = after ?? head
    const replayCount = after === undefined ? 0 : await this.#feed.countPassing(this.#filter, after, head)
    this.#send(
      frameOf(this.#cursor, 'ready', {
        connectionId: this.id,
        plan: caller.plan.slug,
        serverTime,
        resumedFrom: after ?? null,
        replayCount,
        creditsPerMinute,
      }),
    )
    await this.#catchUp(wire)
  }

  async #catchUp(wire: Wire): Promise<void> {
    while (!this.#isOver) {
      const upTo = this.#feed.head
      // At once: an event that is given to all between the look at the head and this would be missed.
      if (this.#cursor >= upTo) return this.#feed.join(this)
      const events = await this.#feed.list(this.#cursor, upTo)
      for (const event of events) {
        this.#tellGap(event.id - 1)
        this.take(event, signalFrame(event))
      }
      if (events.length === 0) this.#tellGap(upTo)
      if (!(await isDrained(wire))) await this.end('slow_consumer')
      // Others get their turn.
      await setImmediate()
    }
  }

  /** The log has no holes but where it was cut off. */
  #tellGap(toId: number): void {
    if (toId <= this.#cursor) return
    const fromId = this.#cursor + 1
    this.#cursor = toId
    this.#send(frameOf(toId, 'gap', { fromId, toId }))
  }

  #send(frame: Frame): void {
    const wire = this.#wire
    if (wire === undefined || this.#isOver) return
    wire.send(frame)
    if (wire.waitingBytes > MAX_WAITING_BYTES) this.end('slow_consumer')
  }

  #sayGoodbye(wire: Wire, reason: ClosingReason): void {
    wire.send(closingFrame(this.#cursor, reason))
    wire.end()
  }

  #fail(error: unknown): void {
    this.#feed.report(error)
    // The client comes back and goes on where it was.
    this.end('rotation')
  }

  async #release(): Promise<void> {
    this.#feed.leave(this)
    await this.#ticket?.close().catch((error) => this.#feed.report(error))
  }
}

/** Waits until the client has taken what was sent; false when it takes too long. */
async function isDrained(wire: Wire): Promise<boolean> {
  if (wire.waitingBytes === 0) return true
  const late = new AbortController()
  await Promise.race([wire.drained(), delay(DRAIN_MS, undefined, { ref: false, signal: late.signal }).catch(() => {})])
  late.abort()
  return wire.waitingBytes === 0
}
