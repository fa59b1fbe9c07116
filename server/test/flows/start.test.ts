import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { createMintick } from '../../src/main.ts'
import { runs } from '../depth.ts'
import { createPlace, FakeClock, onEveryEngine, onPostgres, TestService } from '../harness.ts'
import { killHard, spawnService } from '../spawn.ts'

onEveryEngine('start', (engine) => {
  const open = (env: Record<string, string>) => createMintick(readConfig(env), { log: pino({ level: 'silent' }) })

  test('the owner key is given on the first start only, and the sample data is loaded once', async () => {
    // Loading is slow on PostgreSQL: there, the quick lane starts on a store that has the data.
    const isLoaded = engine === 'postgres' && runs(0, 1) === 0
    const clock = new FakeClock(isLoaded ? undefined : Date.now())
    const service = await TestService.start(engine, { SAMPLE_DATA: 'on' }, clock)
    const { ownerKey, store } = service.mintick
    const entries = await store.entries.total()
    await service.restart()
    assert.match(ownerKey ?? '', /^mtk_/)
    assert.equal(service.mintick.ownerKey, undefined)
    assert.ok(entries >= 5_000)
    assert.equal(await service.mintick.store.entries.total(), entries)
    await service.stop()
  })

  test('several instances may start at once on an empty database; a data folder has one owner', async () => {
    const place = await createPlace(engine)
    const env = { ...place.env, SAMPLE_DATA: runs(0, 1) === 1 ? 'on' : 'off' }
    const results = await Promise.allSettled([open(env), open(env), open(env)])
    const started = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
    assert.equal(started.length, engine === 'postgres' ? 3 : 1)
    assert.equal(started.filter(({ ownerKey }) => ownerKey !== undefined).length, 1)
    for (const { reason } of results.filter((result) => result.status === 'rejected')) {
      assert.match(String(reason), /another Mintick process is using the data folder/)
    }
    const totals = await Promise.all(started.map(({ store }) => store.entries.total()))
    assert.equal(new Set(totals).size, 1)
    for (const mintick of started) await mintick.close()
    await place.remove()
  })

  test('a store whose keys were made with another pepper is refused', async () => {
    const place = await createPlace(engine)
    await (await open(place.env)).close()
    await assert.rejects(open({ ...place.env, KEY_PEPPER: 'x'.repeat(20) }), /KEY_PEPPER: the API keys of this store/)
    const folder = place.env.DATA_DIR ?? ''
    for (const name of ['key-pepper', 'admin-token']) rmSync(join(folder, name))
    await assert.rejects(open(place.env), /KEY_PEPPER: the API keys of this store/)
    assert.deepEqual(
      readdirSync(folder).filter((name) => /pepper|token/.test(name)),
      [],
    )
    await place.remove()
  })

  test('payments that were not thought about are refused in production, and the store is not touched', async () => {
    const place = await createPlace(engine)
    const env = { ...place.env, NODE_ENV: 'production' }
    await assert.rejects(open(env), /^Error: PAYMENTS_SANDBOX: /)
    assert.deepEqual(readdirSync(place.env.DATA_DIR ?? ''), [])
    await (await open({ ...env, PAYMENTS_SANDBOX: 'off' })).close()
    await place.remove()
  })
})

onPostgres('start with DATABASE_URL in the folder of an embedded store', () => {
  test('warns that nothing was moved, and keeps commands without DATABASE_URL off that store', async () => {
    const embedded = await createPlace('sqlite')
    const place = await createPlace('postgres')
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
    const DATA_DIR = embedded.env.DATA_DIR ?? ''
    const env = { ...place.env, DATA_DIR }
    await (await createMintick(readConfig(env), { log })).close()
    assert.deepEqual(lines, [])
    await assert.rejects(
      createMintick(readConfig(embedded.env), { log }),
      /DATABASE_URL is not set, but the service of/,
    )

    rmSync(join(DATA_DIR, 'data-is-in-postgres'))
    // The secrets of the other store stay.
    await (await createMintick(readConfig(embedded.env), { log })).close()
    await (await createMintick(readConfig(env), { log })).close()
    assert.deepEqual(lines, [
      'DATABASE_URL is set: the embedded store in DATA_DIR is not used, and nothing was moved from it',
    ])
    await place.remove()
    await embedded.remove()
  })
})

describe('the compile cache', () => {
  test('has the modules of the service and of its threads, also after kill -9', async () => {
    const { env, remove } = await createPlace('sqlite')
    const cache = join(env.DATA_DIR ?? '', 'compiled')
    const { child, url } = await spawnService({ ...env, NODE_COMPILE_CACHE: '', TMPDIR: cache, SAMPLE_DATA: 'off' })
    assert.equal((await fetch(`${url}/health`)).status, 200)
    await killHard(child)
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    const cached = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    for (const text of ['PORT or HOST', 'has no procedure']) {
      assert.ok(
        cached.some((each) => each.includes(text)),
        text,
      )
    }
    await remove()
  })
})
