import type { RawText } from '../../enrich/enrich.ts'
import type { Entity } from '../../model/entities.ts'
import type { EntryFindings } from '../../model/entries.ts'
import type { Store } from '../../store/store.ts'
import { Thread } from '../../thread.ts'
import type { EnrichAnswer, EnrichRequest } from './enrich-thread.ts'
import type { RawEntry } from './raw-entry.ts'

const IDLE_MS = 60_000

/** Reads texts in a thread, over the assets and topics that the store has at the time. */
export class Enrichment {
  readonly #store: Store
  readonly #thread = new Thread<EnrichRequest, EnrichAnswer>(new URL('./enrich-thread.ts', import.meta.url), {
    idleMs: IDLE_MS,
    computes: true,
    onEnd: () => {
      this.#version = undefined
    },
  })
  #version: string | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Entries as sources give them, cleaned, or why they are not taken. */
  async clean(values: readonly unknown[], now: number): Promise<(RawEntry | { refused: string })[]> {
    return (await this.#thread.ask({ kind: 'clean', values, now })).entries
  }

  /** What texts say. */
  async read(texts: readonly RawText[]): Promise<EntryFindings[]> {
    return texts.length === 0 ? [] : (await this.#ask('read', texts)).findings
  }

  /** The assets that a text names, and where. */
  async entitiesOf(text: RawText): Promise<Entity[]> {
    return (await this.#ask('entities', [text])).entities[0] ?? []
  }

  /** Changes with the assets and topics that texts are read over. */
  async catalogueVersion(): Promise<string> {
    return `${await this.#store.assets.version()}, ${await this.#store.topics.version()}`
  }

  async #ask(kind: 'read' | 'entities', texts: readonly RawText[]): Promise<EnrichAnswer> {
    const version = await this.catalogueVersion()
    if (version === this.#version) return this.#thread.ask({ kind, texts })
    const catalogue = { assets: await this.#store.assets.listAll(), topics: await this.#store.topics.listWords() }
    // Before the thread is asked: should it end, it forgets both.
    this.#version = version
    return this.#thread.ask({ kind, texts, catalogue })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
