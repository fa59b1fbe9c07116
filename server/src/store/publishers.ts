import { idOf } from '../model/ids.ts'
import type { OffsetPage } from '../model/paging.ts'
import type { NewPublisher, Publisher, PublisherChange } from '../model/publishers.ts'
import { Refused } from '../model/refused.ts'
import { isoTime, isoTimeOrNull } from '../model/time.ts'
import type { Counts } from './counts/counts.ts'
import type { Db, Queryable, Value } from './db.ts'
import { type Move, moveEntries, moveEntriesAhead } from './entries/entry-countries.ts'
import { Catalogue, type CatalogueList } from './lists/catalogue.ts'
import { markChanged, nextEpoch } from './lists/catalogue-changes.ts'
import {
  catalogueVersion,
  mergeChanges,
  rowsWritten,
  type Upserted,
  type UpsertOptions,
  upsertRows,
} from './lists/catalogue-writes.ts'
import type { OffsetRequest } from './lists/feed-pages.ts'
import type { Feed } from './lists/feeds.ts'
import { anyText, type FilterValues, flagFilter, inNames, wordsColumn } from './lists/filters.ts'
import { forEachChunk } from './lists/refs.ts'
import { countRows, insertRecords } from './sql.ts'

const PUBLISHERS = `select p.*, c.total, c.day, c.first_at, c.last_at
  from publishers p join publisher_counts c on c.ref = p.ref`

const PUBLISHER_LIST = {
  table: 'publishers',
  rows: PUBLISHERS,
  filters: {
    search: inNames(),
    countryCode: anyText('country_code'),
    language: anyText('language'),
    type: anyText('type'),
    domain: anyText('domain'),
    isActive: flagFilter('is_active'),
  },
  sorts: { name: 'sort_name', entryCount24h: 'day', lastEntryAt: 'last_at' },
} satisfies CatalogueList

export type PublisherFilters = FilterValues<typeof PUBLISHER_LIST.filters>

export type Publishers = ReturnType<typeof publishersStore>

export function publishersStore(db: Db, counts: Counts, entries: Feed) {
  const { catalogues } = counts
  const catalogue = new Catalogue<PublisherRow, Publisher>(db, PUBLISHER_LIST, (rows) => rows.map(toPublisher))

  return {
    async page(request: OffsetRequest<PublisherFilters>, now: number): Promise<OffsetPage<Publisher>> {
      return catalogue.page(request, await counts.settle(now))
    },

    async find(idOrSlug: string, now: number): Promise<Publisher | undefined> {
      return catalogue.find('t.id = $1 or t.slug = $1', [idOrSlug.toLowerCase()], await counts.settle(now))
    },

    /** Lists the names of all publishers, oldest first. */
    listNames: () =>
      db.query<Pick<Publisher, 'id' | 'slug' | 'name' | 'domain'>>(
        'select id, slug, name, domain from publishers order by ref',
      ),

    /** Returns a text that changes whenever a publisher is added or edited. */
    version: (): Promise<string> => catalogueVersion(db, 'publishers'),

    /** Adds publishers; existing ones stay as they are. */
    insert(publishers: readonly NewPublisher[], now: number): Promise<void> {
      const written = db.transaction(async (tx) => {
        const records = publishers.map((publisher) => ({ ...toRow(publisher), created_at: now, updated_at: now }))
        await insertRecords(tx, 'publishers', records, 'on conflict do nothing')
        await rowsWritten(tx, 'publishers', 'slug', publishers.map(slugOf))
      })
      return written.finally(() => catalogues.changed())
    },

    /** Updates existing publishers by slug and adds the others. Entries follow the country of their publisher. */
    async upsert(changes: readonly PublisherChange[], now: number, options: UpsertOptions = {}): Promise<Upserted> {
      const slugs = changes.map(slugOf)
      const moving = options.update === false ? [] : changes
      const ahead = await moveEntriesAhead(db, entries, movesOf(await listBySlug(db, slugs), moving))
      try {
        return await db.transaction(async (tx) => {
          await entries.lock(tx)
          const before = await listBySlug(tx, slugs)
          const { outcome, written } = mergeChanges<PublisherChange, NewPublisher>(new Map(before), changes, {
            keyOf: slugOf,
            merge: changed,
            ...options,
          })
          await moveEntries(tx, entries, movesOf(before, written), ahead)
          await upsertRows(tx, 'publishers', 'slug', written.map(toRow), now)
          await rowsWritten(tx, 'publishers', 'slug', written.map(slugOf))
          return outcome
        })
      } finally {
        entries.changed()
      }
    },

    /** Removes those of the publishers that have no entries; returns their number. */
    removeUnused(ids: readonly string[]): Promise<number> {
      const written = db.transaction(async (tx) => {
        await entries.lock(tx)
        const refs: number[] = []
        await forEachChunk(ids, async (params, list) => {
          const rows = await tx.query<{ ref: number }>(
            `delete from publishers where id in (${list})
             and not exists (select 1 from entries e where e.publisher_ref = publishers.ref) returning ref`,
            params.values,
          )
          refs.push(...rows.map(({ ref }) => ref))
        })
        await forEachChunk(refs, async (params, list) => {
          await tx.query(`delete from publisher_counts where ref in (${list})`, params.values)
        })
        if (refs.length > 0) await nextEpoch(tx, 'publishers')
        await markChanged(tx, { publishers: refs })
        return refs.length
      })
      return written.finally(() => entries.changed())
    },

    count: () => countRows(db, 'publishers'),
  }
}

