/** Data that is read from a replica is the same as on the primary, whatever happens to the replica. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { endpoints } from '../../src/api/index.ts'
import { hasEnvelope } from '../../src/http/endpoint.ts'
import { SEC_DATASETS } from '../../src/model/sec/datasets.ts'
import { HOUR, MINUTE } from '../../src/model/time.ts'
import type { Db } from '../../src/store/db.ts'
import { openPostgres } from '../../src/store/engines/postgres.ts'
import { changeSomething, insertCatalogues, Mirror, sourceRecords } from '../changing-records.ts'
import { runs } from '../depth.ts'
import { dice } from '../dice.ts'
import { onPostgres, type Reply, TestService } from '../harness.ts'
import { REPLICABLE, type RunningPostgres, startPostgres } from '../postgres.ts'
import { TcpProxy } from '../tcp-proxy.ts'

/** Requests for every list and object without an id in its path, in every order. */
const REQUESTS = endpoints
  .filter(({ readsData, returns, path, params }) => readsData && hasEnvelope(returns) && !params && !/files/.test(path))
  .flatMap(({ path, query }) => {
    const { enum: sorts = [] }: { enum?: string[] } = query?.properties.sortBy ?? {}
    const plain = sorts.filter((sort) => !sort.startsWith('relevance'))
    return plain.length === 0 ? [path] : plain.map((sort) => `${path}?limit=3&sortBy=${sort}`)
  })

