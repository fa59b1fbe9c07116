import type { Lease } from '../store/leases.ts'
import type { IndexedRange } from '../store/progress.ts'
import type { Store } from '../store/store.ts'
import { type VectorHolder, vectorTask } from './vector-index.ts'
import type { VectorAnswer, VectorRequest } from './vector-thread.ts'

/** Holds the vector index in PostgreSQL, for all instances: each of them searches it, one at a time writes to it. */
export class PgvectorHolder implements VectorHolder {
  readonly #store: Store
  readonly #model: string
  #done: IndexedRange = { low: 0, high: 0, changes: 0 }
  #isWorn = true
  /** The length of the vectors; null if there are none. */
  #length: number | null = null
  #lease: Lease | undefined

  private constructor(store: Store, model: string) {
    this.#store = store
    this.#model = model
  }

  /** Opens the index of a model, and removes those of models that entries are not embedded with any more. */
  static async open(store: Store, model: string): Promise<PgvectorHolder> {
    const used = (await store.progress.list(vectorTask(''))).map(({ task }) => task)
    for (const other of await store.pgvector.listModels()) {
      if (other !== model && !used.includes(vectorTask(other))) await store.pgvector.drop(other)
    }
    return new PgvectorHolder(store, model)
  }

  /** Does nothing while another instance writes. */
  async alone(work: () => Promise<void>): Promise<void> {
    const withLease = async (lease: Lease) => {
      this.#lease = lease
      await work()
    }
    try {
      await this.#store.leases.runIfFree(`pgvector:${this.#model}`, withLease)
    } finally {
      this.#lease = undefined
    }
  }

  async ask(request: VectorRequest): Promise<VectorAnswer> {
    if (request.kind === 'nearest') return this.#answer(await this.#nearest(request.vector, request.count))
    if (request.kind === 'open') await this.#open()
    // Each change is saved at once.
    else if (request.kind !== 'save') await this.#write(request)
    return this.#answer()
  }

  async close(): Promise<void> {}

  #answer(near: readonly { seq: number; similarity: number }[] = []): VectorAnswer {
    return {
      done: this.#done,
      isWorn: this.#isWorn,
      seqs: near.map(({ seq }) => seq),
      similarities: near.map(({ similarity }) => similarity),
    }
  }

  async #open(): Promise<void> {
    const found = await this.#store.pgvector.find(this.#model)
    this.#isWorn = found === undefined
    this.#length = found?.length ?? null
    if (found === undefined) return
    const { low, high, changes } = found
    this.#done = { low, high, changes }
    // A database that was restored where the extension was missing lacks the vectors that the index should have.
    if (found.length === null) {
      const range = { from: low, to: high, limit: 1, order: 'desc' } as const
      this.#isWorn = (await this.#store.vectors.list(this.#model, range)).length > 0
    }
  }

  async #nearest(vector: Float32Array, count: number): Promise<readonly { seq: number; similarity: number }[]> {
    return vector.length === this.#length ? this.#store.pgvector.nearest(this.#model, vector, count) : []
  }

  async #write(request: Exclude<VectorRequest, { kind: 'open' | 'nearest' | 'save' }>): Promise<void> {
    if (this.#lease === undefined) throw new Error('the vector index is written under its lease only')
    const { pgvector } = this.#store
    switch (request.kind) {
      case 'reset':
        await pgvector.reset(this.#model, request.to, this.#lease)
        return this.#open()
      case 'rewind':
        await pgvector.add(this.#model, [], { ...this.#done, low: request.to }, this.#lease)
        return this.#open()
      case 'remove':
        return pgvector.remove(this.#model, request.seqs, this.#lease)
      case 'add': {
        const { seqs, vectors, done } = request
        const length = vectors.length / seqs.length
        const rows = seqs.map((seq, place) => ({ seq, vector: vectors.subarray(place * length, (place + 1) * length) }))
        await pgvector.add(this.#model, rows, done, this.#lease)
        return this.#open()
      }
    }
  }
}
