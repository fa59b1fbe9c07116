import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Caller } from '../admission/caller.ts'
import type { StreamTicket } from '../admission/streams/stream-meter.ts'
import type { Frame, Streaming, Wire } from '../http/wire.ts'
import type { ClosingReason } from '../model/streams.ts'
import { SECOND } from '../model/time.ts'
import { closingFrame, frameOf } from './frames.ts'
import type { StreamSource } from './stream-source.ts'

/** Bytes that may wait for a client before it counts as too slow. Frames are shared between clients. */
const MAX_WAITING_BYTES = 1_048_576
/** How long a client may take to read one page of missed events. */
const DRAIN_MS = 30 * SECOND

/** The streams of one kind. */
interface StreamGroup<Event extends { id: number }, Filter> {
  readonly source: StreamSource<Event, Filter>
  /** Last event that was sent to all live streams. */
  readonly head: number
  /** Adds the stream to those that receive new events. */
  join(stream: LiveStream<Event, Filter>): void
  leave(stream: LiveStream<Event, Filter>): void
  report(error: unknown): void
}

interface StreamRequest<Filter> {
  caller: Caller
  filter: Filter
  /** The last event that the client has received, and the ends of the log; undefined for a new stream. */
  resume: { lastEventId: number; oldest: number; lastLogged: number } | undefined
  creditsPerMinute: number
  serverTime: string
}

/** Stream of one client: missed events first, then new ones. */
export class LiveStream<Event extends { id: number }, Filter> implements Streaming {
  readonly id = randomUUID()
  readonly #group: StreamGroup<Event, Filter>
  readonly #filter: Filter
  #request: StreamRequest<Filter> | undefined
  #ticket: StreamTicket | undefined
  #wire: Wire | undefined
  /** Last event that was sent or that the filters dropped. */
  #cursor = 0
  #ending: ClosingReason | undefined
  #isOver = false

  constructor(group: StreamGroup<Event, Filter>, request: StreamRequest<Filter>) {
    this.#group = group
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
  take(event: Event, frame: Frame): void {
    if (event.id <= this.#cursor) return
    this.#cursor = event.id
    if (this.#group.source.passes(this.#filter, event)) this.#send(frame)
  }

  /** Notes that there are no further events up to an id, so that a client resumes after it. */
  passOver(id: number): void {
    this.#cursor = Math.max(this.#cursor, id)
  }

  /** `frameAt` returns the heartbeat for an event id. */
  heartbeat(frameAt: (id: number) => Frame): void {
    this.#wire?.probe()
    this.#send(frameAt(this.#cursor))
  }

  async #begin({ caller, resume, creditsPerMinute, serverTime }: StreamRequest<Filter>, wire: Wire): Promise<void> {
    const { head, source } = this.#group
    this.#cursor = resume === undefined ? head : Math.min(resume.lastEventId, resume.lastLogged)
    const from = Math.max(this.#cursor, (resume?.oldest ?? 0) - 1)
    const replayCount = resume && (await source.countPassing(this.#filter, from, head, () => !this.#isOver))
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
    this.#sendGap(from)
    await this.#catchUp(wire)
  }

  async #catchUp(wire: Wire): Promise<void> {
    while (!this.#isOver) {
      const { head: upTo, source } = this.#group
      // No await between reading the head and joining, or an event sent in between would be missed.
      if (this.#cursor >= upTo) return this.#group.join(this)
      const { events, reached } = await source.list(this.#cursor, upTo)
      for (const event of events) {
        this.#skipTo(event.id - 1)
        this.take(event, source.frameOf(event))
        // The events of a page may be longer than what may wait.
        if (wire.waitingBytes > MAX_WAITING_BYTES / 2) await this.#drain(wire)
      }
      this.#skipTo(reached)
      await this.#drain(wire)
      await setImmediate()
    }
  }

  /** Waits until everything is sent, and ends the stream if that takes too long. */
  async #drain(wire: Wire): Promise<void> {
    if (!this.#isOver && !(await isDrained(wire))) await this.end('slow_consumer')
  }

  /** Moves on over ids that have no event. */
  #skipTo(id: number): void {
    if (this.#group.source.isDense) this.#sendGap(id)
    else this.passOver(id)
  }

  /** Reports events that left the log. */
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
    this.#group.report(error)
    // The client reconnects and resumes.
    this.end('rotation')
  }

  async #release(): Promise<void> {
    this.#group.leave(this)
    await this.#ticket?.close().catch((error) => this.#group.report(error))
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
