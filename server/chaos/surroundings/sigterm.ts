import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCommand } from '../../bench/machine.ts'
import { freePort } from '../../test/spawn.ts'
import { type Fault, Skipped, type Tally } from '../fault.ts'
import { Rig } from '../rig.ts'

const CLIENTS = 16
/** Answers before each SIGTERM. */
const ANSWERS = 200
const CHECK_INTERVAL_MS = 100
/** More than the proxy needs to notice. */
const DRAIN_MS = String(10 * CHECK_INTERVAL_MS)

export const sigterm: Fault = {
  name: 'sigterm',
  tries: `SIGTERM under load from ${CLIENTS} keep-alive clients; no request that was sent is reset, and each answer is charged once`,
  engines: ['sqlite', 'postgres'],
  async run({ engine, repeats, tally }) {
    await Rig.with(
      engine,
      tally,
      async (rig) => {
        for (let round = 0; round < repeats; round += 1) {
          if (!rig.isRunning) await rig.start()
          const clients = new Clients(rig, rig.port, tally)
          await clients.answer(ANSWERS)
          await rig.stop()
          await clients.stop()
        }
      },
      { env: { DRAIN_MS } },
    )
  },
}

export const sigtermBehindProxy: Fault = {
  name: 'sigterm-haproxy',
  tries: 'SIGTERM and restart of two instances in turn behind haproxy, which asks /ready; its clients see no failure',
  engines: ['postgres'],
  async run({ engine, repeats, tally }) {
    if (!hasCommand('haproxy', '-v')) throw new Skipped('haproxy is not installed')
    await Rig.with(engine, tally, async (rig) => {
      const [first, second] = [await freePort(), await freePort()]
      const instances = [first, second].map((port) => new Rig(rig.place, { env: { PORT: String(port), DRAIN_MS } }))
      for (const instance of instances) await instance.start()
      const proxy = await startProxy(first, second)
      const clients = new Clients(rig, proxy.port, tally, true)
      try {
        for (let round = 0; round < repeats; round += 1) {
          for (const instance of instances) {
            await clients.answer(ANSWERS)
            await instance.stop()
            await instance.start()
            // The proxy needs a check to notice.
            await delay(5 * CHECK_INTERVAL_MS)
          }
        }
      } finally {
        await clients.stop()
        await proxy.stop()
        for (const instance of instances) await instance.stop()
      }
    })
  },
}

/** Clients that call one after the other on connections of their own until they are stopped or the port is closed. */
class Clients {
  #isOver = false
  #answers = 0
  readonly #running: Promise<void>[]

  /** Without `isAlwaysUp`, a refused connection ends a client: the service no longer listens. */
  constructor(rig: Rig, port: number, tally: Tally, isAlwaysUp = false) {
    this.#running = Array.from({ length: CLIENTS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (!this.#isOver) {
        try {
          const { status, id } = await get(agent, port, rig.account.key)
          if (status === 200) rig.answered.push(id)
          tally.check(status === 200, () => `a call was answered with ${status}`)
          this.#answers += 1
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException
          if (code === 'ECONNREFUSED' && !isAlwaysUp) break
          rig.unanswered += 1
          tally.check(false, () => `a request ended with ${code}`)
        }
      }
      agent.destroy()
    })
  }

  /** Waits for this many further answers. */
  async answer(count: number): Promise<void> {
    const wanted = this.#answers + count
    while (this.#answers < wanted) await delay(1)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }
}

function get(agent: Agent, port: number, key: string): Promise<{ status: number; id: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const call = request({ agent, port, host: '127.0.0.1', path: '/api/v1/entries', headers }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, id: String(response.headers['x-request-id']) }),
      )
    })
    call.once('error', reject)
    call.end()
  })
}

/** Starts haproxy in front of two ports. */
async function startProxy(...targets: number[]): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'mintick-haproxy-'))
  const port = await freePort()
  const check = `check inter ${CHECK_INTERVAL_MS}ms fall 1 rise 1`
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 30s',
    '  timeout server 30s',
    '  option redispatch',
    'frontend callers',
    `  bind 127.0.0.1:${port}`,
    '  default_backend mintick',
    'backend mintick',
    '  balance roundrobin',
    '  option httpchk GET /ready',
    ...targets.map((target, index) => `  server instance${index} 127.0.0.1:${target} ${check}`),
  ]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  await delay(1_000) // both targets are checked by then
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
