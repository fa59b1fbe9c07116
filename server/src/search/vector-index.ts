import { join } from 'node:path'
import type { DoneRange } from '../store/progress.ts'
import type { Store } from '../store/store.ts'
import { Thread } from '../thread.ts'
import type { VectorAnswer, VectorRequest } from './vector-thread.ts'

/** The name of the task that embeds entries with this model. */
export const vectorTask = (model: string) => `vectors:${model}`

const CHUNK = 100
/** The index is saved after this many new vectors and at least a tenth of all: the file is large. */
const MIN_UNSAVED = 1_000

/**
 * Finds the nearest vectors. The index is kept in memory and in a file, and catches up from the store: it reads the
 * vectors it lacks, or all of them if there is no file.
 */
export class VectorIndex {
  readonly #store: Store
  readonly #model: string
  readonly #thread: Thread<VectorRequest, VectorAnswer>
  #done: DoneRange | undefined
  #size = 0
  #unsaved = 0
  #lastFollow: Promise<unknown> = Promise.resolve()

  constructor(store: Store, model: string, options: { folder: string; storeId: string }) {
    this.#store = store
    this.#model = model
    const file = join(options.folder, `${model.replace(/[^\w.-]+/g, '_')}.usearch`)
    this.#thread = new Thread(new URL('./vector-thread.ts', import.meta.url), {
      data: { file, model, storeId: options.storeId },
      onEnd: () => {
        this.#done = undefined
      },
    })
  }

  /** The part of the feed that the index covers. */
  get done(): DoneRange | undefined {
    return this.#done
  }

  async nearest(vector: Float32Array, count: number): Promise<{ seqs: number[]; similarities: number[] }> {
    return this.#thread.ask({ kind: 'nearest', vector, count })
  }

  /** Adds the vectors that the store has and the index lacks, newest first. `isStopped` ends it early. */
  follow(isStopped: () => boolean = () => false): Promise<void> {
    const following = this.#lastFollow.then(() => this.#follow(isStopped))
    this.#lastFollow = following.catch(() => {})
    return following
  }

  /** Forgets all vectors and reads them again, after many entries were removed. */
  rebuild(): Promise<void> {
    const rebuilt = this.#lastFollow.then(async () => {
      const target = await this.#store.progress.find(vectorTask(this.#model))
      if (target === undefined) return
      await this.#tell({ kind: 'reset', at: target.high })
      this.#unsaved += 1
    })
    this.#lastFollow = rebuilt.catch(() => {})
    return rebuilt.then(() => this.follow())
  }

  async #follow(isStopped: () => boolean): Promise<void> {
    const target = await this.#store.progress.find(vectorTask(this.#model))
    if (target === undefined) return
    if (this.#done === undefined) await this.#tell({ kind: 'open' })
    const { low, high } = this.#done ?? target
    // The index is ahead of the store: the store was restored from a backup.
    const isStale = high > target.high
    if (this.#size === 0 || isStale) await this.#tell({ kind: 'reset', at: target.high })
    // The task restarted over all entries: some in between may have new vectors.
    else if (low < target.low) await this.#tell({ kind: 'rewind', to: target.low })

    while (!isStopped()) {
      const done: DoneRange = this.#done ?? target
      const isForward: boolean = done.high < target.high
      if (!isForward && done.low <= target.low) break
      const range = isForward ? { from: done.high, to: target.high } : { from: target.low, to: done.low }
      const order = isForward ? 'asc' : 'desc'
      const vectors = await this.#store.vectors.list(this.#model, { ...range, limit: CHUNK, order })
      const edge = vectors.length < CHUNK ? undefined : vectors.at(-1)?.seq
      const next: DoneRange = isForward
        ? { low: done.low, high: edge ?? target.high }
        : { low: edge === undefined ? target.low : edge - 1, high: done.high }
      const dimensions = vectors[0]?.vector.length ?? 0
      const alike = vectors.filter(({ vector }) => vector.length === dimensions)
      const matrix = new Float32Array(alike.length * dimensions)
      for (const [place, { vector }] of alike.entries()) matrix.set(vector, place * dimensions)
      const request: VectorRequest = { kind: 'add', seqs: alike.map(({ seq }) => seq), vectors: matrix, done: next }
      await this.#tell(request, [matrix.buffer])
      this.#unsaved += vectors.length
      if (this.#unsaved >= Math.max(MIN_UNSAVED, (next.high - next.low) / 10)) await this.#save()
    }
  }

  async close(): Promise<void> {
    if (this.#unsaved > 0) await this.#save().catch(() => {})
    await this.#thread.close()
  }

  async #tell(request: VectorRequest, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const { done, size } = await this.#thread.ask(request, transfer)
    this.#done = done
    this.#size = size
  }

  async #save(): Promise<void> {
    this.#unsaved = 0
    await this.#thread.ask({ kind: 'save' })
  }
}
