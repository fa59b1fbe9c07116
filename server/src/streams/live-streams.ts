import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../admission/caller.ts'
import type { StreamMeter } from '../admission/streams/stream-meter.ts'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock.ts'
import type { Frame, Streaming } from '../http/wire.ts'
import { HEARTBEAT_MS } from '../model/streams.ts'
import { HOUR, isoTime, SECOND } from '../model/time.ts'
import { frameOf } from './frames.ts'
import { LiveStream } from './live-stream.ts'
import type { StreamSource } from './stream-source.ts'

const TICK_MS = SECOND
/** Streams end after this time, ±10 %, so that clients spread over instances again. */
const ROTATION_MS = 12 * HOUR
/** How often to read the log if the bus reports nothing. */
const POLL_MS = 2 * SECOND
/** Streams to write to before other requests run. */
const PORTION = 500

interface Schedule {
  heartbeatAt: number
  rotateAt: number
}

/** Follows a log and sends new events to every open stream of one kind, server-sent events and WebSockets alike. */
export class LiveStreams<Event extends { id: number }, Filter extends object> {
  readonly source: StreamSource<Event, Filter>
  readonly #bus: Bus
  readonly #meter: Pick<StreamMeter, 'open' | 'creditsPerMinute'>
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  /** Streams that have caught up with the log. */
  readonly #live = new Map<LiveStream<Event, Filter>, Schedule>()
  readonly #open = new Set<LiveStream<Event, Filter>>()
  #head = 0
  #polledAt = 0
  #isStale = false
  #following: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: {
    source: StreamSource<Event, Filter>
    bus: Bus
    meter: Pick<StreamMeter, 'open' | 'creditsPerMinute'>
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.source = parts.source
    this.#bus = parts.bus
    this.#meter = parts.meter
    this.#clock = parts.clock
    this.#onError = parts.onError
  }

  async start(): Promise<void> {
    this.#head = await this.source.head()
    this.#bus.subscribe(this.source.topic, () => this.poll())
    this.#timer = setInterval(() => this.tick(), TICK_MS).unref()
  }

  /** Number of open streams on this instance. */
  get count(): number {
    return this.#open.size
  }

  /** Throws the refusals of the meter. */
  async open(caller: Caller, endpoint: string, filter: Filter, lastEventId?: number): Promise<Streaming> {
    const resume =
      lastEventId === undefined
        ? undefined
        : { lastEventId, oldest: await this.source.oldest(), lastLogged: await this.source.head() }
    const stream = new LiveStream<Event, Filter>(this, {
      caller,
      filter,
      resume,
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

  /** Reads new events from the log and sends them. */
  poll(): void {
    this.#isStale = true
    this.#polledAt = this.#clock.elapsed()
    this.#following ??= this.#follow()
      .catch(this.#onError)
      .finally(() => {
        this.#following = undefined
        // `poll` may have been called after the last read.
        if (this.#isStale && !this.#isClosed) this.poll()
      })
  }

  /** Sends heartbeats, rotates old streams and polls the log. */
  tick(): void {
    const elapsed = this.#clock.elapsed()
    const frames = new Map<number, Frame>()
    const frameAt = (id: number) => {
      const frame = frames.get(id) ?? frameOf(id, 'heartbeat', { at: isoTime(this.#clock.now()) })
      frames.set(id, frame)
      return frame
    }
    const due: LiveStream<Event, Filter>[] = []
    for (const [stream, schedule] of this.#live) {
      if (elapsed >= schedule.rotateAt) stream.end('rotation')
      if (elapsed < schedule.heartbeatAt) continue
      schedule.heartbeatAt = elapsed + HEARTBEAT_MS
      due.push(stream)
    }
    inPortions(due, (stream) => stream.heartbeat(frameAt)).catch(this.#onError)
    if (elapsed >= this.#polledAt + POLL_MS) this.poll()
  }

  /** Ends all streams. Resolves once their time is settled. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    // Send `closing` to all before waiting for settlements, which may take long if the store is slow.
    const endings: Promise<void>[] = []
    await inPortions([...this.#open], (stream) => endings.push(stream.end('shutdown')))
    await Promise.all(endings)
    await this.#following
  }

  get head(): number {
    return this.#head
  }

  join(stream: LiveStream<Event, Filter>): void {
    const elapsed = this.#clock.elapsed()
    this.#live.set(stream, {
      heartbeatAt: elapsed + HEARTBEAT_MS,
      rotateAt: elapsed + ROTATION_MS * (0.9 + Math.random() / 5),
    })
  }

  leave(stream: LiveStream<Event, Filter>): void {
    this.#open.delete(stream)
    this.#live.delete(stream)
  }

  report(error: unknown): void {
    this.#onError(error)
  }

  async #follow(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      const head = await this.source.head()
      while (this.#head < head) {
        if (this.#live.size === 0) {
          this.#head = head
          continue
        }
        const { events, reached } = await this.source.list(this.#head, head)
        for (const event of events) await this.#broadcast(event)
        this.#head = Math.max(this.#head, reached)
        for (const stream of this.#live.keys()) stream.passOver(reached)
      }
    }
  }

  async #broadcast(event: Event): Promise<void> {
    const frame = this.source.frameOf(event)
    // Streams that join from here on have sent this event while catching up.
    this.#head = event.id
    await inPortions([...this.#live.keys()], (stream) => stream.take(event, frame))
  }
}

/** Runs the first portion synchronously. */
async function inPortions<Stream>(streams: readonly Stream[], work: (stream: Stream) => void): Promise<void> {
  for (let start = 0; start < streams.length; start += PORTION) {
    if (start > 0) await setImmediate()
    for (const stream of streams.slice(start, start + PORTION)) work(stream)
  }
}
