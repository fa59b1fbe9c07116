import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import {
  CHANGES_START,
  changeSomething,
  insertCatalogues,
  Mirror,
  sourceRecords,
} from '../../../test/changing-records.ts'
import { runs } from '../../../test/depth.ts'
import { dice } from '../../../test/dice.ts'
import { createPlace, onEveryEngine, openPlace, type Place } from '../../../test/harness.ts'
import { killHard } from '../../../test/spawn.ts'
import type { ChangeSource } from '../../model/changes.ts'
import type { Position } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { migrate } from '../engines/migrate.ts'
import { createStore, type Store } from '../store.ts'

const SOURCES: readonly ChangeSource[] = ['entries', 'markets', 'prediction-markets', 'insider-trades']

onEveryEngine('log of changes', (engine) => {
  let place: Place
  let dbs: Db[]
  let stores: Store[]
  const mirror = new Mirror()
  const open = async () => {
    // Several processes share a store on PostgreSQL only.
    dbs = engine === 'sqlite' ? [await openPlace(place)] : [await openPlace(place), await openPlace(place)]
    stores = dbs.map(createStore)
  }
  const close = async () => {
    for (const db of dbs) await db.close()
  }
  const db = (): Db => dbs[0] ?? assert.fail()
  const store = (instance = 0): Store => stores[instance % stores.length] ?? assert.fail()
  before(async () => {
    place = await createPlace(engine)
    await open()
    await insertCatalogues(store())
  })
  after(async () => {
    await close()
    await place.remove()
  })

  const assertExact = async () => {
    await mirror.follow(store(), 7)
    assert.deepEqual(mirror.records, await sourceRecords(store(), db()))
    const fresh = new Mirror()
    await fresh.follow(store(), 100)
    assert.deepEqual(fresh.records, mirror.records, 'a mirror that starts now has the same records')
  }

  test('a mirror equals the source after any inserts, edits and removals by two writers, read meanwhile', async () => {
    let now = CHANGES_START
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 9 }), async (seed, limit) => {
        const write = async (instance: number) => {
          const roll = dice(seed + instance)
          for (let step = 0; step < 12; step += 1) {
            now += 1
            await changeSomething(store(instance), db(), roll, now)
          }
        }
        const read = async () => {
          for (let round = 0; round < 10; round += 1) await mirror.follow(store(1), limit)
        }
        // All end before a failure is reported, so that nothing goes on in the next run.
        const ends = await Promise.allSettled([write(0), write(1), read()])
        for (const end of ends) if (end.status === 'rejected') throw end.reason
        await assertExact()
      }),
      { numRuns: runs(8, 80) },
    )
  })

  test('holds at most one insert and one revision of a record, and counts its changes', async () => {
    const rows = await db().query<{ source: string; ref: number; action: string }>('select * from changes')
    const keys = new Set(rows.map(({ source, ref, action }) => `${source} ${ref} ${action}`))
    assert.equal(keys.size, rows.length)
    const gone = new Set(rows.filter(({ action }) => action === 'removal').map(({ source, ref }) => `${source} ${ref}`))
    assert.ok(rows.every(({ source, ref, action }) => action === 'removal' || !gone.has(`${source} ${ref}`)))
    const { totalCount } = await store().changes.page({ sources: SOURCES, sort: 'id:asc', limit: 1, from: undefined })
    assert.equal(totalCount, rows.length)
    assert.ok(rows.length > 30 && gone.size > 0)
  })

  test('pages in both directions and orders join up to the whole list', async () => {
    for (const sort of ['id:asc', 'id:desc'] as const) {
      const walk = async (direction: Position['direction'], start: Position | undefined) => {
        const ids: number[] = []
        for (let from = start; ; ) {
          const page = await store().changes.page({ sources: SOURCES, sort, limit: 7, from })
          const own = page.data.parse().map(({ id }) => id)
          if (direction === 'after') ids.push(...own)
          else ids.unshift(...own)
          const key = direction === 'after' ? page.last : page.first
          if (!(direction === 'after' ? page.hasMore : page.hasPrev) || key === null) return { ids, page }
          from = { direction, key, inclusive: false }
        }
      }
      const { ids, page } = await walk('after', undefined)
      assert.equal(ids.length, page.totalCount)
      assert.deepEqual(
        ids,
        ids.toSorted((one, other) => (sort === 'id:asc' ? one - other : other - one)),
      )
      assert.equal(page.hasPrev, true)
      const last = ids.at(-1) ?? 0
      const back = await walk('before', { direction: 'before', key: [last], inclusive: false })
      assert.deepEqual(back.ids, ids.slice(0, -1))
      assert.equal(back.page.hasMore, true)
    }
  })

  test('a mirror equals the source after the process that writes was killed again and again', async () => {
    const { DATABASE_URL, DATA_DIR = '' } = place.env
    for (let round = 0; round < runs(3, 15); round += 1) {
      // SQLite serves one process at a time.
      await close()
      const args = [String(round), DATA_DIR, ...(DATABASE_URL === undefined ? [] : [DATABASE_URL])]
      const child = fork(join(import.meta.dirname, '../../../test/change-worker.ts'), args, { execArgv: [] })
      await once(child, 'message')
      await delay(50 + ((round * 137) % 400))
      await killHard(child)
      await open()
      await assertExact()
    }
  })

  if (engine === 'sqlite') {
    test('a revision, a removal and the list of edits cost the same in a long log', async () => {
      const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000)`
      await db().transaction((tx) =>
        tx.query(`insert into changes (source, position, ref, action, at)
          ${numbers} select 'entries', 1000000000 + i, 1000000000 + i, 'insert', 0 from n`),
      )
      const ids = (await db().query<{ id: string }>('select id from entries limit 5')).map(({ id }) => id)
      const { entries } = store()
      // Of all threads: another one writes.
      const before = process.cpuUsage()
      for (let round = 0; round < 10; round += 1) {
        for (const id of ids) await entries.update([{ id, title: `Round ${round}` }], CHANGES_START)
        await entries.listChanges(0, 10)
        await entries.countChanges(0)
      }
      await entries.remove(ids, CHANGES_START)
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 800_000, `${user + system} µs`)
      await db().transaction((tx) => tx.query('delete from changes where position > 1000000000'))
    })
  }

  test('the migration logs all records of an older store and keeps its revisions and removals', async () => {
    const edits = "select source, ref, action, record_id from changes where action <> 'insert' order by position"
    const entryEdits = (await db().query<{ source: string }>(edits)).filter(({ source }) => source === 'entries')
    await db().transaction(async (tx) => {
      for (const sql of UNDO) await tx.query(sql)
    })
    const names = ['060-changes.sql', '060-changes.ts', '061-change-indexes.sql']
    assert.deepEqual(await migrate(db(), CHANGES_START), names)
    await close()
    await open()
    assert.deepEqual(await db().query(edits), entryEdits)
    const removed = entryEdits.length
    const fresh = new Mirror()
    await fresh.follow(store(), 50)
    assert.deepEqual(fresh.records, await sourceRecords(store(), db()))
    const { totalCount } = await store().changes.page({ sources: SOURCES, sort: 'id:asc', limit: 1, from: undefined })
    assert.equal(totalCount, fresh.records.size + removed)
    await changeSomething(store(), db(), dice(1), CHANGES_START)
    await fresh.follow(store(), 50)
    assert.deepEqual(fresh.records, await sourceRecords(store(), db()))
  })
})

/** Restores the tables from before the migration, with the revisions and removals of entries. */
const UNDO = [
  `create table entry_changes (seq integer primary key, after_seq integer not null, entry_seq integer not null,
     entry_id text not null, kind text not null, at bigint not null)`,
  'create table removed_entries (id text primary key, change_seq integer not null)',
  `insert into entry_changes select c.position, 0, c.ref, coalesce(c.record_id, ''),
     case c.action when 'removal' then 'removed' else 'revised' end, c.at
   from changes c where c.source = 'entries' and c.action <> 'insert'`,
  `insert into removed_entries select record_id, position from changes where source = 'entries' and record_id is not null`,
  'drop table changes',
  'drop table change_counts',
  "update feeds set name = 'entry_changes' where name = 'changes'",
  "delete from migrations where name like '060-change%' or name like '061-change%'",
]
