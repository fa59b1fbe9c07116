import type { Clock } from '../../clock.ts'
import { LONGEST_READ } from '../../enrich/text.ts'
// Not from enrich.ts: the enricher is large and is loaded only in its thread.
import { ENRICHMENT_VERSION } from '../../enrich/version.ts'
import type { Store } from '../../store/store.ts'
import type { Indexing } from '../indexing/indexing.ts'
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
}

const TASK = 'reindex:'
/** Small enough not to delay requests noticeably. */
const CHUNK = 40

/** Enriches all entries again while the service runs. An interrupted run continues where it stopped. */
export class Reindex {
  readonly #store: Store
  readonly #enrichment: Enrichment
  readonly #indexing: Indexing
  readonly #clock: Clock
  #state: ReindexState = { isRunning: false, done: 0, total: 0, changed: 0, error: null }
  #running: Promise<void> | undefined
  readonly #stop = new AbortController()

  constructor(parts: { store: Store; enrichment: Enrichment; indexing: Indexing; clock: Clock }) {
    this.#store = parts.store
    this.#enrichment = parts.enrichment
    this.#indexing = parts.indexing
    this.#clock = parts.clock
  }

  get state(): ReindexState {
    return this.#state
  }

  /** Starts a run unless one is running. */
  start(): void {
    if (this.#running !== undefined) return
    this.#state = { isRunning: true, done: 0, total: 0, changed: 0, error: null }
    this.#running = this.run({ signal: this.#stop.signal })
      .catch((error: unknown) => {
        this.#state = { ...this.#state, error: error instanceof Error ? error.message : String(error) }
      })
      .finally(() => {
        this.#running = undefined
        this.#state = { ...this.#state, isRunning: false }
      })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async run(options: { signal?: AbortSignal; onState?(state: ReindexState): void } = {}): Promise<void> {
    const { seq: total } = await this.#store.entries.head()
    const task = await this.#task()
    let done = (await this.#store.progress.find(task))?.high ?? 0
    // Discards runs with other rules or catalogues.
    if (done === 0) await this.#store.progress.removeAll(TASK)
    this.#state = { isRunning: true, done, total, changed: 0, error: null }
    await this.#indexing.restart()
    while (done < total && !options.signal?.aborted) {
      done = await this.#step(done, total)
      await this.#store.progress.save(task, { low: 0, high: done })
      this.#state = { ...this.#state, done }
      options.onState?.(this.#state)
    }
    if (done >= total) await this.#store.progress.remove(task)
  }

  /** Returns the task's name, which contains the versions of rules and catalogue. */
  async #task(): Promise<string> {
    return `${TASK}${ENRICHMENT_VERSION}, ${await this.#enrichment.catalogueVersion()}`
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
