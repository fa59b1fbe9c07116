import type { OffsetPage } from '../model/paging.ts'
import type { NewPublisher, Publisher } from '../model/publishers.ts'
import { isoTime, isoTimeOrNull } from '../model/time.ts'
import { addCountRows } from './counts/count-rows.ts'
import type { Counts } from './counts/counts.ts'
import type { Db } from './db.ts'
import { type CatalogueList, readCatalogue } from './lists/catalogue.ts'
import type { OffsetRequest } from './lists/feed-pages.ts'
import { anyText, type Filters, flag, wordsColumn } from './lists/record-filters.ts'
import { countRows, insertRecords } from './sql.ts'

const PUBLISHERS = `select p.*, c.total, c.day, c.first_at, c.last_at
  from publishers p join publisher_counts c on c.ref = p.ref`

const PUBLISHER_LIST: CatalogueList = {
  rows: PUBLISHERS,
  filters: {
    countryCode: anyText('country_code'),
    language: anyText('language'),
    type: anyText('type'),
    domain: anyText('domain'),
    isActive: flag('is_active'),
  },
  sorts: { name: 'sort_name', entryCount24h: 'day', lastEntryAt: 'last_at' },
}

export type Publishers = ReturnType<typeof publishersStore>

export function publishersStore(db: Db, counts: Counts) {
  return {
    async page(request: OffsetRequest<Filters>, now: number): Promise<OffsetPage<Publisher>> {
      await counts.settle(now)
      const { rows, totalCount } = await readCatalogue<PublisherRow>(db, PUBLISHER_LIST, request)
      return { data: rows.map(toPublisher), totalCount }
    },

    async find(idOrSlug: string, now: number): Promise<Publisher | undefined> {
      await counts.settle(now)
      const [row] = await db.query<PublisherRow>(`select * from (${PUBLISHERS}) t where t.id = $1 or t.slug = $1`, [
        idOrSlug.toLowerCase(),
      ])
      return row && toPublisher(row)
    },

    /** What they are known by, the oldest first. */
    listNames: () =>
      db.query<Pick<Publisher, 'id' | 'slug' | 'name' | 'domain'>>(
        'select id, slug, name, domain from publishers order by ref',
      ),

    /** One that is already there is left as it is. */
    insert(publishers: readonly NewPublisher[], now: number): Promise<void> {
      return db.transaction(async (tx) => {
        await insertRecords(
          tx,
          'publishers',
          publishers.map((publisher) => ({
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
            created_at: now,
            updated_at: now,
          })),
          'on conflict do nothing',
        )
        await addCountRows(tx, 'publisher')
      })
    },

    count: () => countRows(db, 'publishers'),
  }
}

interface PublisherRow {
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
    entryCount: row.total,
    entryCount24h: row.day,
    firstEntryAt: isoTimeOrNull(row.first_at),
    lastEntryAt: isoTimeOrNull(row.last_at),
    isActive: row.is_active === 1,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }
}
