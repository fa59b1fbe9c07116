import { embeddedText } from '../../enrich/embed/embedded-text.ts'
import type { Embedder } from '../../enrich/embed/embedder.ts'
import { changedVectorTask, vectorTask } from '../../search/vector-index.ts'
import type { EntrySource } from '../../store/entries/entry-candidates.ts'
import type { Lease } from '../../store/leases.ts'
import type { DoneRange } from '../../store/progress.ts'
import type { Store } from '../../store/store.ts'

/** Six batches of the model, which its threads share. */
const CHUNK = 96
const LEADS = { limit: CHUNK, contentLength: 200 } as const

/** Embeds entries: new and revised ones as they arrive, older ones from the newest back. */
export class VectorTask {
  readonly #store: Store
  readonly #embedder: Embedder
  #dimensions: number | undefined

  constructor(store: Store, embedder: Embedder) {
    this.#store = store
    this.#embedder = embedder
  }

  get isMultilingual(): boolean {
    return this.#embedder.languages === undefined
  }

  /** Returns the number of entries and changes that are not processed yet. */
  async left(): Promise<number> {
    const { low, high } = await this.#done()
    const changes = await this.#store.entries.countChanges(await this.#doneChanges())
    return (await this.#store.entries.head()).seq - high + low + changes
  }

  /** Saves the head of the feed, so that entries added from now on count as new. */
  async begin(): Promise<void> {
    const task = vectorTask(this.#embedder.model)
    if ((await this.#store.progress.find(task)) !== undefined) return
    const done = await this.#done()
    // An entry has one vector: this model's vectors replace those of others, so their progress becomes invalid.
    await this.#store.progress.removeAll(vectorTask(''))
    await this.#save(done)
  }

  /** Marks the entries with from < seq <= to as embedded. */
  async markDone(from: number, to: number, lease: Lease): Promise<void> {
    const { low, high } = await this.#done()
    if (from <= high && to > high) await this.#save({ low, high: to }, lease)
  }

  /** Starts over with all entries, to embed those that were skipped. */
  async restart(lease: Lease): Promise<void> {
    const { high } = await this.#done()
    await this.#save({ low: high, high }, lease)
  }

  /**
   * Embeds the next chunk; returns false if there was none. Progress is written under the lease; vectors are not, since
   * another instance writes the same ones.
   */
  async step(lease: Lease): Promise<boolean> {
    const head = await this.#store.entries.head()
    const { low, high } = await this.#done()
    if (high < head.seq) {
      const sources = await this.#store.entries.listSources({ ...LEADS, from: high, to: head.seq, order: 'asc' })
      await this.embed(sources)
      const edge = sources.length < CHUNK ? head.seq : (sources.at(-1)?.seq ?? head.seq)
      await this.#save({ low, high: edge }, lease)
      return true
    }
    if (await this.#stepChanges(lease)) return true
    if (low <= 0) return false
    const seeded = await this.#store.progress.listSeeded()
    const from = seeded.findLast((range) => range.high < low)?.high ?? 0
    const sources = await this.#store.entries.listSources({ ...LEADS, from, to: low, order: 'desc' })
    await this.embed(sources)
    await this.#save({ low: sources.length < CHUNK ? from : (sources.at(-1)?.seq ?? 1) - 1, high }, lease)
    return true
  }

  /** Embeds entries whose change dropped their vector; returns false if there was no change. */
  async #stepChanges(lease: Lease): Promise<boolean> {
    const changes = await this.#store.entries.listChanges(await this.#doneChanges(), CHUNK)
    const last = changes.at(-1)
    if (last === undefined) return false
    const seqs = changes.filter(({ action }) => action === 'revision').map(({ entrySeq }) => entrySeq)
    await this.embed(await this.#store.entries.listSourcesBy('seq', [...new Set(seqs)], LEADS.contentLength))
    const done = { low: 0, high: last.position }
    await this.#store.progress.save(changedVectorTask(this.#embedder.model), done, lease)
    return true
  }

  /** Returns the stored vectors of these entries. */
  async find(sources: readonly EntrySource[]): Promise<Map<number, Float32Array>> {
    const seqs = sources.map(({ seq }) => seq)
    const found = await this.#store.vectors.listBySeq(this.#embedder.model, seqs)
    return new Map(found.map(({ seq, vector }) => [seq, vector]))
  }

  /** Returns the vectors of these entries, embedding where needed. Entries in unknown languages have none. */
  async embed(sources: readonly EntrySource[]): Promise<Map<number, Float32Array>> {
    const { model, languages } = this.#embedder
    const vectors = await this.find(sources)
    const missing = sources.filter(
      ({ seq, entry }) => !vectors.has(seq) && (languages?.includes(entry.language ?? '') ?? true),
    )
    if (missing.length === 0) return vectors
    const embedded = await this.#embedder.embed(missing.map(({ entry, content }) => embeddedText(entry.title, content)))
    const fresh = missing.flatMap(({ seq, lastChange }, place) => {
      const vector = embedded[place]
      return vector === undefined ? [] : [{ seq, lastChange, vector }]
    })
    this.#checkLengths(fresh.map(({ vector }) => vector.length))
    await this.#store.vectors.upsert(model, fresh)
    for (const { seq, vector } of fresh) vectors.set(seq, vector)
    return vectors
  }

  /** Vectors of different lengths can be neither compared nor kept in one index. */
  #checkLengths(lengths: readonly number[]): void {
    this.#dimensions ??= lengths[0]
    if (lengths.some((length) => length !== this.#dimensions)) {
      throw new Error(`the model ${this.#embedder.model} returns vectors of different lengths`)
    }
  }

  async #done(): Promise<DoneRange> {
    const { seq } = await this.#store.entries.head()
    const { low, high } = (await this.#store.progress.find(vectorTask(this.#embedder.model))) ?? { low: seq, high: seq }
    // Load-test entries are not embedded.
    const seeded = await this.#store.progress.listSeeded()
    return {
      low: seeded.reduceRight((end, range) => (end > range.low && end <= range.high ? range.low : end), low),
      high: seeded.reduce((end, range) => (end >= range.low && end < range.high ? range.high : end), high),
    }
  }

  async #doneChanges(): Promise<number> {
    return (await this.#store.progress.find(changedVectorTask(this.#embedder.model)))?.high ?? 0
  }

  #save(done: DoneRange, lease?: Lease): Promise<void> {
    return this.#store.progress.save(vectorTask(this.#embedder.model), done, lease)
  }
}
