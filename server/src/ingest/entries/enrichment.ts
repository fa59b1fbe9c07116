import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { RawText } from '../../enrich/enrich.ts'
import { LONGEST_READ } from '../../enrich/text.ts'
import type { Entity } from '../../model/entities.ts'
import type { EntryFindings } from '../../model/entries.ts'
import type { Store } from '../../store/store.ts'
import { Thread } from '../../thread.ts'
import type { EnrichAnswer, EnrichRequest } from './enrich-thread.ts'
import type { RawEntry } from './raw-entry.ts'

const IDLE_MS = 60_000
/** The size of the cache of entities, in characters of their JSON. */
const CACHED_CHARACTERS = 8_000_000
/** Counted for each text besides its entities: many texts have none. */
const KEY_CHARACTERS = 200

/** Enriches texts in a worker thread, using the store's current assets and topics. */
export class Enrichment {
  readonly #store: Store
  readonly #thread = new Thread<EnrichRequest, EnrichAnswer>(new URL('./enrich-thread.ts', import.meta.url), {
    idleMs: IDLE_MS,
    onEnd: () => {
      this.#version = undefined
    },
  })
  #version: string | undefined
  /** Entities by the text and the catalogue: callers ask for the newest entries again and again. */
  readonly #entities = new LRUCache<string, Entity[]>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (entities) => KEY_CHARACTERS + JSON.stringify(entities).length,
  })

  constructor(store: Store) {
    this.#store = store
  }

  /** Cleans raw items; returns for each the entry or the reason for refusing it. */
  async clean(values: readonly unknown[], now: number): Promise<(RawEntry | { refused: string })[]> {
    return (await this.#thread.ask({ kind: 'clean', values, now })).entries
  }

  /** Finds language, sentiment, assets and topics of texts. */
  async read(texts: readonly RawText[]): Promise<EntryFindings[]> {
    return texts.length === 0 ? [] : (await this.#ask('read', texts, await this.catalogueVersion())).findings
  }

  /** Returns the assets that each clean text mentions, with their positions. */
  async entitiesOf(clean: readonly RawText[]): Promise<Entity[][]> {
    if (clean.length === 0) return []
    // The rest would only be hashed and sent.
    const texts = clean.map((text) => ({ ...text, content: text.content?.slice(0, LONGEST_READ) ?? null }))
    const version = await this.catalogueVersion()
    const keys = texts.map((text) => hash('sha256', JSON.stringify([version, text]), 'base64'))
    const known = keys.map((key) => this.#entities.get(key))
    const unknown = texts.filter((_, place) => known[place] === undefined)
    const { entities: found } = unknown.length === 0 ? { entities: [] } : await this.#ask('entities', unknown, version)
    const others = found.values()
    return keys.map((key, place) => {
      const entities = known[place] ?? others.next().value ?? []
      if (known[place] === undefined) this.#entities.set(key, entities)
      return entities
    })
  }

  /** Returns a text that changes whenever assets or topics change. */
  async catalogueVersion(): Promise<string> {
    return `${await this.#store.assets.version()}, ${await this.#store.topics.version()}`
  }

  async #ask(kind: 'read' | 'entities', texts: readonly RawText[], version: string): Promise<EnrichAnswer> {
    if (version === this.#version) return this.#thread.ask({ kind, texts })
    const catalogue = { assets: await this.#store.assets.listAll(), topics: await this.#store.topics.listWords() }
    // Set before the request: if the thread ends, onEnd resets it.
    this.#version = version
    return this.#thread.ask({ kind, texts, catalogue })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
