/** `mintick seed`, run as a separate process. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { builtInAssets } from '../../src/catalogue/built-in/assets.ts'
import { builtInTopics } from '../../src/catalogue/built-in/topics.ts'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { openDb } from '../../src/drivers.ts'
import { createMintick } from '../../src/main.ts'
import { seed } from '../../src/sample/seed.ts'
import { sampleEntries } from '../../src/sample/world/entries.ts'
import { samplePublishers } from '../../src/sample/world/publishers.ts'
import type { Db } from '../../src/store/db.ts'
import { countRows } from '../../src/store/sql.ts'
import { createStore } from '../../src/store/store.ts'
import { assertCountsHold } from '../counts.ts'
import { runs, some } from '../depth.ts'
import { createPlace, onBothEngines, onEveryEngine, onPostgres, openTestDb } from '../harness.ts'
import { finished, firstLine, killHard, spawnCommand } from '../spawn.ts'

onEveryEngine('mintick seed', (engine) => {
  let place: Awaited<ReturnType<typeof createPlace>>
  before(async () => {
    place = await createPlace(engine)
  })
  after(() => place.remove())

  test('adds as many entries as asked for, which the service then answers, searches and counts', async () => {
    const { code, stdout } = await finished(spawnSeed(place.env, '--entries', '5000'))
    assert.deepEqual([code, /^Added 5000 entries in [\d.]+ s, \d+ per second\n$/.test(stdout)], [0, true], stdout)
    const mintick = await createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${mintick.ownerKey}` }
      return (await mintick.app.inject({ url: `/api/v1${path}`, headers })).json()
    }
    assert.equal((await get('/entries')).meta.totalCount, 5_000)
    const day = new Date(Date.now() - 86_400_000).toISOString()
    const recent = (await get(`/entries?publishedAfter=${day}`)).meta.totalCount
    assert.ok(recent > 300 && recent < 4_000, `${recent} entries of the last day`)
    const byAsset = (await get('/entries?assetKey=AAPL')).meta.totalCount
    assert.ok(byAsset > 0)
    assert.ok((await get('/entries?search=shares')).meta.totalCount > 0)
    await mintick.close()
    await withDb(place.env, async (db) => {
      await assertCountsHold(db, Date.now())
      const [apple] = await db.query<{ total: number }>(
        "select c.total from asset_counts c join assets a on a.ref = c.ref where a.key = 'AAPL'",
      )
      assert.equal(apple?.total, byAsset)
    })
  })

  test('adds others when it runs again, beside what is there', async () => {
    const { code } = await finished(spawnSeed(place.env, '--entries', '1500', '--to', '2026-01-31T12:00:00Z'))
    assert.equal(code, 0)
    await withDb(place.env, async (db) => {
      assert.equal(await countRows(db, 'entries'), 6_500)
      await assertCountsHold(db, Date.now())
    })
  })

  test('Ctrl-C stops it between two batches, with a store that is whole', async () => {
    const child = spawnSeed(place.env, '--entries', '3000000')
    await firstLine(child)
    child.kill('SIGINT')
    const { code, stdout } = await finished(child)
    assert.equal(code, 130)
    const added = Number(/^Interrupted after (\d+) entries/.exec(stdout)?.[1])
    await withDb(place.env, async (db) => {
      assert.equal(await countRows(db, 'entries'), 6_500 + added)
      await assertCountsHold(db, Date.now())
      await assertSameIndexes(db)
    })
  })
})

describe('mintick seed on the embedded store', () => {
  test('refuses wrong numbers and times in one line', async () => {
    const place = await createPlace('sqlite')
    for (const entries of some(['0', '1.5', '100000001'], 1)) {
      const { code, stderr } = await finished(spawnSeed(place.env, `--entries=${entries}`))
      assert.deepEqual([code, stderr], [1, 'mintick: --entries must be a whole number from 1 to 100000000\n'])
    }
    const { code, stderr } = await finished(spawnSeed(place.env, '--entries', '5', '--to', '2026-02-30'))
    assert.deepEqual([code, stderr.split('\n').length], [1, 2])
    assert.match(stderr, /^mintick: --to must be a time/)
    for (const to of some(['9999-12-31', '1969-12-31'], 1)) {
      const { code, stderr } = await finished(spawnSeed(place.env, '--entries', '5', '--to', to))
      assert.equal(code, 1)
      assert.match(stderr, /^mintick: --to must not be .*\n$/)
    }
    await place.remove()
  })

  test('says so when another process holds the folder', async () => {
    const place = await createPlace('sqlite')
    await withDb(place.env, async () => {
      const { code, stderr } = await finished(spawnSeed(place.env, '--entries', '5'))
      assert.equal(code, 1)
      assert.match(stderr, /^mintick: DATA_DIR: another Mintick process is using the data folder .+\n$/)
    })
    await place.remove()
  })

  for (const megabytes of some([runs(10, 60), 0], 1)) {
    test(`kill -9 past ${megabytes} MB of log: the next start has every index, and totals and counts are exact`, async () => {
      const place = await createPlace('sqlite')
      const child = spawnSeed(place.env, '--entries', '1000000')
      await firstLine(child)
      const wal = join(place.env.DATA_DIR ?? '', 'mintick.sqlite-wal')
      while (statSync(wal).size < megabytes * 1e6) await delay(20)
      await killHard(child)
      const mintick = await createMintick(readConfig(place.env), { log: pino({ level: 'silent' }) })
      const headers = { authorization: `Bearer ${mintick.ownerKey}` }
      assert.equal((await mintick.app.inject('/health')).statusCode, 200)
      // Listening keeps the process alive while a worker thread counts.
      await mintick.app.listen({ port: 0 })
      const { meta } = (await mintick.app.inject({ url: '/api/v1/entries', headers })).json()
      await mintick.close()
      await withDb(place.env, async (db) => {
        const [counted] = await db.query<{ entries: number; searched: number }>(
          'select (select count(*) from entries) as entries, (select count(*) from entries_search) as searched',
        )
        assert.deepEqual({ ...counted }, { entries: meta.totalCount, searched: meta.totalCount })
        await assertSameIndexes(db)
        await assertCountsHold(db, Date.now())
      })
      await place.remove()
    })
  }
})

onEveryEngine('a bulk load', (engine) => {
  test('what a crash leaves undone of the indexes is done at the next start', async () => {
    const place = await createPlace(engine)
    await withDb(place.env, async (db) => {
      const store = createStore(db)
      let steps = 0
      const crash = () => {
        steps += 1
        if (steps === 4) throw new Error('as if killed here')
      }
      await assert.rejects(seed(store, { entries: 20_000, to: Date.now(), now: Date.now(), onStep: crash }))
    })
    await withDb(place.env, async (db) => {
      assert.equal(await countRows(db, 'entries'), 20_000)
      await assertSameIndexes(db)
      await assertCountsHold(db, Date.now())
    })
    await place.remove()
  })
})

onEveryEngine('a load and ordinary inserts', (engine) => {
  test('leave the same rows and the same words in the index', async () => {
    const now = Date.parse('2026-03-02T10:20:30.400Z')
    const [loaded, inserted] = await Promise.all([openTestDb(engine), openTestDb(engine)])
    // Less than a batch: its entries are logged as of the last one.
    const count = runs(700, 9_000)
    await seed(createStore(loaded.db), { entries: count, to: now, now, name: 'same' })
    const store = createStore(inserted.db)
    await store.publishers.insert(samplePublishers, now)
    await store.assets.insert(builtInAssets, now)
    await store.topics.insert(builtInTopics, now)
    await store.counts.settle(now)
    const from = now - (count / 2_000) * 86_400_000
    const entries = [...sampleEntries({ count, from, to: now, seed: 'seed same', hasTimedIds: true })]
    assert.equal(await store.entries.insert(entries), count)
    for (const table of WRITTEN.filter((name) => name !== 'feed_progress')) {
      assert.deepEqual(await rowsOf(loaded.db, table), await rowsOf(inserted.db, table), table)
    }
    assert.deepEqual(await indexedWords(loaded.db), await indexedWords(inserted.db))
    await Promise.all([loaded.close(), inserted.close()])
  })
})

onPostgres('mintick seed on PostgreSQL', () => {
  test('kill -9: the next start has every index, counts are exact, and another load goes on', async () => {
    const place = await createPlace('postgres')
    const child = spawnSeed(place.env, '--entries', '1000000')
    await firstLine(child)
    await withDb(place.env, async (db) => {
      // This process has found a load under way and leaves it alone.
      while ((await countRows(db, 'entries')) === 0) await delay(20)
      const [loading] = await db.query<{ name: string | null }>("select to_regclass('bulk_indexes') as name")
      assert.equal(loading?.name, 'bulk_indexes')
    })
    await killHard(child)
    await withDb(place.env, async (db) => {
      await assertSameIndexes(db)
      await assertCountsHold(db, Date.now())
      const before = await countRows(db, 'entries')
      assert.equal(await countRows(db, 'entries_search'), before)
      const now = Date.now()
      assert.equal(await seed(createStore(db), { entries: 2_000, to: now, now }), 2_000)
      assert.equal(await countRows(db, 'entries'), before + 2_000)
    })
    await place.remove()
  })

  test('the rows of a load that fails are as whole as those before it', async () => {
    const { db, close } = await openTestDb('postgres')
    const rows = Array.from({ length: 100 }, (_, index) => [`name ${index % 99}`, 'value'])
    const insert = db.transaction((tx) => tx.insert('store_facts', ['name', 'value'], rows))
    await assert.rejects(insert, /duplicate key/)
    assert.equal(await countRows(db, 'store_facts'), 0)
    await close()
  })
})

onBothEngines('the same load on both engines', (engines) => {
  test('leaves the same rows in every table that it writes', async () => {
    const [one, other] = await Promise.all(
      engines.map(async (engine) => {
        const { db, close } = await openTestDb(engine)
        const now = Date.parse('2026-03-02T10:20:30.400Z')
        // More than a batch.
        await seed(createStore(db), { entries: runs(12_000, 50_000), to: now, now, name: 'same' })
        const rows = new Map<string, string[]>()
        for (const table of WRITTEN) rows.set(table, await rowsOf(db, table))
        rows.set('entries_search', [String(await countRows(db, 'entries_search'))])
        await close()
        return rows
      }),
    )
    for (const [table, rows] of one ?? []) {
      assert.ok(rows.length > 0, table)
      assert.deepEqual(other?.get(table), rows, table)
    }
  })

  test('texts and bytes arrive unchanged, whatever they contain', async () => {
    const bytes = new Uint8Array(256).map((_, index) => index)
    const texts = [
      '',
      '\\N',
      '\\.',
      '\\',
      'a\tb\nc\rd',
      '\\t\\n',
      "it's",
      'é 😀 \u2028',
      '\b\f\v',
      '\ud800 lone',
      '\u0001',
    ]
    const read = await Promise.all(
      engines.map(async (engine) => {
        const { db, close } = await openTestDb(engine)
        await db.transaction(async (tx) => {
          await tx.query(
            `create table copied (place integer, words text, ratio double precision, data ${db.dialect.blob})`,
          )
          const rows = Array.from({ length: 100 }, (_, place) => {
            const words = texts[place % texts.length] ?? null
            return place % 13 === 0
              ? [place, null, null, null]
              : [place, words, (place - 50) / 3e-9, bytes.subarray(place)]
          })
          await tx.insert('copied', ['place', 'words', 'ratio', 'data'], rows)
        })
        const rows = await db.query<{ data: Uint8Array | null }>('select * from copied order by place')
        await close()
        return rows.map(({ data, ...row }) => ({ ...row, data: data && Buffer.from(data).toString('hex') }))
      }),
    )
    assert.deepEqual(read[1], read[0])
    assert.deepEqual(
      read[0]?.slice(1, texts.length).map((row) => 'words' in row && row.words),
      texts.slice(1).map((text) => text.toWellFormed()),
    )
  })
})

/** The tables that a load of entries writes, except the full-text index. */
const WRITTEN = [
  'entries',
  'entry_assets',
  'entry_topics',
  'entry_contents',
  'entry_spans',
  'asset_counts',
  'topic_counts',
  'publisher_counts',
  'count_windows',
  'changes',
  'change_counts',
  'catalogue_changes',
  'feeds',
  'feed_progress',
]

