import { performance } from 'node:perf_hooks'
import type { Clock } from '../../clock.ts'
import type { Embedder } from '../../enrich/embed/embedder.ts'
import { SECOND } from '../../model/time.ts'
import { PeriodicJob } from '../../periodic-job.ts'
import type { VectorIndex } from '../../search/vector-index.ts'
import type { Store } from '../../store/store.ts'
import { ClusterTask } from './cluster-task.ts'
import { VectorTask } from './vector-task.ts'

const LOOK_EVERY_MS = 500
/** Of several instances one works at a time; the others get their turn, and their chance to stop, this often. */
const TURN_MS = 2 * SECOND
/** After a failure, of a model that cannot be reached perhaps. */
const REST_MS = 10 * SECOND
/** Above this share of the main thread, callers come first: a little is done at each look, not all. */
const BUSY = 0.5

/** What follows the feed of entries: stories, vectors and their index. Each goes on where it was, whoever did it. */
export class Indexing {
  readonly #store: Store
  readonly #stories: ClusterTask
  readonly #vectors: VectorTask | undefined
  readonly #index: VectorIndex | undefined
  #job: PeriodicJob | undefined
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
    this.#stories = new ClusterTask({ store, vectors: this.#vectors, clock })
    this.#index = index
  }

  /** Before entries are taken in. */
  async begin(): Promise<void> {
    await this.#vectors?.begin()
  }

  /** Works in the background. */
  start(onError: (error: unknown) => void): void {
    let restUntil = 0
    const look = async () => {
      if (performance.now() >= restUntil) await this.#look()
    }
    this.#job = new PeriodicJob(LOOK_EVERY_MS, look, (error) => {
      restUntil = performance.now() + REST_MS
      onError(error)
    })
    this.#job.start()
  }

  /** Entries that no story was found for yet, or that have no vector. */
  async left(): Promise<number> {
    return Math.max(await this.#stories.left(), (await this.#vectors?.left()) ?? 0)
  }

  /** Looks at all entries again, those for load tests included, for those that have no vector. */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stories.settle()
      await this.#store.progress.forgetSeeded()
      await this.#vectors?.restart()
    })
  }

  /** Works until nothing is left or it is told to stop. */
  async catchUp(options: { signal?: AbortSignal; onLeft?(left: number): void } = {}): Promise<void> {
    const isStopped = () => options.signal?.aborted ?? false
    // The index grows in its own thread while the model works on in another.
    let following: Promise<void> | undefined
    while (!isStopped() && (await this.#turn(() => !isStopped()))) {
      options.onLeft?.(await this.left())
      await following
      // What goes wrong with the index holds up nothing else: it is told at the end.
      following = this.#index?.follow(isStopped).catch(() => {})
    }
    await following
    await this.#index?.follow(isStopped)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#job?.stop()
    await this.#stories.close()
  }

  async #look(): Promise<void> {
    while (!this.#isStopped && (await this.left()) > 0) {
      const isLeft = await this.#turn(() => !this.#isStopped && !this.#isBusy())
      // What goes wrong with the index holds up nothing else: it is told at the end.
      await this.#index?.follow(() => this.#isStopped).catch(() => {})
      if (!isLeft || this.#isBusy()) return
    }
    await this.#index?.follow(() => this.#isStopped)
  }

  /** Does some work, one turn after the other and alone among the instances; false when there was none. */
  #turn(mayGoOn: () => boolean): Promise<boolean> {
    return this.#inTurn(async () => {
      const end = performance.now() + TURN_MS
      let isLeft = true
      do isLeft = (await this.#stories.step()) || ((await this.#vectors?.step()) ?? false)
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
