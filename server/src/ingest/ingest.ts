import type { Clock } from '../clock.ts'
import type { Embedder } from '../enrich/embed/embedder.ts'
import type { VectorIndex } from '../search/vector-index.ts'
import type { Store } from '../store/store.ts'
import { Enrichment } from './entries/enrichment.ts'
import { EntryIntake } from './entries/entry-intake.ts'
import { Reindex } from './entries/reindex.ts'
import { Indexing } from './indexing/indexing.ts'

/** The path of entries into the store: intake, enrichment, and the indexing that follows the feed. */
export class Ingest {
  readonly enrichment: Enrichment
  readonly intake: EntryIntake
  readonly embedder: Embedder | undefined
  readonly index: VectorIndex | undefined
  readonly indexing: Indexing
  readonly reindex: Reindex
  readonly #onError: (error: unknown) => void

  constructor(parts: {
    store: Store
    clock: Clock
    embedder: Embedder | undefined
    index: VectorIndex | undefined
    onError?: ((error: unknown) => void) | undefined
  }) {
    const { store, clock, embedder, index, onError = () => {} } = parts
    this.#onError = onError
    this.embedder = embedder
    this.index = index
    this.enrichment = new Enrichment(store)
    this.intake = new EntryIntake({ store, enrichment: this.enrichment, clock })
    this.indexing = new Indexing({ store, embedder, index, clock })
    this.reindex = new Reindex({ store, enrichment: this.enrichment, indexing: this.indexing, clock, onError })
  }

  /** Indexes and reindexes entries in the background, or only follows the indexing of other instances. */
  start(role: 'index' | 'follow'): void {
    this.indexing.start(this.#onError, role)
    if (role === 'index') this.reindex.work()
  }

  async stop(): Promise<void> {
    await this.reindex.stop()
    await this.indexing.stop()
    await this.index?.close()
    await this.embedder?.close()
    await this.enrichment.close()
  }
}
