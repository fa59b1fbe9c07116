import type { Clock } from '../../clock.ts'
import { LONGEST_READ } from '../../enrich/text.ts'
// Not from enrich.ts: what reads texts is large and belongs into its thread.
import { ENRICHMENT_VERSION } from '../../enrich/version.ts'
import type { Store } from '../../store/store.ts'
import type { Indexing } from '../indexing/indexing.ts'
import type { Enrichment } from './enrichment.ts'
import { textOf } from './raw-entry.ts'

/** How far the reading of all entries has come. */
export interface ReindexState {
  isRunning: boolean
  done: number
  total: number
  /** Entries of which something else was found than before. */
  changed: number
  error: string | null
}

const TASK = 'reindex:'
/** Few enough that callers wait for one of them no longer than for each other. */
const CHUNK = 40

/**
 * Reads all entries again and corrects what was found in them, while the service goes on. What was cut off goes on where
 * it was.
 */
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

  /** Starts it unless it runs. */
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
    // What was begun with other rules or names is not gone on with.
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

  /** Named by the rules and the catalogue that texts are read with. */
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
      // What the source declared is not kept; where it was trusted it is the language that was found.
      sources.map(({ entry, content }) => textOf({ ...entry, content })),
    )
    const findings = new Map(
      sources.flatMap(({ seq }, place) => {
        const found = read[place]
        return found === undefined ? [] : [[seq, found] as const]
      }),
    )
    const changed = await this.#store.entries.revise(findings)
    if (changed.length > 0) await this.#store.clusters.refresh(changed, this.#clock.now())
    const reached = sources.length < CHUNK ? to : (sources.at(-1)?.seq ?? to)
    this.#state = { ...this.#state, changed: this.#state.changed + changed.length }
    return reached
  }
}
