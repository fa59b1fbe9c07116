import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { LONGEST_READ } from '../../enrich/text.ts'
// Not from enrich.ts: the enricher is large and is loaded only in its thread.
import { ENRICHMENT_VERSION } from '../../enrich/version.ts'
import type { Lease } from '../../store/leases.ts'
import type { Store } from '../../store/store.ts'
import type { Indexing } from '../indexing/indexing.ts'
import { MainThreadLoad } from '../main-thread-load.ts'
import type { Enrichment } from './enrichment.ts'
import { textOf } from './raw-entry.ts'

/** Progress of a reindex. */
export interface ReindexState {
  isRunning: boolean
  done: number
  total: number
  /** Entries whose findings have changed. */
  changed: number
  error: string | null
  /** Whether the last run was paused. */
  isPaused: boolean
}

/** The state of the entries and of a reindex. */
export interface ReindexStatus extends ReindexState {
  /** The number of entries that were read by older rules. */
  older: number
  /** The number of entries. */
  entries: number
}

interface RunOptions {
  signal?: AbortSignal
  onState?(state: ReindexState): void
}

const LEASE = 'reindex'
const TASK = 'reindex:'
/** The range of entries that were read by older rules than those of this version; it shrinks as they are read again. */
const OLDER = `older:${ENRICHMENT_VERSION}`
const IDLE: ReindexState = { isRunning: false, done: 0, total: 0, changed: 0, error: null, isPaused: false }
/** Pause after a step during which requests kept the main thread busy. */
const YIELD_MS = 250
/** The number of older entries is counted at most this often. */
const COUNTED_FOR_MS = 10_000
/** Small enough not to delay requests noticeably. */
const CHUNK = 40

/**
 * Remembers that the entries of a store that this version has not opened before were read by older rules. Call it before
 * the first entry is added.
 */
export async function markOlderEntries(store: Store): Promise<void> {
  const { seq: high } = await store.entries.head()
  await store.progress.saveNew([{ task: OLDER, low: 0, high }])
}

/** Enriches all entries again while the service runs, and yields to requests. An interrupted run continues where it stopped. */
export class Reindex {
  readonly #store: Store
  readonly #enrichment: Enrichment
  readonly #indexing: Indexing
  readonly #clock: Clock
  #state = IDLE
  #running: Promise<void> | undefined
  #stop = new AbortController()
  readonly #load = new MainThreadLoad()
  #counted: { at: number; older: Promise<number> } | undefined

  constructor(parts: { store: Store; enrichment: Enrichment; indexing: Indexing; clock: Clock }) {
    this.#store = parts.store
    this.#enrichment = parts.enrichment
    this.#indexing = parts.indexing
    this.#clock = parts.clock
  }

  get state(): ReindexState {
    return this.#state
  }

  async status(): Promise<ReindexStatus> {
    const entries = await this.#store.entries.total()
    return { ...this.#state, older: await this.#countOlder(), entries }
  }

  /** Returns the number of entries that were read by older rules, as of the last seconds. */
  countOlder(): Promise<number> {
    const now = this.#clock.elapsed()
    if (this.#counted === undefined || now - this.#counted.at >= COUNTED_FOR_MS) {
      const older = this.#countOlder()
      // A failure is not kept.
      older.catch(() => {
        this.#counted = undefined
      })
      this.#counted = { at: now, older }
    }
    return this.#counted.older
  }

  /** Starts a run unless one is running. It continues a run that was paused or interrupted. */
  start(): void {
    if (this.#running !== undefined) return
    this.#stop = new AbortController()
    this.#state = { ...IDLE, isRunning: true }
    this.#running = this.run({ signal: this.#stop.signal })
      .catch((error: unknown) => {
        this.#state = { ...this.#state, error: error instanceof Error ? error.message : String(error) }
      })
      .finally(() => {
        this.#running = undefined
        this.#state = { ...this.#state, isRunning: false }
      })
  }

  /** Pauses the run, if there is one, after the current step. */
  async pause(): Promise<void> {
    const running = this.#running
    if (running === undefined) return
    await this.stop()
    this.#state = { ...this.#state, isPaused: this.#state.done < this.#state.total }
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Throws LeaseTaken while another instance reindexes. */
  run(options: RunOptions = {}): Promise<void> {
    return this.#store.leases.run(LEASE, (lease) => this.#runUnder(lease, options), { waitMs: 0 })
  }

  async #runUnder(lease: Lease, options: RunOptions): Promise<void> {
    const { seq: total } = await this.#store.entries.head()
    const task = await this.#task()
    let done = (await this.#store.progress.find(task))?.high ?? 0
    // Discards runs with other rules or catalogues.
    if (done === 0) await this.#store.progress.removeAll(TASK)
    this.#state = { ...IDLE, isRunning: true, done, total }
    await this.#indexing.restart()
    while (done < total && !options.signal?.aborted) {
      done = await this.#step(done, total)
      await this.#store.progress.save(task, { low: 0, high: done }, lease)
      await this.#shrinkOlder(done)
      this.#state = { ...this.#state, done }
      options.onState?.(this.#state)
      if (done < total && this.#load.isBusy())
        await setTimeout(YIELD_MS, undefined, { signal: options.signal }).catch(() => {})
    }
    if (done >= total) await this.#store.progress.remove(task)
  }

  /** Returns the task's name, which contains the versions of rules and catalogue. */
  async #task(): Promise<string> {
    return `${TASK}${ENRICHMENT_VERSION}, ${await this.#enrichment.catalogueVersion()}`
  }

  async #shrinkOlder(done: number): Promise<void> {
    const older = await this.#store.progress.find(OLDER)
    if (older === undefined || done <= older.low) return
    await this.#store.progress.save(OLDER, { ...older, low: Math.min(done, older.high) })
  }

  /** Counts all entries as older in a store that no service of this version has opened yet. */
  async #countOlder(): Promise<number> {
    const { low, high } = (await this.#store.progress.find(OLDER)) ?? {
      low: 0,
      high: (await this.#store.entries.head()).seq,
    }
    return low >= high ? 0 : this.#store.entries.countBetween(low, high)
  }

  async #step(from: number, to: number): Promise<number> {
    const sources = await this.#store.entries.listSources({
      from,
      to,
      limit: CHUNK,
      order: 'asc',
      contentLength: LONGEST_READ,
    })
    const read = await this.#enrichment.read(
      // The declared language is not stored; if it was trusted, it became the entry's language.
      sources.map(({ entry, content }) => textOf({ ...entry, content })),
    )
    const edits = sources.map(({ entry, lastChange }, place) => ({
      id: entry.id,
      ...read[place],
      // An entry that was revised meanwhile has been enriched, too.
      basedOn: lastChange,
    }))
    const changed = await this.#store.entries.update(edits, this.#clock.now())
    const reached = sources.length < CHUNK ? to : (sources.at(-1)?.seq ?? to)
    this.#state = { ...this.#state, changed: this.#state.changed + changed.length }
    return reached
  }
}
