import { idOf } from '../../model/ids.ts'
import type { NewPublisher } from '../../model/publishers.ts'
import type { Store } from '../../store/store.ts'
import type { PublisherName } from './raw-entry.ts'

const ATTEMPTS = 5

/** Finds the publishers that sources name, and adds new ones. */
export class PublisherResolver {
  readonly #store: Store
  #ids = new Map<string, string>()
  #version: string | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Returns ids in the order of the names. */
  async idsOf(names: readonly PublisherName[], now: number): Promise<string[]> {
    if (names.length === 0) return []
    if ((await this.#store.publishers.version()) !== this.#version) await this.#read()
    // Another instance may take a slug first: retry with the next free one.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const unknown = names.filter((name) => this.#find(name) === undefined)
      if (unknown.length === 0) break
      await this.#store.publishers.insert(this.#created(unknown), now)
      await this.#read()
    }
    return names.map((name) => {
      const id = this.#find(name)
      if (id === undefined) throw new Error(`failed to add the publisher ${name.name ?? name.domain}`)
      return id
    })
  }

  #find({ name, slug, domain }: PublisherName): string | undefined {
    if (slug !== null) return this.#ids.get(`slug ${slug}`)
    if (name === null) return this.#ids.get(`domain ${domain}`)
    const text = name.toLowerCase()
    return this.#ids.get(`name ${text}`) ?? this.#ids.get(`slug ${text}`) ?? this.#ids.get(`domain ${text}`)
  }

  async #read(): Promise<void> {
    // Read before the names: a change in between is then noticed next time.
    const version = await this.#store.publishers.version()
    const ids = new Map<string, string>()
    // If several have the same domain, the oldest wins.
    for (const { id, slug, name, domain } of (await this.#store.publishers.listNames()).reverse()) {
      ids.set(`domain ${domain}`, id)
      ids.set(`name ${name.toLowerCase()}`, id)
      ids.set(`slug ${slug}`, id)
    }
    this.#ids = ids
    this.#version = version
  }

  #created(names: readonly PublisherName[]): NewPublisher[] {
    const fresh = new Map<string, NewPublisher>()
    const slugs = new Set<string>()
    // Explicit slugs come first; slugs made from names get the remaining ones.
    for (const { name, slug, domain, countryCode, language, type } of names.toSorted(
      (a, b) => Number(a.slug === null) - Number(b.slug === null),
    )) {
      const known = slug !== null ? `slug ${slug}` : name !== null ? `name ${name.toLowerCase()}` : `domain ${domain}`
      if (fresh.has(known)) continue
      const own = freeSlug(slug ?? slugOf(name ?? domain), (one) => slugs.has(one) || this.#ids.has(`slug ${one}`))
      slugs.add(own)
      fresh.set(known, {
        id: idOf(`mintick:publisher:${own}`),
        slug: own,
        name: name ?? slug ?? domain,
        domain,
        homepageUrl: `https://${domain}/`,
        description: null,
        countryCode: countryCode ?? null,
        language: language ?? null,
        type: type ?? 'newspaper',
        isPaywalled: null,
        isActive: true,
      })
    }
    return [...fresh.values()]
  }
}

/** Appends a number if the slug is taken. */
function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let free = slug
  for (let number = 2; isTaken(free); number += 1) free = `${slug}-${number}`
  return free
}

function slugOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
  // A name in another script has no Latin letters.
  return slug === '' ? `publisher-${idOf(text).slice(0, 8)}` : slug
}
