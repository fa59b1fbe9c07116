import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Entry, EntryEdit, NewEntry } from '../../model/entries.ts'
import type { EntrySource } from '../../store/entries/entry-candidates.ts'
import type { SourceItem } from '../../store/sources/sources.ts'
import type { Store } from '../../store/store.ts'
import type { Enrichment } from './enrichment.ts'
import { entryIdOf } from './entry-id.ts'
import { PublisherResolver } from './publisher-resolver.ts'
import { LONGEST_CONTENT, type RawEntry, textOf } from './raw-entry.ts'

/** An item of a source. */
export interface IntakeItem {
  value: unknown
  /** The entry that the source had for this item before; the item may have another address since. */
  entryId?: string | undefined
  /** The id of the entry of an item that has no address of its own. */
  ownId?: string | undefined
  /** Remembered together with the entry, so that a crash never separates them. */
  origin?: Omit<SourceItem, 'entryId'>
}

export interface IntakeOptions {
  /** Whether items that differ from their entry change it. */
  update?: boolean
}

export interface IntakeResult {
  added: number
  changed: number
  /** Items that change nothing: the store, or an earlier item of the batch, has their entry, or it was removed. */
  known: number
  refused: { index: number; reason: string }[]
  /** The id of the entry of each item; null if the item was refused. */
  ids: (string | null)[]
}

/** A valid item and the entry it belongs to. */
interface Offer {
  raw: RawEntry
  origin: IntakeItem['origin']
  id: string
  isKnown: boolean
  /** The id of an entry that would have the item's address as its first. */
  urlId: string
  /** Whether the entry may take over the item's address: the source knows the item, and no other entry has the address. */
  mayMove: boolean
}

/** Limits of one write; other requests run between the writes. */
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

  take(values: readonly unknown[], options: IntakeOptions = {}): Promise<IntakeResult> {
    return this.takeItems(
      values.map((value) => ({ value })),
      options,
    )
  }

  async takeItems(items: readonly IntakeItem[], { update = false }: IntakeOptions = {}): Promise<IntakeResult> {
    const now = this.#clock.now()
    const cleaned = await this.#enrichment.clean(
      items.map(({ value }) => value),
      now,
    )
    const refused = cleaned.flatMap((entry, index) => ('refused' in entry ? [{ index, reason: entry.refused }] : []))
    const offers = await this.#offersOf(items, cleaned)
    const valid = offers.filter((offer) => offer !== undefined)
    // Of several items with the same entry, the first counts.
    const first = [...new Map(valid.toReversed().map((offer) => [offer.id, offer])).values()].reverse()
    const added = await this.#add(
      first.filter(({ isKnown }) => !isKnown),
      now,
    )
    const changed = update
      ? await this.#change(
          first.filter(({ isKnown }) => isKnown),
          now,
        )
      : 0
    return {
      added,
      changed,
      known: valid.length - added - changed,
      refused,
      ids: offers.map((offer) => offer?.id ?? null),
    }
  }

  /** Finds the entries of items; undefined for refused items. */
  async #offersOf(
    items: readonly IntakeItem[],
    cleaned: readonly (RawEntry | { refused: string })[],
  ): Promise<(Offer | undefined)[]> {
    const addressed = cleaned.map((raw, index) =>
      'refused' in raw ? undefined : { raw, urlId: items[index]?.ownId ?? entryIdOf(raw.url) },
    )
    const known = await this.#store.entries.listKnown([
      ...addressed.flatMap((item) => item?.urlId ?? []),
      ...items.flatMap(({ entryId }) => entryId ?? []),
    ])
    return addressed.map((item, index) => {
      if (item === undefined) return undefined
      const { entryId, origin } = items[index] ?? {}
      const before = entryId === undefined ? undefined : known.get(entryId)
      const owner = known.get(item.urlId)
      const id = before ?? owner ?? item.urlId
      const isKnown = before !== undefined || owner !== undefined
      return { ...item, origin, id, isKnown, mayMove: before !== undefined && (owner ?? id) === id }
    })
  }

  async #add(offers: readonly Offer[], now: number): Promise<number> {
    const findings = await this.#enrichment.read(offers.map(({ raw }) => textOf(raw)))
    const publisherIds = await this.#publishers.idsOf(
      offers.map(({ raw }) => raw.publisher),
      now,
    )
    const entries = offers.flatMap(({ id, raw: { publisher: _, ...fields } }, index): NewEntry[] => {
      const found = findings[index]
      const publisherId = publisherIds[index]
      if (found === undefined || publisherId === undefined) return []
      return [{ id, ...fields, ...found, publishedAt: fields.publishedAt ?? now, publisherId, createdAt: now }]
    })
    const origins = new Map(offers.map(({ id, origin }) => [id, origin]))
    let added = 0
    for (const portion of portionsOf(entries)) {
      const items = portion.flatMap(({ id }) => {
        const origin = origins.get(id)
        return origin === undefined ? [] : [{ ...origin, entryId: id }]
      })
      added += await this.#store.entries.insert(portion, items)
      await setImmediate()
    }
    return added
  }

  /** Only items that differ from their entry are enriched. */
  async #change(offers: readonly Offer[], now: number): Promise<number> {
    const ids = offers.map(({ id }) => id)
    const stored = await this.#store.entries.listSourcesBy('id', ids, LONGEST_CONTENT)
    const byId = new Map(stored.map((source) => [source.entry.id, source]))
    const differing = offers.flatMap((offer) => {
      const source = byId.get(offer.id)
      return source !== undefined && differs(offer, source) ? [{ offer, source }] : []
    })
    const findings = await this.#enrichment.read(differing.map(({ offer }) => textOf(offer.raw)))
    const edits = differing.map(({ offer, source }, index) => ({ ...editOf(offer, source), ...findings[index] }))
    let changed = 0
    for (const portion of portionsOf(edits)) {
      changed += (await this.#store.entries.update(portion, now)).length
      await setImmediate()
    }
    return changed
  }
}

function differs(offer: Offer, { entry, content }: EntrySource): boolean {
  const { raw } = offer
  return (
    raw.title !== entry.title ||
    raw.excerpt !== entry.excerpt ||
    raw.content !== content ||
    raw.author !== entry.author ||
    raw.imageUrl !== entry.imageUrl ||
    (raw.publishedAt !== null && raw.publishedAt !== Date.parse(entry.publishedAt)) ||
    hasMoved(offer, entry)
  )
}

/** Addresses that differ only in tracking parameters are the same. */
const hasMoved = ({ mayMove, urlId }: Offer, entry: Entry) => mayMove && urlId !== entryIdOf(entry.url)

function editOf(offer: Offer, { entry }: EntrySource): EntryEdit {
  const { id, urlId } = offer
  const { title, excerpt, content, author, imageUrl, publishedAt, url, urlDomain } = offer.raw
  return {
    id,
    title,
    excerpt,
    content,
    author,
    imageUrl,
    ...(publishedAt !== null && { publishedAt }),
    ...(hasMoved(offer, entry) && { url, urlDomain, ...(urlId !== id && { alias: urlId }) }),
  }
}

function* portionsOf<E extends { content?: string | null }>(entries: readonly E[]): Generator<E[]> {
  let portion: E[] = []
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
