import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../admission/caller.ts'
import type { StreamMeter } from '../../admission/streams/stream-meter.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Clock } from '../../clock.ts'
import type { Frame, Streaming } from '../../http/wire.ts'
import { ApiError } from '../../model/errors.ts'
import type { SignalEvent } from '../../model/signals.ts'
import { HEARTBEAT_MS } from '../../model/streams.ts'
import { HOUR, isoTime, SECOND } from '../../model/time.ts'
import type { SignalLog } from '../../store/signals/signal-log.ts'
import { frameOf, signalFrame } from './frames.ts'
import { passes, type SignalFilter } from './signal-filter.ts'
import { type SignalFeed, SignalStream } from './signal-stream.ts'

const TICK_MS = SECOND
/** A stream is ended after this time, give or take, so that clients spread over instances again. */
const LONGEST_STREAM = 12 * HOUR
/** The log is looked at this often even if nobody says that something is new. */
const LOOK_EVERY = 2 * SECOND
/** Events that are read at once, and how many of them without the signal, to count them. */
const PAGE = 100
const FACTS_PAGE = 1_000
/** Streams that are written to before other requests get their turn. */
const PORTION = 500

/** What a caller asks of a stream. */
interface StreamOptions extends SignalFilter {
  lastEventId?: number
}

interface Member {
  nextBeat: number
  rotateAt: number
}

/** Follows the log of signals and gives what is new to every open stream: server-sent events and WebSockets alike. */
export class SignalStreams implements SignalFeed {
  readonly #log: SignalLog
  readonly #bus: Bus
  readonly #meter: Pick<StreamMeter, 'open' | 'creditsPerMinute'>
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  /** Those who wait for what comes. */
  readonly #live = new Map<SignalStream, Member>()
  readonly #open = new Set<SignalStream>()
  #head = 0
  #lookedAt = 0
  #isStale = false
  #following: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: {
    log: SignalLog
    bus: Bus
    meter: Pick<StreamMeter, 'open' | 'creditsPerMinute'>
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.#log = parts.log
    this.#bus = parts.bus
    this.#meter = parts.meter
    this.#clock = parts.clock
    this.#onError = parts.onError
  }

  async start(): Promise<void> {
    this.#head = await this.#log.head()
    this.#bus.subscribe('signals', () => this.look())
    this.#timer = setInterval(() => this.tick(), TICK_MS).unref()
  }

  /** Open at this instance. */
  get count(): number {
    return this.#open.size
  }

  /** Throws 400 for an event that never was, and what the meter refuses. */
  async open(caller: Caller, endpoint: string, options: StreamOptions): Promise<Streaming> {
    const { lastEventId: after, ...filter } = options
    if (after !== undefined && after > (await this.#log.head())) {
      throw ApiError.invalid([{ field: 'lastEventId', message: 'is not the id of an event of this service' }])
    }
    const stream = new SignalStream(this, {
      caller,
      filter,
      after,
      creditsPerMinute: this.#meter.creditsPerMinute(caller),
      serverTime: isoTime(this.#clock.now()),
    })
    this.#open.add(stream)
    try {
      stream.hold(await this.#meter.open(caller, { id: stream.id, endpoint, end: (reason) => stream.end(reason) }))
    } catch (error) {
      this.leave(stream)
      throw error
    }
    if (this.#isClosed) stream.end('shutdown')
    return stream
  }

  /** Something is new in the log. */
  look(): void {
    this.#isStale = true
    this.#lookedAt = this.#clock.elapsed()
    this.#following ??= this.#follow()
      .catch(this.#onError)
      .finally(() => {
        this.#following = undefined
        // Something may have come in between the last look and now.
        if (this.#isStale && !this.#isClosed) this.look()
      })
  }

  /** What time brings: heartbeats, rotation, a look at the log. */
  tick(): void {
    const elapsed = this.#clock.elapsed()
    const frames = new Map<number, Frame>()
    const frameAt = (id: number) => {
      const frame = frames.get(id) ?? frameOf(id, 'heartbeat', { at: isoTime(this.#clock.now()) })
      frames.set(id, frame)
      return frame
    }
    const due: SignalStream[] = []
    for (const [stream, member] of this.#live) {
      if (elapsed >= member.rotateAt) stream.end('rotation')
      if (elapsed < member.nextBeat) continue
      member.nextBeat = elapsed + HEARTBEAT_MS
      due.push(stream)
    }
    inPortions(due, (stream) => stream.beat(frameAt)).catch(this.#onError)
    if (elapsed >= this.#lookedAt + LOOK_EVERY) this.look()
  }

  /** Ends all streams; resolves when their time is settled. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    // All are told before the first is settled: that may take long when the store does not answer.
    const endings: Promise<void>[] = []
    await inPortions([...this.#open], (stream) => endings.push(stream.end('shutdown')))
    await Promise.all(endings)
    await this.#following
  }

  get head(): number {
    return this.#head
  }

  list(after: number, upTo: number): Promise<SignalEvent[]> {
    return this.#log.listAfter(after, upTo, PAGE)
  }

  async countPassing(filter: SignalFilter, after: number, upTo: number): Promise<number> {
    let count = 0
    for (let from = after; from < upTo; ) {
      const facts = await this.#log.listFactsAfter(from, upTo, FACTS_PAGE)
      count += facts.filter((event) => passes(filter, event)).length
      from = facts.at(-1)?.id ?? upTo
      if (from < upTo) await setImmediate()
    }
    return count
  }

  join(stream: SignalStream): void {
    const elapsed = this.#clock.elapsed()
    this.#live.set(stream, {
      nextBeat: elapsed + HEARTBEAT_MS,
      rotateAt: elapsed + LONGEST_STREAM * (0.9 + Math.random() / 5),
    })
  }

  leave(stream: SignalStream): void {
    this.#open.delete(stream)
    this.#live.delete(stream)
  }

  report(error: unknown): void {
    this.#onError(error)
  }

  async #follow(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      const head = await this.#log.head()
      while (this.#head < head) {
        const events = await this.#log.listAfter(this.#head, head, PAGE)
        for (const event of events) await this.#giveToAll(event)
        // Nothing is left of what came while the log could not be read for a day.
        if (events.length === 0) this.#head = head
      }
    }
  }

  async #giveToAll(event: SignalEvent): Promise<void> {
    const frame = signalFrame(event)
    // Who joins from here on has seen this event, or catches up with it.
    this.#head = event.id
    await inPortions([...this.#live.keys()], (stream) => stream.take(event, frame))
  }
}

/** The first portion is done at once. */
async function inPortions(streams: readonly SignalStream[], work: (stream: SignalStream) => void): Promise<void> {
  for (let start = 0; start < streams.length; start += PORTION) {
    if (start > 0) await setImmediate()
    for (const stream of streams.slice(start, start + PORTION)) work(stream)
  }
}
