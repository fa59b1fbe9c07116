import type { NewPublisher } from '../model/publishers.ts'
import type { Db } from './db.ts'
import { countRows, insertRecords } from './sql.ts'

export type Publishers = ReturnType<typeof publishersStore>

export function publishersStore(db: Db) {
  return {
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
        await tx.query(
          `insert into publisher_counts (ref)
           select ref from publishers where ref not in (select ref from publisher_counts) on conflict do nothing`,
        )
      })
    },

    count: () => countRows(db, 'publishers'),
  }
}
