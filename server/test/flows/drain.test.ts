/** SIGTERM loses no request that a client has sent. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { openAccount } from '../../src/admission/open-account.ts'
import { planRules } from '../../src/billing/plan-rules.ts'
import { readConfig } from '../../src/config.ts'
import { createMintick } from '../../src/main.ts'
import { runs } from '../depth.ts'
import { createPlace, onEveryEngine, onPostgres, type Place } from '../harness.ts'
import { freePort, spawnService } from '../spawn.ts'

const ROUNDS = runs(3, 20)
const CALLERS = 32
const CREDITS = 1_000_000
const LIMIT_MS = 20_000

/** Opens an account without limits on the store of a place. */
async function openCaller({ env }: Place): Promise<{ id: string; key: string }> {
  const mintick = await createMintick(readConfig(env), { log: pino({ level: 'silent' }) })
  const { store, clock, pepper } = mintick
  const opened = await openAccount(
    { email: 'drain@test.example', name: null, planSlug: 'custom', credits: CREDITS },
    { store, clock, pepper },
  )
  assert.ok(opened !== undefined)
  const limits = { requestsPerMinute: 1e9, requestsPerHour: 1e9, requestsPerDay: 1e9, burst: 1e9 }
  await store.accounts.update(opened.account.id, { overrides: limits }, planRules(clock.now()))
  await mintick.close()
  return { id: opened.account.id, key: opened.apiKey }
}

/** Asserts that the account was charged for exactly this many calls. */
async function assertCharged({ env }: Place, id: string, calls: number): Promise<void> {
  const mintick = await createMintick(readConfig(env), { log: pino({ level: 'silent' }) })
  const balance = await mintick.store.ledger.balance(id)
  const { problems } = await mintick.store.audit.run()
  await mintick.close()
  assert.deepEqual(problems, [])
  assert.equal(CREDITS - balance, calls)
}

/** Clients that call over connections which they keep open, with a short pause after each answer. */
class Load {
  answered = 0
  readonly failures: string[] = []
  #isOver = false
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CALLERS })
  readonly #callers: Promise<void>[]

  /** With `endsIfRefused`, a caller ends when the port is closed: then its request was not sent. */
  constructor(url: string, key: string, { endsIfRefused }: { endsIfRefused: boolean }) {
    this.#callers = Array.from({ length: CALLERS }, async () => {
      while (!this.#isOver) {
        const outcome = await this.#call(`${url}/api/v1/entries?limit=1`, key)
        if (outcome === 200) this.answered += 1
        await delay(this.answered % 5)
        if (outcome === 'ECONNREFUSED' && endsIfRefused) return
        if (outcome !== 200) this.failures.push(String(outcome))
      }
    })
  }

  async #call(url: string, key: string): Promise<number | string | undefined> {
    try {
      const request = get(url, { agent: this.#agent, headers: { authorization: `Bearer ${key}` } })
      const [response]: [IncomingMessage] = (await once(request, 'response')) as [IncomingMessage]
      await response.resume().toArray()
      return response.statusCode
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }

  async hasAnswered(calls: number): Promise<void> {
    const wanted = this.answered + calls
    while (this.answered < wanted && this.failures.length === 0) await delay(1)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
    this.#agent.destroy()
  }
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
    const { id, key } = await openCaller(place)
    let answered = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const { child, url } = await spawnService({ ...place.env, DRAIN_MS: String((round % 2) * 300) })
      const load = new Load(url, key, { endsIfRefused: true })
      await load.hasAnswered(50 + round)
      await terminate(child)
      await load.end()
      assert.deepEqual(load.failures, [])
      answered += load.answered
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
    try {
      execFileSync('haproxy', ['-v'], { stdio: 'ignore' })
    } catch {
      context.skip('haproxy is not installed')
      return
    }
    const place = await createPlace('postgres')
    const { id, key } = await openCaller(place)
    const ports = [await freePort(), await freePort()] as const
    const start = async (port: number) =>
      (await spawnService({ ...place.env, PORT: String(port), DRAIN_MS: '1000' })).child
    const services = [await start(ports[0]), await start(ports[1])]
    const proxyPort = await freePort()
    const config = join(place.env.DATA_DIR ?? '', 'haproxy.cfg')
    writeFileSync(config, proxyConfig(proxyPort, ports))
    const proxy = spawn('haproxy', ['-f', config], { stdio: 'ignore' })
    try {
      await untilBothUp(proxyPort)
      const load = new Load(`http://127.0.0.1:${proxyPort}`, key, { endsIfRefused: false })
      for (let round = 0; round < ROUNDS; round += 1) {
        const place = round % 2
        await load.hasAnswered(50)
        const ending = services[place]
        assert.ok(ending !== undefined)
        await terminate(ending)
        services[place] = await start(ports[place] ?? 0)
        await untilBothUp(proxyPort)
      }
      await load.end()
      assert.deepEqual(load.failures, [])
      for (const service of services) await terminate(service)
      await assertCharged(place, id, load.answered)
    } finally {
      proxy.kill('SIGKILL')
      for (const service of services) service.kill('SIGKILL')
      await place.remove()
    }
  })
})

/** Waits until the proxy uses both services. */
async function untilBothUp(proxyPort: number): Promise<void> {
  for (;;) {
    const table = await fetch(`http://127.0.0.1:${proxyPort}/proxy;csv`).then(
      (response) => response.text(),
      () => '',
    )
    if (table.split('\n').filter((line) => /^service,s\d+,.*,UP,/.test(line)).length === 2) return
    await delay(50)
  }
}

const proxyConfig = (port: number, servers: readonly number[]) => `
defaults
  mode http
  timeout connect 2s
  timeout client 20s
  timeout server 20s
  option redispatch
listen service
  bind 127.0.0.1:${port}
  stats enable
  stats uri /proxy
  option httpchk GET /ready
  timeout check 5s
  default-server check inter 100ms fall 1 rise 1
${servers.map((server) => `  server s${server} 127.0.0.1:${server}`).join('\n')}
`
