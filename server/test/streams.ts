import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Caller } from '../src/admission/caller.ts'
import { mintKey } from '../src/admission/key.ts'
import { MemoryMeter } from '../src/admission/memory-meter.ts'
import { openAccount } from '../src/admission/open-account.ts'
import { StreamMeter, type StreamTicket } from '../src/admission/streams/stream-meter.ts'
import { planRules } from '../src/billing/plan-rules.ts'
import { MemoryBus } from '../src/bus/memory-bus.ts'
import type { NewSignal } from '../src/model/signals.ts'
import type { ClosingReason } from '../src/model/streams.ts'
import { SECOND } from '../src/model/time.ts'
import { STREAM_COST } from '../src/plans/cost.ts'
import { type PlanSlug, planOf } from '../src/plans/plans.ts'
import type { Store } from '../src/store/store.ts'
import { assertOk } from './envelope.ts'
import { type Engine, FakeClock, TestService } from './harness.ts'
import { newSignal } from './signals.ts'

export const ENDPOINT = 'GET /signals/stream'

/** Starts a service that listens, with two assets and an account without limits, for tests of streams. */
export async function startStreamService(engine: Engine) {
  const service = await TestService.start(engine)
  await service.mintick.store.assets.upsert(
    ['AAPL', 'TSLA'].map((key) => ({ key, name: key, type: 'equity' as const })),
    service.clock.now(),
  )
  return { service, url: await service.listen(), account: await service.openUnlimited() }
}

/** Saves and announces a new or changed signal as the detectors do. Returns its event id once the service has sent it. */
export async function publishSignal({ mintick }: TestService, given: Partial<NewSignal> = {}): Promise<number> {
  const { store, bus, clock, streams } = mintick
  const signal = newSignal(clock.now(), given)
  await store.signals.apply([{ type: 'update', signal }], [], clock.now())
  await bus.publish('signals', '')
  const id = await store.signalLog.head()
  await waitUntil(() => streams.signals.head >= id)
  return id
}

/** Imports an entry as an operator does. Returns the id of its event once the service has sent it. */
export async function publishEntry(
  service: TestService,
  row: Record<string, unknown>,
  update = false,
): Promise<number> {
  const given = { publisher: 'Zoo', publishedAt: '2026-03-02T10:00:00Z', ...row }
  const body = { rows: [given], update }
  assertOk(await service.admin('/import/entries', { method: 'POST', body }))
  const { store, streams } = service.mintick
  const id = await store.changes.head()
  await waitUntil(() => streams.entries.head >= id)
  return id
}

