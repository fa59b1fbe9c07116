import { performance } from 'node:perf_hooks'
import type { Clock } from '../../clock.ts'
import type { Embedder } from '../../enrich/embed/embedder.ts'
import { every } from '../../every.ts'
import { SECOND } from '../../model/time.ts'
import type { VectorIndex } from '../../search/vector-index.ts'
import type { Store } from '../../store/store.ts'
import { ClusterTask } from './cluster-task.ts'
import { VectorTask } from './vector-task.ts'

const LOOK_EVERY_MS = 500
/** Only one instance works at a time; this is how often the others get a turn and a stop is noticed. */
const TURN_MS = 2 * SECOND
/** Pause after a failure, for example of an unreachable model. */
const RETRY_AFTER_MS = 10 * SECOND
/** Above this load of the main thread, requests come first: each look does one turn instead of all the work. */
const BUSY = 0.5

/** Background tasks that follow the feed: clusters, vectors and the vector index. Each continues where it stopped. */
export class Indexing {
  readonly #store: Store
  readonly #clusters: ClusterTask
  readonly #vectors: VectorTask | undefined
  readonly #index: VectorIndex | undefined
  #timer: { stop(): Promise<void> } | undefined
  #isStopped = false
  #lastTurn: Promise<unknown> = Promise.resolve()
  #load = performance.eventLoopUtilization()

  constructor(parts: {
    store: Store
    embedder: Embedder | undefined
    index: VectorIndex | undefined
    clock: Clock
  }) {
    const { store, embedder, index, clock } = parts
    this.#store = store
    this.#vectors = embedder && new VectorTask(store, embedder)
    this.#clusters = new ClusterTask({ store, vectors: this.#vectors, clock })
    this.#index = index
  }

  /** Call before the first entry is added. */
  async begin(): Promise<void> {
    await this.#vectors?.begin()
  }

  /** Works in the background. */
  start(onError: (error: unknown) => void): void {
    let retryAt = 0
    const look = async () => {
      if (performance.now() >= retryAt) await this.#look()
    }
    this.#timer = every(LOOK_EVERY_MS, look, (error) => {
      retryAt = performance.now() + RETRY_AFTER_MS
      onError(error)
    })
  }

  /** Returns the number of entries that are not clustered or embedded yet. */
  async left(): Promise<number> {
    return Math.max(await this.#clusters.left(), (await this.#vectors?.left()) ?? 0)
  }

  /** Embeds all entries that have no vector, including load-test entries. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#clusters.saveProgress()
      await this.#store.progress.forgetSeeded()
      await this.#vectors?.restart()
    })
  }

  /** Works until nothing is left or `signal` aborts. */
  async catchUp(options: { signal?: AbortSignal; onLeft?(left: number): void } = {}): Promise<void> {
    const isStopped = () => options.signal?.aborted ?? false
    // The index grows in its thread while the model works in another.
    let following: Promise<void> | undefined
    while (!isStopped() && (await this.#turn(() => !isStopped()))) {
      options.onLeft?.(await this.left())
      await following
      // An index error must not stop the other tasks; the last call throws it.
      following = this.#index?.follow(isStopped).catch(() => {})
    }
    await following
    await this.#index?.follow(isStopped)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#timer?.stop()
    await this.#clusters.close()
  }

  async #look(): Promise<void> {
    while (!this.#isStopped && (await this.left()) > 0) {
      const isLeft = await this.#turn(() => !this.#isStopped && !this.#isBusy())
      // An index error must not stop the other tasks; the last call throws it.
      await this.#index?.follow(() => this.#isStopped).catch(() => {})
      if (!isLeft || this.#isBusy()) return
    }
    await this.#index?.follow(() => this.#isStopped)
  }

  /** Works for one turn, never at the same time as another instance; returns false if there was no work. */
  #turn(mayGoOn: () => boolean): Promise<boolean> {
    return this.#inTurn(async () => {
      const end = performance.now() + TURN_MS
      let isLeft = true
      do isLeft = (await this.#clusters.step()) || ((await this.#vectors?.step()) ?? false)
      while (isLeft && performance.now() < end && mayGoOn())
      return isLeft
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(() => this.#store.alone('indexing', work))
    this.#lastTurn = turn.catch(() => {})
    return turn
  }

  #isBusy(): boolean {
    const { utilization } = performance.eventLoopUtilization(this.#load)
    this.#load = performance.eventLoopUtilization()
    return utilization > BUSY
  }
}
