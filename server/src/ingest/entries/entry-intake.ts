import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { NewEntry } from '../../model/entries.ts'
import type { Store } from '../../store/store.ts'
import type { Enrichment } from './enrichment.ts'
import { entryIdOf } from './entry-id.ts'
import { PublisherResolver } from './publisher-resolver.ts'
import { type RawEntry, textOf } from './raw-entry.ts'

export interface IntakeResult {
  added: number
  /** Items whose URL the store, or an earlier item of the batch, has already. */
  known: number
  refused: { index: number; reason: string }[]
}

/** Limits of one insert; other requests run between the inserts. */
const PORTION = { entries: 40, characters: 200_000 }

/** Takes raw items from any source into the store. Clusters and vectors follow later (../indexing). */
export class EntryIntake {
  readonly #store: Store
  readonly #enrichment: Enrichment
  readonly #clock: Clock
  readonly #publishers: PublisherResolver

  constructor(parts: { store: Store; enrichment: Enrichment; clock: Clock }) {
    this.#store = parts.store
    this.#enrichment = parts.enrichment
    this.#clock = parts.clock
    this.#publishers = new PublisherResolver(parts.store)
  }

  async take(values: readonly unknown[]): Promise<IntakeResult> {
    const now = this.#clock.now()
    const cleaned = await this.#enrichment.clean(values, now)
    const refused = cleaned.flatMap((entry, index) => ('refused' in entry ? [{ index, reason: entry.refused }] : []))
    const valid = cleaned.flatMap((entry) => ('refused' in entry ? [] : [entry]))
    const fresh = await this.#withoutKnown(valid)
    const findings = await this.#enrichment.read(fresh.map(textOf))
    const publisherIds = await this.#publishers.idsOf(
      fresh.map(({ publisher }) => publisher),
      now,
    )
    const entries = fresh.flatMap(({ publisher: _, ...fields }, index): NewEntry[] => {
      const found = findings[index]
      const publisherId = publisherIds[index]
      if (found === undefined || publisherId === undefined) return []
      return [{ id: entryIdOf(fields.url), ...fields, ...found, publisherId, createdAt: now }]
    })
    const added = await this.#insert(entries)
    return { added, known: valid.length - added, refused }
  }

  /** Drops items that the store has, and all but the first of several with the same URL. */
  async #withoutKnown(raw: readonly RawEntry[]): Promise<RawEntry[]> {
    const byId = new Map(raw.toReversed().map((entry) => [entryIdOf(entry.url), entry]))
    const known = await this.#store.entries.listKnown([...byId.keys()])
    const fresh = new Set([...byId].filter(([id]) => !known.has(id)).map(([, entry]) => entry))
    return raw.filter((entry) => fresh.has(entry))
  }

  async #insert(entries: readonly NewEntry[]): Promise<number> {
    let added = 0
    for (const portion of portionsOf(entries)) {
      added += await this.#store.entries.insert(portion)
      await setImmediate()
    }
    return added
  }
}

function* portionsOf(entries: readonly NewEntry[]): Generator<NewEntry[]> {
  let portion: NewEntry[] = []
  let characters = 0
  for (const entry of entries) {
    portion.push(entry)
    characters += entry.content?.length ?? 0
    if (portion.length < PORTION.entries && characters < PORTION.characters) continue
    yield portion
    portion = []
    characters = 0
  }
  if (portion.length > 0) yield portion
}
