import { performance } from 'node:perf_hooks'
import type { Clock } from '../../clock.ts'
import type { Embedder } from '../../enrich/embed/embedder.ts'
import { SECOND } from '../../model/time.ts'
import { PeriodicJob } from '../../periodic-job.ts'
import type { VectorIndex } from '../../search/vector-index.ts'
import { type Lease, LeaseTaken } from '../../store/leases.ts'
import type { Store } from '../../store/store.ts'
import { MainThreadLoad } from '../main-thread-load.ts'
import { ClusterTask } from './cluster-task.ts'
import { VectorTask } from './vector-task.ts'

const LOOK_EVERY_MS = 500
const LEASE = 'indexing'
/** The lease is released this often, so that other work of this process and other instances get it. */
const STRETCH_MS = 2 * SECOND
/** Pause after a failure, for example of an unreachable model. */
const RETRY_AFTER_MS = 10 * SECOND
/** Background tasks that follow the feed: clusters, vectors and the vector index. Each continues where it stopped. */
export class Indexing {
  readonly #store: Store
  readonly #clusters: ClusterTask
  readonly #vectors: VectorTask | undefined
  readonly #index: VectorIndex | undefined
  #job: PeriodicJob | undefined
  readonly #stopping = new AbortController()
  readonly #load = new MainThreadLoad()

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

  /** Works in the background. `follow`: other instances do, and only the vector index of this one follows. */
  start(onError: (error: unknown) => void, role: 'index' | 'follow' = 'index'): void {
    let retryAt = 0
    const look = async () => {
      if (performance.now() < retryAt) return
      await (role === 'index' ? this.#look() : this.#follow())
    }
    this.#job = new PeriodicJob(LOOK_EVERY_MS, look, (error) => {
      retryAt = performance.now() + RETRY_AFTER_MS
      onError(error)
    })
    this.#job.start()
  }

  /** Returns the number of entries that are not clustered or embedded yet. */
  async left(): Promise<number> {
    return Math.max(await this.#clusters.left(), (await this.#vectors?.left()) ?? 0)
  }

  /** Embeds all entries that have no vector, including load-test entries. */
  restart(): Promise<void> {
    return this.#store.leases.run(LEASE, async (lease) => {
      await this.#clusters.saveProgress(lease)
      await this.#store.progress.forgetSeeded()
      await this.#vectors?.restart(lease)
    })
  }

  /** Works until nothing is left or `signal` aborts. */
  async catchUp(options: { signal?: AbortSignal; onLeft?(left: number): void } = {}): Promise<void> {
    const isStopped = () => options.signal?.aborted ?? false
    // The index grows in its thread while the model works in another.
    let following: Promise<void> | undefined
    while (!isStopped() && (await this.#stretch(() => !isStopped(), options.signal))) {
      options.onLeft?.(await this.left())
      await following
      // An index error must not stop the other tasks; the last call throws it.
      following = this.#index?.follow(isStopped).catch(() => {})
    }
    await following
    await this.#index?.follow(isStopped)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#job?.stop()
    await this.#clusters.close()
  }

  async #look(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted && (await this.left()) > 0) {
      const isLeft = await this.#stretch(() => !signal.aborted && !this.#load.isBusy(), signal)
      // An index error must not stop the other tasks; the last call throws it.
      await this.#index?.follow(() => signal.aborted).catch(() => {})
      // While requests keep the main thread busy, a run does one stretch of work instead of all of it.
      if (!isLeft || this.#load.isBusy()) return
    }
    await this.#follow()
  }

  async #follow(): Promise<void> {
    await this.#index?.follow(() => this.#stopping.signal.aborted)
  }

  /** Works for a while; returns false when there was nothing to do or `signal` ended the wait for another instance. */
  async #stretch(mayGoOn: () => boolean, signal: AbortSignal | undefined): Promise<boolean> {
    const work = async (lease: Lease) => {
      const end = performance.now() + STRETCH_MS
      let isLeft = true
      do isLeft = (await this.#clusters.step(lease)) || ((await this.#vectors?.step(lease)) ?? false)
      while (isLeft && performance.now() < end && mayGoOn())
      return isLeft
    }
    try {
      return await this.#store.leases.run(LEASE, work, { signal })
    } catch (error) {
      if (error instanceof LeaseTaken) return false
      throw error
    }
  }
}
