import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { LONGEST_READ } from '../../enrich/text.ts'
// Not from enrich.ts: the enricher is large and is loaded only in its thread.
import { ENRICHMENT_VERSION } from '../../enrich/version.ts'
import { DatabaseUnavailable } from '../../model/errors.ts'
import { SECOND } from '../../model/time.ts'
import { PeriodicJob } from '../../periodic-job.ts'
import { type Lease, LeaseLost, LeaseTaken } from '../../store/leases.ts'
import type { Store } from '../../store/store.ts'
import type { Indexing } from '../indexing/indexing.ts'
import { MainThreadLoad } from '../main-thread-load.ts'
import type { Enrichment } from './enrichment.ts'
import { textOf } from './raw-entry.ts'

/** The state of the entries and of the last run, on whichever instance it is. */
export interface ReindexStatus {
  isRunning: boolean
  done: number
  total: number
  /** Entries whose findings have changed. */
  changed: number
  error: string | null
  /** Whether the last run was paused. */
  isPaused: boolean
  /** The number of entries that were read by older rules. */
  older: number
  /** The number of entries. */
  entries: number
}

interface RunOptions {
  signal?: AbortSignal
  onStep?(progress: { done: number; total: number }): void
}

const LEASE = 'reindex'
const TASK = 'reindex:'
/** The range of entries that were read by older rules than those of this version; it shrinks as they are read again. */
const OLDER = `older:${ENRICHMENT_VERSION}`
/** A run that was started on another instance, or whose instance has died, is found within this time. */
const LOOK_EVERY_MS = 5 * SECOND
/** A pause waits this long for the end of the current step. */
const PAUSE_WITHIN_MS = 10 * SECOND
/** Pause after a step during which requests kept the main thread busy. */
const YIELD_MS = 250
/** The number of older entries is counted at most this often. */
const COUNTED_FOR_MS = 10 * SECOND
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

/**
 * Enriches all entries again while the service runs, and yields to requests. One instance at a time is at it. A run that
 * was interrupted continues where it stopped, on any instance that works.
 */
export class Reindex {
  readonly #store: Store
  readonly #enrichment: Enrichment
  readonly #indexing: Indexing
  readonly #clock: Clock
  readonly #job: PeriodicJob
  readonly #stop = new AbortController()
  readonly #load = new MainThreadLoad()
  #works = false
  #counted: { at: number; older: Promise<number> } | undefined

  constructor(parts: {
    store: Store
    enrichment: Enrichment
    indexing: Indexing
    clock: Clock
    onError: (error: unknown) => void
  }) {
    this.#store = parts.store
    this.#enrichment = parts.enrichment
    this.#indexing = parts.indexing
    this.#clock = parts.clock
    this.#job = new PeriodicJob(LOOK_EVERY_MS, () => this.#continue(), parts.onError)
  }

  /** Lets this instance work on runs: on one that waits already, and on later ones. */
  work(): void {
    this.#works = true
    this.#job.start()
    this.#job.run()
  }

  /** Ends the part of this instance. The run stays wanted. */
  stop(): Promise<void> {
    this.#stop.abort()
    return this.#job.stop()
  }

  async status(): Promise<ReindexStatus> {
    const run = await this.#store.reindexRun.find()
    const [progress] = await this.#store.progress.list(TASK)
    const { isWanted = false, total = 0, changed = 0, error = null } = run ?? {}
    // The progress of a complete run is removed.
    const done = progress?.high ?? (isWanted ? 0 : total)
    return {
      isRunning: isWanted,
      done,
      total,
      changed,
      error,
      isPaused: !isWanted && error === null && done < total,
      older: await this.#countOlder(),
      entries: await this.#store.entries.total(),
    }
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

  /** Starts a run unless there is one. It continues a run that was paused or interrupted. */
  async start(): Promise<void> {
    await this.#want()
    if (this.#works) this.#job.run()
  }

  /** Pauses the run, if there is one, after the current step. */
  async pause(): Promise<void> {
    if (!(await this.#store.reindexRun.find())?.isWanted) return
    await this.#store.reindexRun.end()
    // The lease is free once the run has ended. A dead instance is not waited for.
    await unlessTaken(this.#store.leases.run(LEASE, async () => {}, { waitMs: PAUSE_WITHIN_MS }))
  }

  /** Runs until `signal` pauses the run. Throws LeaseTaken while another instance is at it. */
  async run(options: RunOptions = {}): Promise<void> {
    await this.#underLease(async (lease) => {
      await this.#want()
      await this.#work(lease, options)
    })
    if (options.signal?.aborted) await this.pause()
  }

  async #want(): Promise<void> {
    const { seq } = await this.#store.entries.head()
    await this.#store.reindexRun.start(seq)
  }

  async #continue(): Promise<void> {
    if (!(await this.#store.reindexRun.find())?.isWanted) return
    await unlessTaken(this.#underLease((lease) => this.#work(lease, { signal: this.#stop.signal })))
  }

  #underLease(work: (lease: Lease) => Promise<void>): Promise<void> {
    return this.#store.leases.run(LEASE, work, { waitMs: 0 })
  }

  async #work(lease: Lease, options: RunOptions): Promise<void> {
    try {
      await this.#steps(lease, options)
    } catch (error) {
      // Another instance continues it, or this one as soon as there is a database again.
      if (!(error instanceof LeaseLost || error instanceof DatabaseUnavailable))
        await this.#store.reindexRun.end(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  async #steps(lease: Lease, { signal, onStep }: RunOptions): Promise<void> {
    const { total = 0, changed: changedBefore = 0 } = (await this.#store.reindexRun.find()) ?? {}
    const task = await this.#task()
    let done = (await this.#store.progress.find(task))?.high ?? 0
    let changed = done === 0 ? 0 : changedBefore
    // Discards runs with other rules or catalogues.
    if (done === 0) await this.#store.progress.removeAll(TASK)
    const save = () => this.#store.reindexRun.save({ task, done, changed }, lease)
    let isWanted = await save()
    if (isWanted) await this.#indexing.restart()
    while (isWanted && done < total && !signal?.aborted) {
      const step = await this.#step(done, total)
      done = step.reached
      changed += step.changed
      // First: a run that has saved its last step does not come here again.
      await this.#shrinkOlder(done)
      isWanted = await save()
      onStep?.({ done, total })
      if (done < total && this.#load.isBusy()) await setTimeout(YIELD_MS, undefined, { signal }).catch(() => {})
    }
    if (done < total) return
    await this.#store.progress.remove(task)
    await this.#store.reindexRun.end()
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

  async #step(from: number, to: number): Promise<{ reached: number; changed: number }> {
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
    return { reached, changed: changed.length }
  }
}

function unlessTaken(work: Promise<void>): Promise<void> {
  return work.catch((error: unknown) => {
    if (!(error instanceof LeaseTaken || error instanceof LeaseLost)) throw error
  })
}
