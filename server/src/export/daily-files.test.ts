import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CHANGES_START, changeSomething, insertCatalogues } from '../../test/changing-records.ts'
import { runs } from '../../test/depth.ts'
import { dice } from '../../test/dice.ts'
import { FakeClock, onEveryEngine, openTestDb } from '../../test/harness.ts'
import { dailyDatasets } from '../api/export/datasets.ts'
import { DAY, isoDay, startOfDay } from '../model/time.ts'
import type { Db } from '../store/db.ts'
import { storedName } from '../store/exports/export-files.ts'
import type { ListWalk } from '../store/lists/feed-pages.ts'
import { createStore, type Store } from '../store/store.ts'
import { COMPARED_DAYS, DailyFiles } from './daily-files.ts'
import { Encoding } from './encoding.ts'
import { FolderStorage } from './storage.ts'

onEveryEngine('daily files', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-files-'))
  const clock = new FakeClock(CHANGES_START + 3 * DAY)
  const encoding = new Encoding()
  let opened: { db: Db; close(): Promise<void> }
  let store: Store
  let files: DailyFiles
  /** Days of which records were read, with the dataset. */
  const reads: string[] = []
  before(async () => {
    opened = await openTestDb(engine)
    store = createStore(opened.db)
    await insertCatalogues(store)
    const datasets = dailyDatasets({ store, clock }).map((dataset) => ({
      ...dataset,
      async walk(day: number): Promise<ListWalk> {
        const { totalCount, portions } = await dataset.walk(day)
        return { totalCount, portions: noting(portions, `${dataset.name} ${isoDay(day)}`) }
      },
    }))
    async function* noting<Item>(items: AsyncIterable<Item>, name: string): AsyncIterable<Item> {
      reads.push(name)
      yield* items
    }
    const onError = (error: unknown) => assert.fail(String(error))
    const storage = new FolderStorage(folder)
    files = new DailyFiles({ store, clock, storage, encoding, folder, datasets, days: 10, onError })
  })
  after(async () => {
    await encoding.close()
    await opened.close()
    rmSync(folder, { recursive: true })
  })

  const run = async () => {
    reads.length = 0
    await files.run()
    return reads.toSorted()
  }

  /** Compares each file with the records of its day, and the folder with the list of files. */
  const assertExact = async () => {
    const today = startOfDay(clock.now())
    for (const dataset of dailyDatasets({ store, clock })) {
      const known = await store.exportFiles.listCurrent(dataset.name, isoDay(today - COMPARED_DAYS * DAY))
      for (let day = today - DAY; day >= today - COMPARED_DAYS * DAY; day -= DAY) {
        const hash = createHash('sha256')
        const { totalCount, portions } = await dataset.walk(day)
        for await (const rows of portions) for (const doc of rows.each()) hash.update(doc).update('\n')
        const file = known.find((each) => each.day === isoDay(day))
        if (file === undefined) assert.equal(totalCount, 0, `${dataset.name} ${isoDay(day)}`)
        else assert.deepEqual([file.rows, file.rowsSha256], [totalCount, hash.digest('hex')])
      }
    }
    const { data } = await store.exportFiles.page('nobody', { includeSuperseded: true }, 1_000, 0)
    for (const file of data) {
      const bytes = readFileSync(join(folder, storedName(file)))
      assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [file.bytes, file.sha256])
    }
    const stored = readdirSync(folder, { recursive: true }).map(String)
    assert.deepEqual(stored.filter((name) => /\.\w+$/.test(name)).sort(), data.map(storedName).sort())
  }

  const change = (roll: () => number) =>
    changeSomething(store, opened.db, roll, CHANGES_START + Math.floor(roll() * 3) * DAY)

  /** Adds an entry on the first day, three times. */
  const addEntries = async () => {
    for (let count = 0; count < 3; count += 1) await change(() => 1e-9)
  }

  const anEntryOf = async (day: string) =>
    (
      await store.entries.page({
        filters: { publishedAfter: Date.parse(day), publishedBefore: Date.parse(day) + DAY - 1 },
        sort: 'publishedAt:desc',
        limit: 1,
        from: undefined,
      })
    ).data.parse()[0] ?? assert.fail(`no entry on ${day}`)

  test('each day has a file with its records, after any inserts, edits and removals', async () => {
    const roll = dice(1)
    for (let round = 0; round < runs(8, 80); round += 1) {
      for (let step = Math.ceil(roll() * 30); step > 0; step -= 1) await change(roll)
      await run()
      await assertExact()
    }
    for (const dataset of ['entries', 'insider-trades']) {
      const { totalCount } = await store.exportFiles.page(
        'nobody',
        { dataset: [dataset], includeSuperseded: true },
        1,
        0,
      )
      assert.ok(totalCount > 3, `${totalCount} files of ${dataset}`)
    }
  })

  test('changes while files are built are in the next ones', async () => {
    const roll = dice(2)
    for (let round = 0; round < runs(4, 40); round += 1) {
      let isOver = false
      const changes = (async () => {
        while (!isOver) await change(roll)
      })()
      await run()
      isOver = true
      await changes
      await run()
      await assertExact()
    }
  })

  test('days that have not changed are not read', async () => {
    const day = isoDay(CHANGES_START)
    await addEntries()
    await run()
    assert.deepEqual(await run(), [])
    const { id } = await anEntryOf(day)
    await store.entries.update([{ id, title: 'Another title' }], CHANGES_START)
    // Once to compare, once to build.
    assert.deepEqual(await run(), [`entries ${day}`, `entries ${day}`])
    assert.deepEqual(await run(), [])
    await store.entries.remove([id], CHANGES_START)
    assert.deepEqual(await run(), [`entries ${day}`])
    await assertExact()
  })

  test('a file of a later version than the store, as after a restore, is compared', async () => {
    const day = isoDay(CHANGES_START)
    await addEntries()
    await run()
    const current = (await store.exportFiles.listCurrent('entries', day)).find((file) => file.day === day)
    await store.exportFiles.setVersion([current?.id ?? ''], 1e12)
    const { id } = await anEntryOf(day)
    await store.entries.update([{ id, title: 'Restored' }], CHANGES_START)
    await run()
    await assertExact()
  })

  test('a file that was stored and not added is removed, though its records have changed since', async () => {
    const day = isoDay(CHANGES_START)
    await addEntries()
    await run()
    const [lost] = (await store.exportFiles.listCurrent('entries', day)).filter((file) => file.day === day)
    if (lost === undefined) assert.fail('no file')
    await store.exportFiles.startUpload(lost)
    await store.exportFiles.remove(lost.id)
    const { id } = await anEntryOf(day)
    await store.entries.update([{ id, title: 'Changed since' }], CHANGES_START)
    await run()
    await assertExact()
  })
})
