/** Instances that reach PostgreSQL through PgBouncer, which pools transactions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { createMintick } from '../../src/main.ts'
import { openPostgres } from '../../src/store/engines/postgres.ts'
import { EventReader } from '../event-source.ts'
import { createPlace, FakeClock, onPostgres, TestService } from '../harness.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { newSignal } from '../signals.ts'
import { NO_LIMITS } from '../unlimited-account.ts'

const TIMEOUT_MS = 3_000

onPostgres(hasPgBouncer() ? 'PgBouncer' : 'PgBouncer (skipped: not installed)', () => {
  if (!hasPgBouncer()) return
  let pooler: PgBouncer
  let service: TestService
  let twin: TestService
  before(async () => {
    pooler = await startPgBouncer(process.env.TEST_POSTGRES_URL ?? '')
    service = new TestService(new FakeClock())
    await service.start('postgres', {}, ({ DATABASE_URL = '', DATABASE_DIRECT_URL = DATABASE_URL }) => ({
      DATABASE_URL: pooler.urlOf(DATABASE_DIRECT_URL),
      DATABASE_DIRECT_URL,
    }))
    twin = await service.twin()
  })
  after(async () => {
    await twin.mintick.close()
    await service.stop()
    await pooler.stop()
  })

  test('charges of two instances at once are exact', async () => {
    const { id, key } = await service.open('custom', 100)
    await service.admin(`/accounts/${id}`, { method: 'PATCH', body: { overrides: NO_LIMITS } })
    const calls = Array.from({ length: 400 }, (_, call) => [service, twin][call % 2]?.api('/entries?limit=1', key))
    const statuses = (await Promise.all(calls)).map((reply) => reply?.status)
    assert.equal(statuses.filter((status) => status === 200).length, 100)
    assert.equal(statuses.filter((status) => status === 402).length, 300)
    for (const { mintick } of [service, twin]) await mintick.admission.requestWriter.drain()
    assert.deepEqual((await service.mintick.store.audit.run()).problems, [])
  })

  test('instances notify each other', async () => {
    const { clock, mintick } = service
    await mintick.store.assets.upsert([{ key: 'AAPL', name: 'Apple', type: 'equity' }], clock.now())
    const { key } = await service.openUnlimited()
    const reader = await EventReader.open(`${await twin.listen()}/signals/stream`, key, '0')
    await reader.nextOf('ready')
    const change = { type: 'new' as const, signal: newSignal(clock.now(), {}), supersedes: [] }
    await mintick.store.signals.apply([change], [], clock.now())
    await mintick.bus.publish('signals', '')
    assert.equal((await reader.nextOf('signal')).data.signal.id, change.signal.id)
    reader.close()
  })

  test('transactions state their limits, and leave none behind for others on the same connection', async () => {
    const { env, remove } = await createPlace('postgres')
    const direct = env.DATABASE_URL ?? ''
    const db = await openPostgres(pooler.urlOf(direct), { directUrl: direct, timeoutMs: TIMEOUT_MS })
    const limits = "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement"
    const seen = await db.transaction(async (tx) => tx.query(limits))
    assert.deepEqual(seen, [{ lock: '3s', statement: '3s' }])
    assert.deepEqual(await db.query(limits), [{ lock: '0', statement: '0' }])
    const endless = await db.transaction(async (tx) => tx.query(limits), undefined, true)
    assert.deepEqual(endless, [{ lock: '0', statement: '0' }])

    await db.transaction(async (tx) => tx.query('create table held (id integer)'))
    const holder = new pg.Client({ connectionString: direct })
    await holder.connect()
    await holder.query('begin; lock table held')
    const startedAt = performance.now()
    await assert.rejects(db.transaction(async (tx) => tx.query('insert into held values (1)')))
    assert.ok(performance.now() - startedAt < 2 * TIMEOUT_MS)
    await holder.end()
    await db.transaction(async (tx) => tx.query('insert into held values (1)'))
    await db.close()
    await remove()
  })

  test('an empty database is migrated', async () => {
    const { env, remove } = await createPlace('postgres')
    const direct = env.DATABASE_URL ?? ''
    const config = readConfig({ ...env, DATABASE_URL: pooler.urlOf(direct), DATABASE_DIRECT_URL: direct })
    const mintick = await createMintick(config)
    assert.equal((await mintick.app.inject('/ready')).statusCode, 200)
    await mintick.close()
    await remove()
  })

  test('a pooler without the address of the server is refused with the reason', async () => {
    const { env, remove } = await createPlace('postgres')
    const DATABASE_URL = pooler.urlOf(env.DATABASE_URL ?? '')
    await assert.rejects(createMintick(readConfig({ ...env, DATABASE_URL })), /DATABASE_DIRECT_URL must lead/)
    const other = await createPlace('postgres')
    const DATABASE_DIRECT_URL = other.env.DATABASE_URL ?? ''
    await assert.rejects(
      createMintick(readConfig({ ...env, DATABASE_URL, DATABASE_DIRECT_URL })),
      /DATABASE_DIRECT_URL leads to another database/,
    )
    await other.remove()
    await remove()
  })
})
