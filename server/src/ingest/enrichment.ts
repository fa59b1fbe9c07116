import type { Enriched, RawText } from '../enrich/enrich.ts'
import type { Store } from '../store/store.ts'
import { Thread } from '../thread.ts'
import type { EnrichRequest } from './enrich-thread.ts'

const IDLE_MS = 60_000

/** Reads texts in a thread, over the assets and topics that the store has at the time. */
export class Enrichment {
  readonly #store: Store
  readonly #thread = new Thread<EnrichRequest, Enriched[]>(new URL('./enrich-thread.ts', import.meta.url), {
    idleMs: IDLE_MS,
    onEnd: () => {
      this.#version = undefined
    },
  })
  #version: string | undefined

  constructor(store: Store) {
    this.#store = store
  }

  async read(texts: readonly RawText[]): Promise<Enriched[]> {
    if (texts.length === 0) return []
    const version = `${await this.#store.assets.version()}, ${await this.#store.topics.version()}`
    if (version === this.#version) return this.#thread.ask({ texts })
    const catalogue = { assets: await this.#store.assets.listAll(), topics: await this.#store.topics.listWords() }
    // Before the thread is asked: should it end, it forgets both.
    this.#version = version
    return this.#thread.ask({ texts, catalogue })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
