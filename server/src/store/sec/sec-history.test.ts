import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine, openTestDb } from '../../../test/harness.ts'
import { SEC_DATASETS, type SecDataset, type SecRecords } from '../../model/sec/datasets.ts'
import type { NewFiling, SecRecord } from '../../model/sec/record.ts'
import { DAY, isoTime } from '../../model/time.ts'
import { sampleWorld } from '../../sample/world/world.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore } from '../store.ts'
import { SEC_TABLES } from './sec-tables.ts'

const NOW = Date.parse('2026-03-02T00:00:00Z')
const COUNT = 60
const { sec: WORLD } = sampleWorld(NOW)

onEveryEngine('history of SEC records from before it was kept', (engine) => {
  test('the migration fills in until when superseded records of every dataset were known', async () => {
    const { db, close } = await openTestDb(engine)
    const sec = createStore(db).sec
    const insert = <Dataset extends SecDataset>(dataset: Dataset) =>
      sec.insert(dataset, chained<SecRecords[Dataset]>(WORLD[dataset]), NOW)
    for (const dataset of SEC_DATASETS) await insert(dataset)
    const before = await knownTimes(db)
    for (const dataset of SEC_DATASETS) {
      const known = before[dataset].filter(({ knownTo }) => knownTo !== null)
      assert.ok(known.length > COUNT / 4 && known.length < COUNT, `some records of ${dataset} are superseded`)
    }

    await undoHistory(db)
    assert.deepEqual(await migrate(db, NOW), ['024-sec-history.sql'])
    assert.deepEqual(await knownTimes(db), before)
    await close()
  })

  test('a record whose superseding record is gone was never known', async () => {
    const { db, close } = await openTestDb(engine)
    const sec = createStore(db).sec
    const [first, second] = chained(WORLD['planned-sales'].slice(0, 2), () => 0)
    assert.ok(first !== undefined && second !== undefined)
    await sec.insert('planned-sales', [first, second], NOW)
    await sec.removeContaining('planned-sales', `"id":"${second.record.id}"`, 1, NOW)
    await undoHistory(db)
    await migrate(db, NOW)
    const { filedAt } = first.record
    const [row] = (await knownTimes(db))['planned-sales']
    assert.deepEqual({ ...row }, { id: first.record.id, filedAt: Date.parse(filedAt), knownTo: Date.parse(filedAt) })
    await close()
  })
})

/** Returns records of which many supersede others, some of them several times, and some before those are accepted. */
function chained<R extends SecRecord>(
  filings: readonly NewFiling<R>[],
  target: (place: number) => number | undefined = (place) => (place % 2 === 0 ? (place * 7) % COUNT : undefined),
): NewFiling<R>[] {
  const few = filings.slice(0, COUNT)
  return few.map((filing, place) => {
    const superseded = target(place)
    const supersedesId = superseded === undefined || superseded === place ? null : (few[superseded]?.record.id ?? null)
    const filedAt = isoTime(NOW - ((place * 37) % COUNT) * DAY)
    return { ...filing, record: { ...filing.record, supersedesId, filedAt } }
  })
}

interface KnownTime {
  id: string
  filedAt: number
  knownTo: number | null
}

async function knownTimes(db: Db): Promise<Record<SecDataset, KnownTime[]>> {
  const rows = SEC_DATASETS.map(async (dataset) => {
    const { table } = SEC_TABLES[dataset].list
    return [
      dataset,
      await db.query(`select id, filed_at as "filedAt", known_to as "knownTo" from ${table} order by id`),
    ]
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** Takes the store back to before the migration. */
async function undoHistory(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const dataset of SEC_DATASETS) {
      const { table } = SEC_TABLES[dataset].list
      await tx.query(`drop index ${table}_by_known_to`)
      await tx.query(`alter table ${table} drop column known_to`)
    }
    await tx.query('drop table sec_supersessions')
    await tx.query("delete from migrations where name = '024-sec-history.sql'")
  })
}
