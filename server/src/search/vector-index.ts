import { join } from 'node:path'
import type { IndexedRange } from '../store/progress.ts'
import type { Store } from '../store/store.ts'
import { Thread } from '../thread.ts'
import type { VectorAnswer, VectorRequest } from './vector-thread.ts'

/** The name of the task that embeds entries with this model. */
export const vectorTask = (model: string) => `vectors:${model}`

/** The name of the task that embeds revised entries with this model. Its progress is a position among the changes. */
export const changedVectorTask = (model: string) => `changed-vectors:${model}`

const CHUNK = 100
/** The index is saved after this many new vectors and at least a tenth of all: the file is large. */
const MIN_UNSAVED = 1_000

/** Where an index is held: in a thread of this process, or in the database. */
export interface VectorHolder {
  ask(request: VectorRequest, transfer?: readonly ArrayBuffer[]): Promise<VectorAnswer>
  /** Runs work that writes to the index, or does nothing if another instance does this work. */
  alone(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Returns a holder in a thread, which keeps a copy in a file. `onLost` is called when the thread ends. */
export function memoryHolder(options: { folder: string; storeId: string; model: string }) {
  return (onLost: () => void): VectorHolder => {
    const { folder, storeId, model } = options
    const file = join(folder, `${model.replace(/[^\w.-]+/g, '_')}.usearch`)
    const thread = new Thread<VectorRequest, VectorAnswer>(new URL('./vector-thread.ts', import.meta.url), {
      data: { file, model, storeId },
      onEnd: onLost,
    })
    return {
      ask: (request, transfer) => thread.ask(request, transfer),
      alone: (work) => work(),
      close: () => thread.close(),
    }
  }
}

/** Finds the nearest vectors. The index catches up from the store: it reads the vectors that its holder lacks. */
export class VectorIndex {
  readonly #store: Store
  readonly #model: string
  readonly #holder: VectorHolder
  #done: IndexedRange | undefined
  #isWorn = false
  #unsaved = 0
  #lastFollow: Promise<unknown> = Promise.resolve()

  constructor(store: Store, model: string, hold: (onLost: () => void) => VectorHolder) {
    this.#store = store
    this.#model = model
    this.#holder = hold(() => {
      this.#done = undefined
    })
  }

  /** What the index covers. */
  get done(): IndexedRange | undefined {
    return this.#done
  }

  async nearest(vector: Float32Array, count: number): Promise<{ seqs: number[]; similarities: number[] }> {
    return this.#holder.ask({ kind: 'nearest', vector, count })
  }

  /** Adds the vectors that the store has and the index lacks, newest first. `isStopped` ends it early. */
  follow(isStopped: () => boolean = () => false): Promise<void> {
    const following = this.#lastFollow.then(() => this.#follow(isStopped))
    this.#lastFollow = following.catch(() => {})
    return following
  }

  async #follow(isStopped: () => boolean): Promise<void> {
    const target = await this.#look()
    if (target !== undefined && this.#isBehind(target)) await this.#holder.alone(() => this.#catchUp(isStopped))
  }

  /** Returns the range that the index should cover. Opens the index first, which may otherwise seem ahead of the store. */
  async #look(): Promise<IndexedRange | undefined> {
    await this.#tell({ kind: 'open' })
    // Read before the range: vectors that were dropped since are among the changes that are still to follow.
    const changes = (await this.#store.progress.find(changedVectorTask(this.#model)))?.high ?? 0
    const range = await this.#store.progress.find(vectorTask(this.#model))
    return range && { ...range, changes }
  }

  #isBehind({ low, high, changes }: IndexedRange): boolean {
    const done = this.#done
    return this.#isWorn || done?.low !== low || done.high !== high || done.changes !== changes
  }

  async #catchUp(isStopped: () => boolean): Promise<void> {
    // Another instance may have worked until now.
    const target = await this.#look()
    if (target === undefined) return
    const done = this.#done ?? target
    // The index is ahead of the store: the store was restored from a backup.
    const isStale = done.high > target.high || done.changes > target.changes
    if (isStale || this.#isWorn) {
      await this.#tell({ kind: 'reset', to: { ...target, low: target.high } })
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
    await this.#holder.close()
  }

  async #tell(request: VectorRequest, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const { done, isWorn } = await this.#holder.ask(request, transfer)
    this.#done = done
    this.#isWorn = isWorn
  }

  async #save(): Promise<void> {
    this.#unsaved = 0
    await this.#holder.ask({ kind: 'save' })
  }
}