async function rowsOf(db: Db, table: string): Promise<string[]> {
  const all = await db.heavy.query<object>(`select * from ${table}`)
  return all.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()
}

/** Returns every word of the full-text index with its places. */
async function indexedWords(db: Db): Promise<string[]> {
  if (db.engine === 'postgres') return rowsOf(db, 'entries_search')
  await db.transaction((tx) => tx.query("create virtual table words using fts5vocab('entries_search', 'instance')"))
  return rowsOf(db, 'words')
}

const spawnSeed = (env: Record<string, string>, ...args: string[]) => spawnCommand(env, 'seed', ...args)

async function withDb(env: Record<string, string>, work: (db: Db) => Promise<void>): Promise<void> {
  const db = await openDb(readConfig(env), systemClock)
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/** Asserts that the tables and indexes equal those of a store that was never bulk loaded. */
async function assertSameIndexes(db: Db): Promise<void> {
  const fresh = await openTestDb(db.engine)
  const schema = (each: Db) => each.query(SCHEMA[db.engine])
  assert.deepEqual(await schema(db), await schema(fresh.db))
  if (db.engine === 'sqlite') await assertSameSettings(db)
  await fresh.close()
}

const SCHEMA = {
  sqlite: "select type, name, sql from sqlite_master where name <> 'sqlite_stat1' order by name",
  postgres: `select c.relkind, c.relname, pg_get_indexdef(c.oid) as definition from pg_class c
    where c.relnamespace = 'public'::regnamespace order by c.relname`,
}

/** Asserts that the full-text index has the settings of one that was never bulk loaded. */
async function assertSameSettings(db: Db): Promise<void> {
  const settings = (each: Db) =>
    each.query("select k, v from entries_search_config where k not in ('version') order by k")
  const changed = (await settings(db)).map((row) => ({ ...(row as object) }))
  const defaults = [
    { k: 'automerge', v: 4 },
    { k: 'crisismerge', v: 16 },
    { k: 'hashsize', v: 1_048_576 },
  ]
  assert.deepEqual(changed, changed.length === 0 ? [] : defaults)
}
