import type { NewTopic } from '../model/topics.ts'
import type { Db } from './db.ts'
import { countRows, insertRecords } from './sql.ts'

export type Topics = ReturnType<typeof topicsStore>

export function topicsStore(db: Db) {
  return {
    /** One that is already there is left as it is. Parents come before their children. */
    insert(topics: readonly NewTopic[], now: number): Promise<void> {
      return db.transaction(async (tx) => {
        await insertRecords(
          tx,
          'topics',
          topics.map((topic) => ({
            id: topic.id,
            slug: topic.slug,
            name: topic.name,
            sort_name: topic.name.toLowerCase(),
            description: topic.description,
            parent_id: topic.parentId,
            created_at: now,
            updated_at: now,
          })),
          'on conflict do nothing',
        )
        await tx.query(
          `insert into topic_counts (ref)
           select ref from topics where ref not in (select ref from topic_counts) on conflict do nothing`,
        )
      })
    },

    count: () => countRows(db, 'topics'),
  }
}