const slugOf = ({ slug }: { slug: string }) => slug

async function listBySlug(db: Queryable, slugs: readonly string[]): Promise<Map<string, NewPublisher>> {
  const found = new Map<string, NewPublisher>()
  await forEachChunk(slugs, async (params, list) => {
    const rows = await db.query<PublisherRow>(`select * from publishers where slug in (${list})`, params.values)
    for (const row of rows) found.set(row.slug, toNewPublisher(row))
  })
  return found
}

function changed(change: PublisherChange, before: NewPublisher | undefined): NewPublisher {
  if (before !== undefined) return { ...before, ...change }
  const { slug, name, domain } = change
  if (name === undefined || domain === undefined) throw new Refused('a new publisher needs name and domain')
  const homepageUrl = `https://${domain}/`
  return { ...BLANK, id: idOf(`mintick:publisher:${slug}`), homepageUrl, ...change, name, domain }
}

/** Defaults of a new publisher. */
const BLANK = {
  description: null,
  countryCode: null,
  language: null,
  type: 'newspaper',
  isPaywalled: null,
  isActive: true,
} satisfies Partial<NewPublisher>

/** Returns the changes of country; the last of several changes to a publisher wins. */
function movesOf(before: ReadonlyMap<string, NewPublisher>, changes: readonly PublisherChange[]): Move[] {
  const countries = new Map(
    changes.flatMap(({ slug, countryCode }) => (countryCode === undefined ? [] : [[slug, countryCode]])),
  )
  return [...countries].flatMap(([slug, to]) => {
    const { id, countryCode: from } = before.get(slug) ?? {}
    return id === undefined || from === undefined || from === to ? [] : [{ publisherId: id, from, to }]
  })
}

function toRow(publisher: NewPublisher): Record<string, Value> {
  return {
    id: publisher.id,
    slug: publisher.slug,
    name: publisher.name,
    sort_name: publisher.name.toLowerCase(),
    words: wordsColumn(`${publisher.name} ${publisher.domain}`),
    domain: publisher.domain,
    homepage_url: publisher.homepageUrl,
    description: publisher.description,
    country_code: publisher.countryCode,
    language: publisher.language,
    type: publisher.type,
    is_paywalled: publisher.isPaywalled === null ? null : Number(publisher.isPaywalled),
    is_active: Number(publisher.isActive),
  }
}

interface PublisherRow {
  ref: number
  id: string
  slug: string
  name: string
  domain: string
  homepage_url: string | null
  description: string | null
  country_code: string | null
  language: string | null
  type: Publisher['type']
  is_paywalled: number | null
  is_active: number
  total: number
  day: number
  first_at: number | null
  last_at: number | null
  created_at: number
  updated_at: number
}

function toPublisher(row: PublisherRow): Publisher {
  const { isActive, ...publisher } = toNewPublisher(row)
  return {
    ...publisher,
    entryCount: row.total,
    entryCount24h: row.day,
    firstEntryAt: isoTimeOrNull(row.first_at),
    lastEntryAt: isoTimeOrNull(row.last_at),
    isActive,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}

function toNewPublisher(row: PublisherRow): NewPublisher {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    homepageUrl: row.homepage_url,
    description: row.description,
    countryCode: row.country_code,
    language: row.language,
    type: row.type,
    isPaywalled: row.is_paywalled === null ? null : row.is_paywalled === 1,
    isActive: row.is_active === 1,
  }
}