/** Publishes a signal again and again while the work runs, for clients that cannot tell when they are connected. */
export async function whilePublishing<T>(
  service: TestService,
  next: () => Partial<NewSignal>,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const publishing = (async () => {
    while (!isOver) {
      await publishSignal(service, next())
      await setTimeout(100)
    }
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await publishing
  }
}

/** Waits for an event outside of the fake clock, such as traffic on a socket. */
export async function waitUntil(isDone: () => boolean | Promise<boolean>, describe = () => ''): Promise<void> {
  const end = performance.now() + 20 * SECOND
  while (!(await isDone())) {
    assert.ok(performance.now() < end, `timed out: ${isDone} ${describe()}`)
    await new Promise(setImmediate)
  }
}

/** Returns the charges for all streams of an account. */
export async function streamUsage(store: Store, accountId: string): Promise<{ minutes: number; credits: number }> {
  const rows = await store.usage.rows(accountId, '2000-01-01')
  const ofStreams = rows.filter(({ streamMinutes }) => streamMinutes > 0)
  return {
    minutes: ofStreams.reduce((sum, { streamMinutes }) => sum + streamMinutes, 0),
    credits: ofStreams.reduce((sum, { credits }) => sum + credits, 0),
  }
}

/** Instances that share a store, a clock and a bus. Their periodic tasks run only in `pass`. */
export class StreamWorld {
  readonly store: Store
  readonly clock: FakeClock
  readonly bus: MemoryBus
  readonly instances: TestInstance[] = []
  readonly errors: unknown[] = []

  constructor(store: Store, clock = new FakeClock()) {
    this.store = store
    this.clock = clock
    this.bus = new MemoryBus((error) => this.errors.push(error))
  }

  async start(store = this.store): Promise<TestInstance> {
    const instance = new TestInstance(this, store)
    await instance.streams.start()
    this.instances.push(instance)
    return instance
  }

  /** Drops an instance without stopping it. */
  crash(instance: TestInstance): void {
    this.instances.splice(this.instances.indexOf(instance), 1)
  }

  async pass(ms: number, stepMs: number = SECOND): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.clock.advance(Math.min(stepMs, left))
      for (const instance of this.instances) await instance.run()
    }
  }

  async stop(): Promise<void> {
    for (const instance of this.instances.splice(0)) await instance.streams.stop()
  }

  async caller(planSlug: PlanSlug, credits: number): Promise<Caller> {
    const opened = await openAccount(
      { email: `${randomUUID()}@test.example`, name: null, planSlug, credits },
      { store: this.store, clock: this.clock, pepper: 'pepper' },
    )
    const key = opened && (await this.store.keys.list(opened.account.id))[0]
    if (opened === undefined || key === undefined) throw new Error('the account was not opened')
    return { account: opened.account, key, plan: planOf(opened.account) }
  }

  /** Returns the caller with another key of the same account. */
  async secondKey(caller: Caller, expiresAt: number | null = null): Promise<Caller> {
    const { kept } = mintKey('pepper', { name: 'second', expiresAt, createdAt: this.clock.now() })
    const key = await this.store.keys.insert({ ...kept, accountId: caller.account.id }, 100)
    if (key === undefined) throw new Error('the key was not created')
    return { ...caller, key }
  }

  async changePlan({ account }: Caller, planSlug: PlanSlug, overrides: Record<string, unknown> = {}): Promise<void> {
    await this.store.accounts.update(account.id, { planSlug, overrides }, planRules(this.clock.now()))
    await this.bus.publish('accounts', account.id)
  }

  async grant({ account }: Caller, credits: number): Promise<void> {
    const idempotencyKey = `test:${randomUUID()}`
    const transfer = {
      accountId: account.id,
      credits,
      kind: 'adjustment',
      description: 'test',
      idempotencyKey,
    } as const
    await this.store.ledger.grant({ ...transfer, at: this.clock.now() }, 'adjustment')
  }
}

export interface TestStream extends StreamTicket {
  id: string
  endedBy: ClosingReason[]
}

export class TestInstance {
  readonly meter: MemoryMeter
  readonly streams: StreamMeter
  readonly #clock: FakeClock
  /** Time of the last run of each task. */
  readonly #ranMs: number[]
  /** Simulates a process stopped by SIGSTOP. */
  isPaused = false

  constructor({ clock, bus, errors }: StreamWorld, store: Store) {
    const bootMs = clock.elapsed() - 12_345
    this.#clock = clock
    this.meter = new MemoryMeter(clock)
    this.streams = new StreamMeter({
      store,
      // Monotonic clocks of processes have different origins.
      clock: { now: clock.now, elapsed: () => clock.elapsed() - bootMs },
      meter: this.meter,
      bus,
      perMinute: STREAM_COST.perMinute,
      slotRetryMs: [],
      onError: (error) => errors.push(error),
    })
    this.#ranMs = this.streams.tasks.map(() => clock.elapsed())
  }

  /** Time of the last lease renewal. */
  get renewedMs(): number {
    return this.#ranMs[1] ?? 0
  }

  async run(): Promise<void> {
    if (this.isPaused) return
    for (const [index, { everyMs, run }] of this.streams.tasks.entries()) {
      const nowMs = this.#clock.elapsed()
      if (nowMs - (this.#ranMs[index] ?? 0) < everyMs) continue
      this.#ranMs[index] = nowMs
      await run()
    }
  }

  async open(caller: Caller, endpoint = ENDPOINT, onEnd?: () => void): Promise<TestStream> {
    const id = randomUUID()
    const endedBy: ClosingReason[] = []
    const end = (reason: ClosingReason) => {
      endedBy.push(reason)
      onEnd?.()
    }
    const ticket = await this.streams.open(caller, { id, endpoint, end })
    return { ...ticket, id, endedBy }
  }
}
