/** SIGTERM loses no request that a client has sent. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { auditCharges } from '../charges.ts'
import { runs } from '../depth.ts'
import { hasHaproxy, PROXY_DRAIN_MS, startHaproxy } from '../haproxy.ts'
import { createPlace, onEveryEngine, onPostgres, type Place } from '../harness.ts'
import { KeepAliveLoad } from '../keep-alive-load.ts'
import { freePort, spawnService } from '../spawn.ts'
import { openAccountIn } from '../unlimited-account.ts'

const ROUNDS = runs(3, 20)
const CREDITS = 1_000_000
const LIMIT_MS = 20_000

/** Asserts that each of the answered calls was charged once, and nothing else. */
async function assertCharged(place: Place, accountId: string, answered: string[]): Promise<void> {
  const expected = { accountId, openingBalance: CREDITS, answered, unanswered: 0 }
  assert.deepEqual(await auditCharges(place, expected), [])
}

async function terminate(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
}

onEveryEngine('SIGTERM under load', (engine) => {
  let place: Place
  before(async () => {
    place = await createPlace(engine)
  })
  after(() => place.remove())

  test(`${ROUNDS} rounds: no connection is reset, and every answered call is charged once`, async () => {
    const { id, key } = await openAccountIn(place, CREDITS)
    const answered: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { child, url } = await spawnService({ ...place.env, DRAIN_MS: String((round % 2) * 300) })
      await using load = new KeepAliveLoad(url, key, { endsIfRefused: true })
      await load.hasAnswered(50 + round)
      await terminate(child)
      await load.end()
      assert.deepEqual(load.failures, [])
      answered.push(...load.answered)
    }
    await assertCharged(place, id, answered)
  })
})

describe('SIGTERM', () => {
  let place: Place
  let child: ChildProcess
  let port: number
  before(async () => {
    place = await createPlace('sqlite')
    const started = await spawnService({ ...place.env, DRAIN_MS: '1500' })
    child = started.child
    port = Number(new URL(started.url).port)
  })
  after(async () => {
    child.kill('SIGKILL')
    await place.remove()
  })

  const open = async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    await once(socket, 'connect')
    return {
      async ask(path: string): Promise<string> {
        socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
        return String((await once(socket, 'data'))[0])
      },
      closed: once(socket, 'close').then(([hadError]) => assert.equal(hadError, false)),
    }
  }

  test('the service is not ready, answers on open connections, and closes them', async () => {
    const [busy, idle] = [await open(), await open()]
    assert.match(await busy.ask('/ready'), /^HTTP\/1.1 200 .*connection: keep-alive/is)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    while (!/^HTTP\/1.1 503/.test(await (await open()).ask('/ready'))) await delay(10)
    assert.match(await busy.ask('/health'), /^HTTP\/1.1 200 .*connection: close/is)
    const late = await open()
    assert.match(await late.ask('/health'), /^HTTP\/1.1 200 /)
    await Promise.all([busy.closed, idle.closed, late.closed])
    assert.deepEqual(await exited, [0, null])
  })
})

describe('signals', () => {
  test('the second one ends the service at once, but not one that npm passes on', async () => {
    const place = await createPlace('sqlite')
    const { child } = await spawnService({ ...place.env, DRAIN_MS: '60000' })
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) })
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    await delay(700)
    assert.equal(child.exitCode, null)
    child.kill('SIGINT')
    assert.deepEqual(await exited, [130, null])
    await place.remove()
  })
})

onPostgres('SIGTERM behind a proxy', () => {
  test(`${ROUNDS} rolling restarts: every call through haproxy succeeds and is charged once`, async (context) => {
    if (!hasHaproxy()) {
      context.skip('haproxy is not installed')
      return
    }
    const place = await createPlace('postgres')
    const { id, key } = await openAccountIn(place, CREDITS)
    const ports = [await freePort(), await freePort()] as const
    const start = async (port: number) =>
      (await spawnService({ ...place.env, PORT: String(port), DRAIN_MS: PROXY_DRAIN_MS })).child
    const services = [await start(ports[0]), await start(ports[1])]
    const proxy = await startHaproxy(ports)
    try {
      await proxy.untilAllUp()
      await using load = new KeepAliveLoad(proxy.url, key, { endsIfRefused: false })
      for (let round = 0; round < ROUNDS; round += 1) {
        const place = round % 2
        await load.hasAnswered(50)
        const ending = services[place]
        assert.ok(ending !== undefined)
        await terminate(ending)
        services[place] = await start(ports[place] ?? 0)
        await proxy.untilAllUp()
      }
      await load.end()
      assert.deepEqual(load.failures, [])
      for (const service of services) await terminate(service)
      await assertCharged(place, id, load.answered)
    } finally {
      await proxy.stop()
      for (const service of services) service.kill('SIGKILL')
      await place.remove()
    }
  })
})