onPostgres('a replica', () => {
  let primary: RunningPostgres
  let replica: RunningPostgres
  let proxy: TcpProxy
  let service: TestService
  /** Reads from the primary only. */
  let oracle: TestService
  let db: Db
  let key: string
  const roll = dice(7)

  before(async () => {
    const started = await startPostgres(REPLICABLE)
    assert.ok(!('unavailable' in started))
    primary = started
    replica = await primary.replica()
    proxy = await TcpProxy.start(new URL(replica.url))
    const DATABASE_URL = primary.url
    oracle = await TestService.start('postgres', { DATABASE_URL })
    service = await oracle.twin({ DATABASE_READ_URL: proxy.urlOf(replica.url) })
    db = await openPostgres(DATABASE_URL)
    key = (await oracle.openUnlimited()).key
    await insertCatalogues(oracle.mintick.store)
    for (let change = 0; change < 100; change += 1) await changeSome()
    await untilReplayed()
  })
  after(async () => {
    await service.mintick.close()
    await oracle.stop()
    await db.close()
    await proxy.close()
    await replica.stop()
    await primary.stop()
  })
  // A test that failed may have left the replay paused, for which the others would wait.
  afterEach(() => resume().catch(() => {}))

  function changeSome(): Promise<void> {
    oracle.clock.advance(Math.floor(roll() * 5) * MINUTE)
    return changeSomething(oracle.mintick.store, db, roll, oracle.clock.now())
  }

  async function onServer<Row>(url: string, sql: string): Promise<Row | undefined> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql)).rows[0]
    } finally {
      await client.end()
    }
  }

  const pause = () => onServer(replica.url, 'select pg_wal_replay_pause()')
  const resume = () => onServer(replica.url, 'select pg_wal_replay_resume()')

  async function untilReplayed(): Promise<void> {
    const head = await onServer<{ lsn: string }>(primary.url, 'select pg_current_wal_flush_lsn() as lsn')
    for (;;) {
      const sql = `select pg_last_wal_replay_lsn() >= '${head?.lsn}' as done`
      if ((await onServer<{ done: boolean }>(replica.url, sql))?.done) return
      await delay(5)
    }
  }

  /** Returns how many requests the replica answers while `work` runs. */
  async function answeredByReplica(work: () => Promise<unknown>): Promise<number> {
    const count = async () => {
      const { body } = await service.call('/metrics', {
        headers: { authorization: `Bearer ${service.mintick.adminToken}` },
      })
      return Number(/^mintick_data_reads_total\{database="replica"\} (\d+)$/m.exec(body)?.[1])
    }
    const start = await count()
    await work()
    return (await count()) - start
  }

  async function assertSame(path: string): Promise<Reply> {
    const [own, expected] = await Promise.all([service.api(path, key), oracle.api(path, key)])
    assert.deepEqual(own.body, expected.body, path)
    assert.equal(own.status, expected.status, path)
    return own
  }

  async function assertAllSame(paths = REQUESTS): Promise<void> {
    for (const path of paths) {
      const { body } = await assertSame(path)
      const { nextCursor } = body.meta ?? {}
      if (nextCursor) await assertSame(`${path}&after=${nextCursor}`)
      const id = body.data[0]?.id
      if (typeof id === 'string') await assertSame(`${path.split('?')[0]}/${id}`)
    }
  }

  test('that has all data answers every request for data, as the primary does', async () => {
    const requests = REQUESTS.length
    assert.ok(requests > 30)
    assert.ok((await answeredByReplica(assertAllSame)) >= requests)
    assert.ok((await answeredByReplica(() => service.api('/account', key))) === 0)
  })

  test('while data changes and its replay pauses and resumes, answers are those of the primary', async () => {
    for (let round = 0; round < runs(4, 150); round += 1) {
      const isPaused = roll() < 0.5
      if (isPaused) await pause()
      for (let change = 0; change < 1 + roll() * 3; change += 1) await changeSome()
      // Windows of counts move, and signals and markets end, when they are read.
      if (roll() < 0.2) oracle.clock.advance(Math.floor(roll() * 30) * HOUR)
      const some = REQUESTS.filter(() => roll() < runs(0.1, 0.3))
      const answered = await answeredByReplica(() => assertAllSame(some))
      if (isPaused && some.length > 0) {
        // A change that failed, or had nothing to change, leaves the replica current.
        const versions = await Promise.all([primary, replica].map(({ url }) => onServer(url, VERSION)))
        if (JSON.stringify(versions[0]) !== JSON.stringify(versions[1])) assert.equal(answered, 0)
      }
      await resume()
      if (roll() < 0.5) await untilReplayed()
      await assertAllSame(some)
    }
    await untilReplayed()
    assert.ok((await answeredByReplica(assertAllSame)) > 0)
  })

  test('a walk through a list skips nothing and repeats nothing while the replica falls back and catches up', async () => {
    for (const path of [
      '/entries?sortBy=createdAt:asc',
      '/entries?sortBy=publishedAt:desc',
      '/changes?sortBy=id:asc',
    ]) {
      const seen: (string | number)[] = []
      let total = 0
      let cursor = ''
      let isPaused = false
      for (;;) {
        const { data, meta } = await service.get(`${path}&limit=7${cursor}`, key)
        seen.push(...data.map(({ id }: { id: string | number }) => id))
        if (path.startsWith('/entries')) assert.ok(meta.totalCount >= total, 'the total never falls')
        total = meta.totalCount
        if (!meta.nextCursor) break
        cursor = `&after=${meta.nextCursor}`
        await (isPaused ? resume() : pause())
        isPaused = !isPaused
        if (seen.length < 100) await importEntry()
      }
      await resume()
      assert.equal(new Set(seen).size, seen.length, path)
      // New entries come first in the order of publication, before those that were read.
      if (path.includes(':asc')) assert.equal(seen.length, total, path)
    }
  })

  async function importEntry(): Promise<string> {
    const url = `https://replica.example/${roll()}`
    const publishedAt = new Date(oracle.clock.now()).toISOString()
    const row = { title: 'Zebras rally', url, publisher: 'Zebra', publishedAt }
    const { status } = await oracle.admin('/import/entries', { method: 'POST', body: { rows: [row] } })
    assert.equal(status, 200)
    return (await oracle.get('/entries?limit=1', key)).data[0].id
  }

  test('an entry is there, and gone, at once on an instance whose replica is behind', async () => {
    await untilReplayed()
    await pause()
    const id = await importEntry()
    assert.equal((await service.api(`/entries/${id}`, key)).status, 200)
    assert.equal((await service.get('/entries?limit=1', key)).data[0].id, id)
    // An export goes on after a row that the replica does not have.
    const rest = await service.api(`/export/entries?after=${id}&limit=2`, key)
    assert.equal(rest.status, 200)
    assert.equal(rest.body.trim().split('\n').length, 2)
    await resume()
    await untilReplayed()
    assert.equal(await answeredByReplica(() => service.api(`/entries/${id}`, key)), 1)
    for (const each of [id, await importEntry(), await importEntry()]) {
      await untilReplayed()
      await pause()
      // The instance has compared the versions right before the removal.
      assert.equal((await service.api(`/entries/${each}`, key)).status, 200)
      assert.equal((await oracle.admin(`/entries/${each}`, { method: 'DELETE' })).status, 200)
      assert.equal((await service.api(`/entries/${each}`, key)).status, 404)
      await resume()
    }
  })

  test('keys, accounts and the request log are never read from a replica', async () => {
    await untilReplayed()
    await pause()
    const created = await service.api('/account/api-keys', key, { method: 'POST', body: { name: 'robot' } })
    assert.equal(created.status, 200)
    // Of requests that share a commit, the charged ones are logged first.
    await service.mintick.admission.requestWriter.drain()
    const { apiKey, id } = created.body.data
    const reply = await service.api('/entries?limit=1', apiKey)
    assert.equal(reply.status, 200)
    await service.mintick.admission.requestWriter.drain()
    assert.equal((await service.get('/account/logs?limit=1', apiKey)).data[0].path.split('?')[0], '/api/v1/entries')
    assert.equal((await service.api(`/account/api-keys/${id}`, key, { method: 'DELETE' })).status, 200)
    assert.equal((await service.api('/entries?limit=1', apiKey)).status, 401)
    await resume()
  })

  test('a mirror that follows /changes has every record in the end', async () => {
    const mirror = new Mirror()
    const follow = async () => {
      for (let query = 'limit=50'; ; ) {
        const from = mirror.last === 0 ? '' : `&after=${mirror.last}`
        const { data, meta } = await service.get(`/changes?${query}${from}`, key)
        mirror.apply(data)
        if (!meta.nextCursor || data.length === 0) return
      }
    }
    for (let round = 0; round < runs(10, 200); round += 1) {
      if (roll() < 0.3) await pause()
      if (roll() < 0.3) await resume()
      await changeSome()
      if (roll() < 0.7) await follow()
    }
    await follow()
    await resume()
    assert.deepEqual(mirror.records, await sourceRecords(oracle.mintick.store, db))
  })

  test('exports from a replica have the rows of the primary', async () => {
    await untilReplayed()
    const exported = async (one: TestService, name: string) =>
      (await one.api(`/export/${name}?format=csv`, key)).body as string
    const answered = await answeredByReplica(async () => {
      for (const name of ['entries', 'prediction-markets', ...SEC_DATASETS]) {
        assert.equal(await exported(service, name), await exported(oracle, name))
      }
    })
    assert.equal(answered, 2 + SEC_DATASETS.length)
  })

  test('a replica that does not answer, refuses or dies makes no request fail', async () => {
    const call = async () => {
      const startedAt = performance.now()
      await assertSame('/entries?limit=3')
      return performance.now() - startedAt
    }
    proxy.silence()
    const first = await call()
    assert.ok(first < 6_000, `a call waited ${first} ms for a silent replica`)
    await delay(1_500)
    const later = await call()
    assert.ok(later < 500, `a call waited ${later} ms although the replica is known to be silent`)
    proxy.restore()
    await untilUsed()
    process.kill(replica.pid() ?? 0, 'SIGKILL')
    for (let count = 0; count < 20; count += 1) await call()
    await changeSome()
    await replica.restart()
    await untilUsed()
  })

  async function untilUsed(): Promise<void> {
    const until = performance.now() + 15_000
    while ((await answeredByReplica(() => assertSame('/entries?limit=3'))) === 0) {
      assert.ok(performance.now() < until, 'the replica is not used again')
      await delay(50)
    }
  }
})

const VERSION = 'select sum(last_seq) + sum(epoch) as version from feeds'
