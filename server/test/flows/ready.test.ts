import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { MINUTE } from '../../src/model/time.ts'
import { assertError, assertOk } from '../envelope.ts'
import { FakeClock, onEveryEngine, onPostgres, serviceForSuite, TestService } from '../harness.ts'
import { type LogLine, logLinesOf } from '../log-lines.ts'
import { mountSmallDisk } from '../small-disk.ts'

const MB = 1_048_576
const CALLS = 100
/** Error code of PostgreSQL. */
const READ_ONLY = '25006'

/** Asserts that the service is alive but not ready, and that only the operator is told why. */
async function assertNotReady(service: TestService, reason: RegExp): Promise<void> {
  service.clock.advance(1_000)
  assertOk(await service.call('/health'))
  const shown = await service.call('/ready')
  assertError(shown, 503, 'INTERNAL_ERROR')
  assert.equal(shown.body.error.message, 'This server is not ready')
  const headers = { authorization: `Bearer ${service.mintick.adminToken}` }
  const told = await service.call('/ready', { headers })
  assertError(told, 503, 'INTERNAL_ERROR')
  assert.match(told.body.error.message, reason)
}

async function assertReady(service: TestService): Promise<void> {
  service.clock.advance(1_000)
  assertOk(await service.call('/ready'))
}

/** Asserts that many calls, all of which fail, cause one line a minute of each kind, with their number. */
async function assertFewLines(service: TestService, lines: LogLine[], key: string): Promise<void> {
  const failCalls = async (count: number) => {
    service.clock.advance(MINUTE)
    lines.length = 0
    for (const reply of await Promise.all(Array.from({ length: count }, () => service.api('/entries', key)))) {
      assertError(reply, 500, 'INTERNAL_ERROR')
    }
    const kinds = lines.map(({ msg, err }) => `${msg}: ${err?.message}`)
    assert.deepEqual(kinds, [...new Set(kinds)])
    return lines.find(({ msg }) => msg === 'request failed')?.failures ?? 0
  }
  const before = await failCalls(CALLS)
  assert.equal(await failCalls(1), before + CALLS)
}

onEveryEngine('ready', (engine) => {
  const service = serviceForSuite(engine)

  test('a service that can charge is ready', async () => {
    for (let round = 0; round < 3; round += 1) await assertReady(service)
    assert.deepEqual((await service.call('/ready')).body.data, { status: 'ready', olderEntries: 0 })
  })
})

describe('ready on a full disk', () => {
  test('the service is alive, not ready while charged calls fail, and ready again with them', async (context) => {
    using disk = mountSmallDisk(8 * MB)
    if (disk === undefined) {
      context.skip('not permitted to mount a small disk')
      return
    }
    const service = new TestService(new FakeClock())
    const lines = logLinesOf(service)
    await service.start('sqlite', { DATA_DIR: disk.folder })
    try {
      const { key } = await service.openUnlimited()
      assertOk(await service.api('/entries', key))
      await assertReady(service)

      const rest = join(disk.folder, 'rest')
      fill(rest)
      assertError(await service.api('/entries', key), 500, 'INTERNAL_ERROR')
      await assertNotReady(service, /write: database or disk is full/)
      await assertFewLines(service, lines, key)

      rmSync(rest)
      assertOk(await service.api('/entries', key))
      await assertReady(service)
    } finally {
      await service.stop()
    }
  })
})

onPostgres('ready on a PostgreSQL that refuses writes', () => {
  const service = serviceForSuite('postgres')
  service.isAlone = true
  const lines = logLinesOf(service)

  test('the service is alive, not ready while charged calls fail, and ready again with them', async () => {
    const { key } = await service.openUnlimited()
    assertOk(await service.api('/entries', key))
    await assertReady(service)

    await setReadOnly(service, 'on')
    assertError(await service.api('/entries', key), 500, 'INTERNAL_ERROR')
    await assertNotReady(service, /write: .*read-only transaction/)
    await assertFewLines(service, lines, key)

    await setReadOnly(service, 'off')
    await assertReady(service)
    assertOk(await service.api('/entries', key))
  })
})

/** Switches writes to the database off or on, and waits until the service has new connections. */
async function setReadOnly(service: TestService, value: 'on' | 'off'): Promise<void> {
  const server = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
  await server.connect()
  await server.query(`alter database ${service.databaseName} set default_transaction_read_only = ${value}`)
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    service.databaseName,
  ])
  await server.end()
  for (;;) {
    const code = await service.mintick.store.probe.write(0).then(
      () => undefined,
      (error) => error.code,
    )
    if (code === (value === 'on' ? READ_ONLY : undefined)) return
  }
}

/** Fills the disk to the last byte. */
function fill(file: string): void {
  for (let size = MB; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // Smaller pieces may still fit.
    }
  }
}
