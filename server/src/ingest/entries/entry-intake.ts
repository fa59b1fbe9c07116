import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { NewEntry } from '../../model/entries.ts'
import type { Store } from '../../store/store.ts'
import type { Enrichment } from './enrichment.ts'
import { entryIdOf } from './entry-id.ts'
import { PublisherBook } from './publisher-book.ts'
import { type RawEntry, textOf } from './raw-entry.ts'

/** What became of the entries of a batch. */
export interface Taken {
  added: number
  /** Those that the store has already, by their address. */
  known: number
  refused: { index: number; reason: string }[]
}

/** What is written at once: callers get their turn between. */
const PORTION = { entries: 40, characters: 200_000 }

/** The way of an entry into the store: read, named, enriched, added. Stories and vectors follow from there. */
export class EntryIntake {
  readonly #store: Store
  readonly #enrichment: Enrichment
  readonly #clock: Clock
  readonly #publishers: PublisherBook

  constructor(parts: { store: Store; enrichment: Enrichment; clock: Clock }) {
    this.#store = parts.store
    this.#enrichment = parts.enrichment
    this.#clock = parts.clock
    this.#publishers = new PublisherBook(parts.store)
  }

  /** Takes entries as sources give them; the same one twice is taken once. */
  async take(values: readonly unknown[]): Promise<Taken> {
    const now = this.#clock.now()
    const raw: RawEntry[] = []
    const refused: Taken['refused'] = []
    for (const [index, entry] of (await this.#enrichment.clean(values, now)).entries()) {
      if ('refused' in entry) refused.push({ index, reason: entry.refused })
      else raw.push(entry)
    }
    const fresh = await this.#withoutKnown(raw)
    const added = fresh.length === 0 ? 0 : await this.#add(fresh, now)
    return { added, known: raw.length - added, refused }
  }

  async #withoutKnown(raw: readonly RawEntry[]): Promise<RawEntry[]> {
    // Of several with the same address the first is taken, as if they had come one after the other.
    const byId = new Map(raw.toReversed().map((entry) => [entryIdOf(entry.url), entry]))
    const known = await this.#store.entries.listKnown([...byId.keys()])
    const fresh = new Set([...byId].filter(([id]) => !known.has(id)).map(([, entry]) => entry))
    return raw.filter((entry) => fresh.has(entry))
  }

  async #add(raw: readonly RawEntry[], now: number): Promise<number> {
    const read = await this.#enrichment.read(raw.map(textOf))
    const publisherIds = await this.#publishers.idsOf(
      raw.map(({ publisher }) => publisher),
      now,
    )
    const entries = raw.flatMap((entry, place): NewEntry[] => {
      const findings = read[place]
      const publisherId = publisherIds[place]
      if (findings === undefined || publisherId === undefined) return []
      const { publisher: _publisher, ...fields } = entry
      return [{ id: entryIdOf(entry.url), ...fields, ...findings, publisherId, createdAt: now }]
    })
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
