/** Several workers share the work in the background: each piece is done once, and goes on when a worker dies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DAY, MINUTE, SECOND } from '../../src/model/time.ts'
import { sampleReports } from '../../src/sample/world/entries.ts'
import { runs } from '../depth.ts'
import { FakeClock, onPostgres, TestService } from '../harness.ts'
import { killHard, spawnService } from '../spawn.ts'

const LIVE = { SAMPLE_DATA: 'on', SAMPLE_LIVE: 'on', ROLE: 'worker' }
/** Leases last half a minute. */
const LIMIT_MS = 60_000

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, what)
    await delay(50)
  }
}

/** Returns how many entries the live sample adds up to a time after its start. */
function countLive(start: number, now: number): number {
  const day = { count: DAY / (5 * SECOND), from: start, to: start + DAY, seed: `live:${start}` }
  return [...sampleReports(day)].filter(({ entry }) => entry.createdAt <= now).length
}

/** Returns how many months, counted from the first time, have begun until the second. */
function monthsBetween(from: number, to: number): number {
  let months = 0
  const start = new Date(from)
  while (new Date(from).setUTCMonth(start.getUTCMonth() + months + 1) <= to) months += 1
  return months
}

onPostgres('several workers', () => {
  test('the live sample is added once, and another worker goes on after the first', async () => {
    const first = new TestService(new FakeClock())
    first.isAlone = true
    await first.start('postgres', LIVE)
    const { clock } = first
    const { store } = first.mintick
    const added = async () => (await store.entries.total()) - before
    const before = await store.entries.total()
    const start = clock.now()
    clock.advance(SECOND)
    const second = await first.twin()
    try {
      // Within the minute: candles of all markets take their time.
      clock.advance(28 * SECOND)
      const expected = countLive(start, clock.now())
      assert.ok(expected > 0)
      await until(async () => (await added()) >= expected, 'no live sample')
      // Two steps of the other one.
      await delay(2_200)
      assert.equal(await added(), expected)
    } finally {
      await first.mintick.close()
    }
    await delay(1_200)
    const total = await second.mintick.store.entries.total()
    clock.advance(MINUTE)
    await until(async () => (await second.mintick.store.entries.total()) > total, 'the other worker does not go on')
    await second.stop()
  })

  test('kill -9 of a worker: another one takes its leases, and months are granted once', async () => {
    const api = await TestService.start('postgres', { SAMPLE_DATA: 'on', ROLE: 'api' })
    const database = new pg.Client({ connectionString: api.place.env.DATABASE_URL })
    await database.connect()
    const holderOf = async (name: string): Promise<string | undefined> =>
      (await database.query('select holder from leases where name = $1', [name])).rows[0]?.holder
    const env = { ...api.place.env, ...LIVE }
    // Opened at the time of the fake clock: for the workers, the months since then are due.
    const { id } = await api.open('starter')
    const isGranted = async () =>
      (await database.query('select next_period_at from accounts where id = $1', [id])).rows[0].next_period_at >
      Date.now()
    const countGrants = async (): Promise<number> =>
      (await database.query("select count(*) from transfers where account_id = $1 and kind = 'grant'", [id])).rows[0]
        .count
    const opened = await countGrants()
    const workers = [await spawnService(env)]
    try {
      await until(async () => (await holderOf('live sample')) !== undefined, 'nobody adds to the sample')
      const holder = await holderOf('live sample')
      workers.push(await spawnService(env))
      await until(isGranted, 'no month was granted')
      await delay(1_500)
      assert.equal(await holderOf('live sample'), holder, 'the worker keeps its lease')
      assert.equal(await countGrants(), opened + monthsBetween(api.clock.now(), Date.now()))

      const [victim] = workers
      assert.ok(victim)
      await killHard(victim.child)
      // A deep run waits until the leases of the dead worker end by themselves.
      if (runs(0, 1) === 0) await database.query('update leases set expires_at = 0')
      await until(async () => ![undefined, holder].includes(await holderOf('live sample')), 'nobody takes over')
      const rows = [{ url: 'https://news.example/1', title: 'Apple shares rise after strong results' }]
      assert.equal((await api.admin('/import/entries', { method: 'POST', body: { rows } })).status, 200)
      await until(async () => (await api.mintick.ingest.indexing.left()) === 0, 'nobody indexes')
      assert.deepEqual((await api.mintick.store.audit.run()).problems, [])
    } finally {
      for (const { child } of workers) child.kill('SIGKILL')
      await database.end()
      await api.stop()
    }
  })
})
