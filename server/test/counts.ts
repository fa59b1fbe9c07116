import assert from 'node:assert/strict'
import type { Db } from '../src/store/db.ts'
import { createStore } from '../src/store/store.ts'

/** A topic counts the entries of the topics below it, each once. */
const ENTRIES_BY_TOPIC = `(
  with recursive branches (root, id, ref) as (
    select ref, id, ref from topics
    union all
    select b.root, t.id, t.ref from branches b join topics t on t.parent_id = b.id
  )
  select distinct b.root as topic_ref, e.seq, e.published_at from branches b join entry_topics e on e.topic_ref = b.ref
) e`

/** Asserts that the stored counts match a recount of the entries. */
export async function assertCountsHold(db: Db, now: number): Promise<void> {
  await createStore(db).counts.settle(now)
  for (const [noun, table] of [
    ['asset', 'entry_assets'],
    ['topic', ENTRIES_BY_TOPIC],
    ['publisher', 'entries'],
  ]) {
    const sums = (value: string) =>
      db.query(`select ref, total, day, week, first_at, last_at from (${value}) v where total > 0 order by ref`)
    const kept = await sums(`select * from ${noun}_counts`)
    const counted = await sums(
      `select ${noun}_ref as ref, count(*) as total,
         count(case when published_at > ${now - 86_400_000} then 1 end) as day,
         count(case when published_at > ${now - 604_800_000} then 1 end) as week,
         min(published_at) as first_at, max(published_at) as last_at
       from ${table} group by ${noun}_ref`,
    )
    assert.deepEqual(kept, counted)
  }
}
