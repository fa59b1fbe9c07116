import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { Thread } from '../thread.ts'
import type { IndexedRange, VectorAnswer, VectorRequest } from './vector-thread.ts'

/** The name of the task that embeds entries with this model. */
export const vectorTask = (model: string) => `vectors:${model}`

/** The name of the task that embeds revised entries with this model. Its progress is a position among the changes. */
export const changedVectorTask = (model: string) => `changed-vectors:${model}`

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
  #done: IndexedRange | undefined
  #size = 0
  #removed = 0
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

  /** What the index covers. */
  get done(): IndexedRange | undefined {
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

  async #follow(isStopped: () => boolean): Promise<void> {
    // Read first: vectors that were dropped since are among the changes that are still to follow.
    const changes = (await this.#store.progress.find(changedVectorTask(this.#model)))?.high ?? 0
    const range = await this.#store.progress.find(vectorTask(this.#model))
    if (range === undefined) return
    const target: IndexedRange = { ...range, changes }
    if (this.#done === undefined) await this.#tell({ kind: 'open' })
    const done = this.#done ?? target
    // The index is ahead of the store: the store was restored from a backup.
    const isStale = done.high > target.high || done.changes > target.changes
    const isWorn = this.#removed > this.#size
    if (this.#size === 0 || isStale || isWorn) {
      await this.#tell({ kind: 'reset', to: { low: target.high, high: target.high, changes } })
    }
    // The task restarted over all entries: some in between may have new vectors.
    else if (done.low < target.low) await this.#tell({ kind: 'rewind', to: target.low })

    while (!isStopped() && (await this.#step(this.#done ?? target, target))) {
      const { low, high } = this.#done ?? target
      if (this.#unsaved >= Math.max(MIN_UNSAVED, (high - low) / 10)) await this.#save()
    }
  }

  /** Adds or replaces the next vectors; returns false if there are none. */
  async #step(done: IndexedRange, target: IndexedRange): Promise<boolean> {
    if (done.changes < target.changes) {
      const listed = await this.#store.entries.listChanges(done.changes, CHUNK)
      // The vectors of later changes do not exist yet.
      const changes = listed.filter(({ position }) => position <= target.changes)
      const seqs = [...new Set(changes.map(({ entrySeq }) => entrySeq))]
      await this.#tell({ kind: 'remove', seqs })
      const vectors = await this.#store.vectors.listBySeq(this.#model, seqs)
      await this.#add(vectors, { ...done, changes: changes.at(-1)?.position ?? target.changes })
      return true
    }
    const isForward = done.high < target.high
    if (!isForward && done.low <= target.low) return false
    const range = isForward ? { from: done.high, to: target.high } : { from: target.low, to: done.low }
    const order = isForward ? 'asc' : 'desc'
    const vectors = await this.#store.vectors.list(this.#model, { ...range, limit: CHUNK, order })
    const edge = vectors.length < CHUNK ? undefined : vectors.at(-1)?.seq
    const next = isForward
      ? { ...done, high: edge ?? target.high }
      : { ...done, low: edge === undefined ? target.low : edge - 1 }
    await this.#add(vectors, next)
    return true
  }

  async #add(vectors: readonly { seq: number; vector: Float32Array }[], done: IndexedRange): Promise<void> {
    const dimensions = vectors[0]?.vector.length ?? 0
    const alike = vectors.filter(({ vector }) => vector.length === dimensions)
    const matrix = new Float32Array(alike.length * dimensions)
    for (const [place, { vector }] of alike.entries()) matrix.set(vector, place * dimensions)
    const request: VectorRequest = { kind: 'add', seqs: alike.map(({ seq }) => seq), vectors: matrix, done }
    await this.#tell(request, [matrix.buffer])
    this.#unsaved += Math.max(1, vectors.length)
  }

  async close(): Promise<void> {
    if (this.#unsaved > 0) await this.#save().catch(() => {})
    await this.#thread.close()
  }

  async #tell(request: VectorRequest, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const { done, size, removed } = await this.#thread.ask(request, transfer)
    this.#done = done
    this.#size = size
    this.#removed = removed
  }

  async #save(): Promise<void> {
    this.#unsaved = 0
    await this.#thread.ask({ kind: 'save' })
  }
}
