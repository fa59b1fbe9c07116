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

/** Bytes that may wait for a client before it counts as too slow. Frames are shared between clients. */
const MAX_WAITING_BYTES = 1_048_576
/** How long a client may take to read one page of missed events. */
const DRAIN_MS = 30 * SECOND

/** Source of events for a stream. */
export interface SignalFeed {
  /** Last event that was sent to all live streams. */
  readonly head: number
  list(after: number, upTo: number): Promise<SignalEvent[]>
  countPassing(filter: SignalFilter, after: number, upTo: number): Promise<number>
  /** Adds the stream to those that receive new events. */
  join(stream: SignalStream): void
  leave(stream: SignalStream): void
  report(error: unknown): void
}

interface StreamRequest {
  caller: Caller
  filter: SignalFilter
  /** The last event that the client has received, and the last one of the log; undefined for a new stream. */
  resume: { lastEventId: number; lastLogged: number } | undefined
  creditsPerMinute: number
  serverTime: string
}

/** Stream of one client: missed events first, then new ones. */
export class SignalStream implements Streaming {
  readonly id = randomUUID()
  readonly #feed: SignalFeed
  readonly #filter: SignalFilter
  #request: StreamRequest | undefined
  #ticket: StreamTicket | undefined
  #wire: Wire | undefined
  /** Last event that was sent or that the filters dropped. */
  #cursor = 0
  #ending: ClosingReason | undefined
  #isOver = false

  constructor(feed: SignalFeed, request: StreamRequest) {
    this.#feed = feed
    this.#filter = request.filter
    this.#request = request
  }

  /** Hands over the ticket, which the stream closes when it ends. */
  hold(ticket: StreamTicket): void {
    this.#ticket = ticket
    if (this.#isOver) this.#release()
  }

  start(wire: Wire): void {
    this.#wire = wire
    const request = this.#request
    this.#request = undefined
    if (this.#ending !== undefined) this.#sendClosing(wire, this.#ending)
    else if (request !== undefined && !this.#isOver) this.#begin(request, wire).catch((error) => this.#fail(error))
  }

  disconnected(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#release()
  }

  /** Sends `closing` and ends. Resolves once the time of the stream is settled. */
  async end(reason: ClosingReason): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#ending = reason
    if (this.#wire !== undefined) this.#sendClosing(this.#wire, reason)
    await this.#release()
  }

  /** Sends the next event of the log if it passes the filters. */
  take(event: SignalFacts, frame: Frame): void {
    if (event.id <= this.#cursor) return
    this.#cursor = event.id
    if (passes(this.#filter, event)) this.#send(frame)
  }

  /** `frameAt` returns the heartbeat for an event id. */
  heartbeat(frameAt: (id: number) => Frame): void {
    this.#wire?.probe()
    this.#send(frameAt(this.#cursor))
  }

  async #begin({ caller, resume, creditsPerMinute, serverTime }: StreamRequest, wire: Wire): Promise<void> {
    const { head } = this.#feed
    this.#cursor = resume === undefined ? head : Math.min(resume.lastEventId, resume.lastLogged)
    const replayCount = resume && (await this.#feed.countPassing(this.#filter, this.#cursor, head))
    this.#send(
      frameOf(this.#cursor, 'ready', {
        connectionId: this.id,
        plan: caller.plan.slug,
        serverTime,
        resumedFrom: resume?.lastEventId ?? null,
        replayCount: replayCount ?? 0,
        creditsPerMinute,
      }),
    )
    // The store was restored from a backup that is older than the client's last event.
    if (resume !== undefined && resume.lastEventId > resume.lastLogged) {
      this.#send(frameOf(this.#cursor, 'gap', { fromId: resume.lastLogged + 1, toId: resume.lastEventId }))
    }
    await this.#catchUp(wire)
  }

  async #catchUp(wire: Wire): Promise<void> {
    while (!this.#isOver) {
      const upTo = this.#feed.head
      // No await between reading the head and joining, or an event sent in between would be missed.
      if (this.#cursor >= upTo) return this.#feed.join(this)
      const events = await this.#feed.list(this.#cursor, upTo)
      for (const event of events) {
        this.#sendGap(event.id - 1)
        this.take(event, signalFrame(event))
      }
      if (events.length === 0) this.#sendGap(upTo)
      if (!(await isDrained(wire))) await this.end('slow_consumer')
      await setImmediate()
    }
  }

  /** Reports events that left the log: old ones, and those of signals that were withdrawn. */
  #sendGap(toId: number): void {
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

  #sendClosing(wire: Wire, reason: ClosingReason): void {
    wire.send(closingFrame(this.#cursor, reason))
    wire.end()
  }

  #fail(error: unknown): void {
    this.#feed.report(error)
    // The client reconnects and resumes.
    this.end('rotation')
  }

  async #release(): Promise<void> {
    this.#feed.leave(this)
    await this.#ticket?.close().catch((error) => this.#feed.report(error))
  }
}

/** Waits until everything is sent; returns false if that takes too long. */
async function isDrained(wire: Wire): Promise<boolean> {
  if (wire.waitingBytes === 0) return true
  const late = new AbortController()
  await Promise.race([wire.drained(), delay(DRAIN_MS, undefined, { ref: false, signal: late.signal }).catch(() => {})])
  late.abort()
  return wire.waitingBytes === 0
}
