import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { auditCharges } from '../test/charges.ts'
import { createPlace, type Engine, type Place } from '../test/harness.ts'
import { killHard, spawnService } from '../test/spawn.ts'
import type { TcpProxy } from '../test/tcp-proxy.ts'
import { openAccountOver } from '../test/unlimited-account.ts'
import type { Tally } from './fault.ts'
import type { Exchange } from './raw-http.ts'

export const ADMIN_TOKEN = 'chaos-chaos-chaos'
const OPENING_BALANCE = 1_000_000_000
const CALL_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 30_000

type Start = (env: Record<string, string>) => Promise<{ child: ChildProcess; url: string }>

interface RigOptions {
  env?: Record<string, string>
  /** Replaces the usual command. */
  start?: Start
  /** Replaces the folder of the store. */
  folder?: string
  /** Stands between the service and PostgreSQL. */
  proxy?: TcpProxy
}

export interface Reply {
  status: number
  headers: Headers
  text: string
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  timeoutMs?: number
}

/** Services end with the run, even if it is interrupted. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The service in a process of its own, with an account without rate limits whose charges are audited at the end. */
export class Rig {
  readonly place: Place
  readonly env: Record<string, string>
  readonly #start: Start
  child!: ChildProcess
  url!: string
  account!: { id: string; key: string }
  /** Ids of the charged requests that were answered. */
  readonly answered: string[] = []
  unanswered = 0

  constructor(place: Place, { env, start = spawnService, folder, proxy }: RigOptions = {}) {
    if (folder !== undefined) place.env.DATA_DIR = folder
    this.place = place
    const { DATABASE_URL = '' } = place.env
    this.env = {
      ...place.env,
      ADMIN_TOKEN,
      ...(proxy !== undefined && { DATABASE_URL: proxy.urlOf(DATABASE_URL) }),
      ...env,
    }
    this.#start = start
  }

  /** Runs `work` with a service on a new store, then audits the charges and removes the store. */
  static async with(
    engine: Engine,
    tally: Tally,
    work: (rig: Rig) => Promise<void>,
    options: RigOptions = {},
  ): Promise<void> {
    const rig = new Rig(await createPlace(engine), options)
    try {
      await rig.start()
      rig.account = await openAccountOver(rig.url, ADMIN_TOKEN, OPENING_BALANCE)
      await work(rig)
      await rig.stop()
      await rig.audit(tally)
    } finally {
      if (rig.isRunning) await killHard(rig.child)
      await rig.place.remove()
    }
  }

  async start(): Promise<void> {
    const { child, url } = await this.#start(this.env)
    this.child = child
    running.add(child)
    child.once('exit', () => running.delete(child))
    this.url = url
  }

  /** Stops the service with SIGTERM, and with SIGKILL if that has no effect. */
  async stop(): Promise<void> {
    if (!this.isRunning) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    const isStopped = await Promise.race([ended.then(() => true), delay(STOP_TIMEOUT_MS, false, { ref: false })])
    if (!isStopped) {
      await killHard(this.child)
      throw new Error('the service ignored SIGTERM')
    }
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async call(path: string, { method = 'GET', headers = {}, body, timeoutMs }: CallOptions = {}): Promise<Reply> {
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs ?? CALL_TIMEOUT_MS),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Calls an endpoint below /api/v1 with the key of the account and remembers the charge. */
  async api(path: string, options: CallOptions = {}): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.account.key}`, ...options.headers }
    try {
      const reply = await this.call(`/api/v1${path}`, { ...options, headers })
      if (reply.status >= 500) this.unanswered += 1
      if (Number(reply.headers.get('x-credits-cost')) > 0) this.answered.push(reply.headers.get('x-request-id') ?? '')
      return reply
    } catch (error) {
      this.unanswered += 1
      throw error
    }
  }

  /** Remembers the charges in replies to requests with the key of the account. */
  remember({ replies }: Exchange): void {
    for (const { headers } of replies) {
      if (Number(headers.get('x-credits-cost')) > 0) this.answered.push(headers.get('x-request-id') ?? '')
    }
  }

  admin(path: string, options: CallOptions = {}): Promise<Reply> {
    return this.call(`/admin${path}`, { ...options, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  }

  /** Returns whether a charged call succeeds now. */
  async serves(timeoutMs?: number): Promise<boolean> {
    try {
      return (await this.api('/entries', timeoutMs === undefined ? {} : { timeoutMs })).status === 200
    } catch {
      return false
    }
  }

  /** Waits until charged calls succeed and notes how long that took. */
  async recover(tally: Tally, isBack: () => Promise<boolean> = () => this.serves(2_000)): Promise<void> {
    const from = performance.now()
    while (!(await isBack())) {
      if (performance.now() - from > 60_000) {
        tally.fail('the service did not recover within a minute')
        return
      }
      await delay(20)
    }
    tally.recovered(performance.now() - from)
  }

  /** Calls a charged endpoint from several clients while `work` runs. Returns the replies by status, 0 for none. */
  async underLoad(callers: number, work: () => Promise<void>): Promise<Map<number, number>> {
    const statuses = new Map<number, number>()
    let isOver = false
    const running = Array.from({ length: callers }, async () => {
      while (!isOver) {
        const status = await this.api('/entries')
          .then((reply) => reply.status)
          .catch(() => 0)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 200) await delay(10)
      }
    })
    try {
      await work()
    } finally {
      isOver = true
      await Promise.all(running)
    }
    return statuses
  }

  /** Compares the ledger with the answers. The service must have stopped. */
  async audit(tally: Tally): Promise<void> {
    const { account, answered, unanswered } = this
    const expected = { accountId: account.id, openingBalance: OPENING_BALANCE, answered, unanswered }
    for (const problem of await auditCharges(this.place, expected)) tally.fail(problem)
  }
}
