import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { DatabaseUnavailable } from '../../src/model/errors.ts'
import type { Procedure } from '../../src/store/db.ts'
import { openPostgres } from '../../src/store/engines/postgres.ts'
import { assertOk } from '../envelope.ts'
import { FakeClock, onPostgres, type Reply, TestService } from '../harness.ts'
import { killHard, spawnService } from '../spawn.ts'
import { TcpProxy } from '../tcp-proxy.ts'

const TIMEOUT_MS = 2_000
/** More than a call may wait, for a busy machine. */
const BOUND_MS = TIMEOUT_MS * 3
const SINGLE_CALLS = 10

onPostgres('database outage', () => {
  let proxy: TcpProxy
  let direct: pg.Client
  let key: string
  let accountId: string
  const lines: { level: number; msg: string; failedStatements?: number }[] = []
  const service = new TestService(new FakeClock())
  service.isAlone = true
  service.log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })

  before(async () => {
    proxy = await TcpProxy.start(new URL(process.env.TEST_POSTGRES_URL ?? ''))
    await service.start('postgres', { DATABASE_TIMEOUT_MS: String(TIMEOUT_MS) }, ({ DATABASE_URL = '' }) => ({
      DATABASE_URL: proxy.urlOf(DATABASE_URL),
    }))
    const account = await service.openUnlimited()
    key = account.key
    accountId = account.id
    direct = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
    await direct.connect()
  })
  after(async () => {
    proxy.restore()
    await service.stop()
    await direct.end()
    await proxy.close()
  })

  async function timed(call: () => Promise<Reply>): Promise<Reply> {
    const startedAt = performance.now()
    const reply = await call()
    const ms = performance.now() - startedAt
    assert.ok(ms < BOUND_MS, `the call took ${ms} ms`)
    return reply
  }

  const read = () => timed(() => service.api('/entries', key))

  function assertUnavailable(reply: Reply): void {
    assert.equal(reply.status, 500, JSON.stringify(reply.body))
    assert.equal(reply.body.error.code, 'INTERNAL_ERROR')
    assert.ok(Number(reply.headers['retry-after']) >= 1)
  }

  /** Calls until a call succeeds. */
  async function recovers(): Promise<void> {
    const startedAt = performance.now()
    while ((await read()).status !== 200) {
      assert.ok(performance.now() - startedAt < 5_000, 'the service did not recover')
      await delay(100)
    }
  }

  async function backends(): Promise<number[]> {
    const { rows } = await direct.query(
      "select pid from pg_stat_activity where datname = $1 and application_name = 'mintick'",
      [service.databaseName],
    )
    return rows.map(({ pid }) => pid)
  }

  const outages = [
    { name: 'a network that drops all packets', break: () => proxy.silence() },
    { name: 'a server that refuses connections', break: () => proxy.refuse() },
  ]
  for (const outage of outages) {
    test(`${outage.name}: calls fail in time, the log has two lines, and the service recovers`, async () => {
      await recovers()
      const before = await service.balance(accountId)
      lines.length = 0
      outage.break()
      const replies = await Promise.all(Array.from({ length: 30 }, read))
      for (const reply of replies) assertUnavailable(reply)
      while (lines.length === 0) assertUnavailable(await read())
      for (let call = 0; call < SINGLE_CALLS; call += 1) assertUnavailable(await read())
      assert.equal((await service.call('/ready')).status, 503)
      proxy.restore()
      await recovers()
      const errors = lines.filter(({ level, msg }) => level >= 40 && msg !== 'not ready for charged requests')
      assert.deepEqual(
        errors.map(({ msg }) => msg),
        ['the database does not answer; requests fail until it does', 'the database answers again'],
      )
      // Calls at the same time share statements.
      assert.ok((errors[1]?.failedStatements ?? 0) > SINGLE_CALLS, JSON.stringify(errors))
      assert.equal(before - (await service.balance(accountId)), 1)
    })
  }

  test('connections that die while idle are replaced', async () => {
    await Promise.all(Array.from({ length: 5 }, read))
    proxy.silence()
    await delay(10)
    proxy.restore()
    await recovers()
  })

  async function givenBack(): Promise<number> {
    const { data } = await service.get('/billing/history', key)
    return data.filter((item: { description: string }) => item.description.includes('failed')).length
  }

  for (const isForwarded of [true, false]) {
    const fate = isForwarded ? 'whose acknowledgement is lost' : 'that is lost'
    test(`a commit ${fate}: the call fails in time and costs nothing in the end`, async () => {
      await recovers()
      const before = await service.balance(accountId)
      const givenBackBefore = await givenBack()
      proxy.breakAt({ marker: 'search=zebra', trigger: 'commit', isForwarded })
      assertUnavailable(await timed(() => service.api('/entries?search=zebra', key)))
      proxy.restore()
      await recovers()
      // Until then the charge is unknown, or its transaction holds the lock of the account.
      const startedAt = performance.now()
      while (service.mintick.admission.meter.held(accountId) > 0) {
        assert.ok(performance.now() - startedAt < 10_000, 'the charge was not settled')
        await delay(50)
      }
      assert.equal(before - (await service.balance(accountId)), 1)
      assert.equal((await givenBack()) - givenBackBefore, isForwarded ? 1 : 0)
      assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
    })
  }

  test('a charge whose acknowledgement is lost with its connection is found, also if it took the last credit', async () => {
    const { id, key } = await service.open('custom', 1)
    proxy.breakAt({ marker: 'search=zebra', trigger: 'commit', isForwarded: true, isCut: true })
    assertOk(await service.api('/entries?search=zebra', key))
    assert.equal(await service.balance(id), 0)
    assert.equal((await service.api('/entries', key)).status, 402)
  })

  test('a statement that waits for a lock fails in time, and the connection stays', async () => {
    await recovers()
    const blocker = new pg.Client({ connectionString: service.place.env.DATABASE_URL })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select 1 from accounts where id = $1 for update', [accountId])
    try {
      assertUnavailable(await read())
    } finally {
      await blocker.end()
    }
    await recovers()
  })

  test('long work is not cut by the limit of requests', async () => {
    const db = await openPostgres(proxy.urlOf(service.place.env.DATABASE_URL ?? ''), { timeoutMs: 1_500 })
    const slow = 'select pg_sleep(2.5)'
    const sleep: Procedure<undefined, unknown> = {
      module: import.meta.url,
      name: 'sleep',
      work: (tx) => tx.query(slow),
    }
    await db.heavy.query(slow)
    await db.transaction((tx) => tx.query(slow), 'a lock', true)
    await db.run({ ...sleep, takesLong: true }, undefined)
    await assert.rejects(db.run(sleep, undefined), { code: 'INTERNAL_ERROR' })
    await assert.rejects(db.query(slow), { code: 'INTERNAL_ERROR', retryAfterSeconds: 1 })
    await assert.rejects(
      db.transaction((tx) => tx.query(slow)),
      { code: 'INTERNAL_ERROR' },
    )
    await db.close()
  })

  test('a long statement ends when the server falls silent', async () => {
    const db = await openPostgres(proxy.urlOf(service.place.env.DATABASE_URL ?? ''), { timeoutMs: TIMEOUT_MS })
    const asleep = db.transaction((tx) => tx.query('select pg_sleep(60)'), 'a lock', true)
    await delay(100)
    proxy.silence()
    await assert.rejects(asleep, DatabaseUnavailable)
    proxy.restore()
    await db.close()
  })

  test('frozen backends: calls fail in time, and new connections replace them', async () => {
    await recovers()
    const before = await service.balance(accountId)
    const pids = await backends()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    let replies: Reply[]
    try {
      replies = await Promise.all(Array.from({ length: 5 }, read))
      await recovers()
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    for (const reply of replies) if (reply.status !== 200) assertUnavailable(reply)
    const answered = 1 + replies.filter(({ status }) => status === 200).length
    assert.equal(before - (await service.balance(accountId)), answered)
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  test('SIGTERM ends the service during an outage', async () => {
    const { child } = await spawnService({
      ...service.place.env,
      DATABASE_URL: proxy.urlOf(service.place.env.DATABASE_URL ?? ''),
      DATABASE_TIMEOUT_MS: String(TIMEOUT_MS),
    })
    try {
      proxy.silence()
      await delay(100)
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await Promise.race([ended, delay(10_000, ['still running'])])
      assert.equal(code, 0)
    } finally {
      proxy.restore()
      if (child.exitCode === null) await killHard(child)
    }
  })
})
