/** Whatever happens to its streams, an account pays for whole minutes and never for more. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { ENDPOINT, StreamWorld, streamUsage, type TestInstance, type TestStream } from '../../../test/streams.ts'
import { ApiError } from '../../model/errors.ts'
import { DAY, MINUTE, SECOND } from '../../model/time.ts'
import type { PlanSlug } from '../../plans/plans.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { RequestWriter } from '../request-writer.ts'

const who = fc.nat({ max: 3 })
const where = fc.nat({ max: 1 })
const anyCommand = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('open' as const), who, where, isOther: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('close' as const), which: fc.nat() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 130_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -DAY, max: DAY }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), where }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pause' as const), where, ms: fc.integer({ min: 1, max: 60_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('grant' as const), who, credits: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('call' as const), who, where }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      plan: fc.constantFrom<PlanSlug>('free', 'starter', 'professional', 'enterprise'),
    }),
  },
)
type Command = typeof anyCommand extends fc.Arbitrary<infer T> ? T : never

/** Account and its expected stream time. */
interface Payer {
  caller: Caller
  otherKey: Caller
  granted: number
  openMs: number
  /** The part of `openMs` that no crash or pause can have lost. */
  certainMs: number
  requests: number
}

interface OpenStream {
  of: Payer
  on: TestInstance
  ticket: TestStream
  openedMs: number
  lostMs: number
}

/** Index of the account with few credits. */
const POOR = 0
/** Index of the account whose plan changes. */
const CHANGING = 1

class Scenario {
  readonly world: StreamWorld
  readonly accounts: Payer[] = []
  open: OpenStream[] = []

  constructor(store: Store) {
    this.world = new StreamWorld(store)
  }

  async begin(instances: number): Promise<void> {
    for (let index = 0; index < instances; index += 1) await this.world.start()
    for (const [index, plan] of (['professional', 'enterprise', 'starter', 'enterprise'] as const).entries()) {
      const granted = index === POOR ? 23 : 10_000
      const caller = await this.world.caller(plan, granted)
      const otherKey = await this.world.secondKey(caller)
      this.accounts.push({ caller, otherKey, granted, openMs: 0, certainMs: 0, requests: 0 })
    }
  }

  async run(command: Command): Promise<void> {
    const { world } = this
    switch (command.do) {
      case 'open':
        return this.#open(this.#account(command.who), this.#instance(command.where), command.isOther)
      case 'close':
        return this.#close(this.open[command.which % this.open.length])
      case 'pass':
        return world.pass(command.ms, 5 * SECOND)
      case 'jump':
        return world.clock.jump(command.ms)
      case 'crash':
        return this.#crash(this.#instance(command.where))
      case 'pause':
        return this.#pause(this.#instance(command.where), command.ms)
      case 'grant':
        this.#account(command.who).granted += command.credits
        return world.grant(this.#account(command.who).caller, command.credits)
      case 'call':
        return this.#request(this.#account(command.who), this.#instance(command.where))
      case 'plan':
        return world.changePlan(this.#account(CHANGING).caller, command.plan)
    }
  }

  /** Closes all streams, waits until dead instances are removed, and opens a last stream to charge owed minutes. */
  async finish(): Promise<void> {
    for (const stream of this.open) await this.#close(stream)
    await this.world.pass(40 * SECOND, 5 * SECOND)
    await this.world.changePlan(this.#account(CHANGING).caller, 'enterprise')
    for (const account of this.accounts) {
      const instance = this.#instance(0)
      await instance.open(account.caller).then((ticket) => ticket.close(), refused)
    }
  }

  /** Opens a WebSocket with the other key, or server-sent events with the first. */
  async #open(of: Payer, on: TestInstance, isOther: boolean): Promise<void> {
    const known: { stream?: OpenStream } = {}
    const onEnd = () => known.stream && this.#closed(known.stream)
    const openedMs = this.world.clock.elapsed()
    const [caller, endpoint] = isOther ? ([of.otherKey, 'GET /signals/ws'] as const) : ([of.caller, ENDPOINT] as const)
    const ticket = await on.open(caller, endpoint, onEnd).catch(refused)
    if (ticket === undefined) return
    known.stream = { of, on, ticket, openedMs, lostMs: 0 }
    this.open.push(known.stream)
  }

  async #close(stream: OpenStream | undefined): Promise<void> {
    await stream?.ticket.close()
    if (stream !== undefined) this.#closed(stream)
  }

  #closed(stream: OpenStream): void {
    if (!this.open.includes(stream)) return
    this.open = this.open.filter((other) => other !== stream)
    const openMs = this.world.clock.elapsed() - stream.openedMs
    stream.of.openMs += openMs
    stream.of.certainMs += openMs - stream.lostMs
  }

  async #crash(instance: TestInstance): Promise<void> {
    const nowMs = this.world.clock.elapsed()
    for (const stream of this.open.filter(({ on }) => on === instance)) {
      stream.of.openMs += nowMs - stream.openedMs
      stream.of.certainMs += Math.max(0, instance.renewedMs - stream.openedMs - stream.lostMs)
    }
    this.open = this.open.filter(({ on }) => on !== instance)
    this.world.crash(instance)
    await this.world.start()
  }

  async #pause(instance: TestInstance, ms: number): Promise<void> {
    const { renewedMs } = instance
    instance.isPaused = true
    await this.world.pass(ms, 5 * SECOND)
    instance.isPaused = false
    for (const stream of this.open.filter(({ on }) => on === instance)) {
      stream.lostMs += this.world.clock.elapsed() - Math.max(renewedMs, stream.openedMs)
    }
    await instance.run()
  }

  async #request(of: Payer, on: TestInstance): Promise<void> {
    const { account, key } = of.caller
    on.meter.setBalance(account.id, await this.world.store.ledger.lastBalance(account.id))
    if (!on.meter.hold(account.id, 1)) return
    const charges = new RequestWriter(this.world.store.requestLog, on.meter, (error) => assert.fail(String(error)))
    const balance = await charges.commitCharge({
      id: randomUUID(),
      accountId: account.id,
      apiKeyId: key.id,
      endpoint: 'GET /entries',
      method: 'GET',
      path: '/entries',
      query: null,
      statusCode: 200,
      errorCode: null,
      credits: 1,
      durationMs: 1,
      responseBytes: 1,
      createdAt: this.world.clock.now(),
    })
    if (balance !== undefined) of.requests += 1
  }

  #account(index: number): Payer {
    const account = this.accounts[index]
    assert.ok(account !== undefined)
    return account
  }

  #instance(index: number): TestInstance {
    const instance = this.world.instances[index % this.world.instances.length]
    assert.ok(instance !== undefined)
    return instance
  }
}

function refused(error: unknown): undefined {
  assert.ok(error instanceof ApiError && [402, 403, 429].includes(error.statusCode), String(error))
}

onEveryEngine('charges of streams', (engine) => {
  const store = storeForSuite(engine)

  test('any sequence of opens, closes, crashes, pauses and clock jumps costs whole minutes and no more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 20, maxLength: 60, size: 'max' }), async (commands) => {
        const scenario = new Scenario(store())
        await scenario.begin(engine === 'sqlite' ? 1 : 2)
        for (const command of commands) await scenario.run(command)
        await scenario.finish()
        assert.deepEqual(scenario.world.errors, [])

        for (const [index, { caller, granted, openMs, certainMs, requests }] of scenario.accounts.entries()) {
          const { id } = caller.account
          const { minutes, credits } = await streamUsage(store(), id)
          const balance = await store().ledger.balance(id)
          const cost = scenario.world.instances[0]?.streams.creditsPerMinute(caller) ?? 0
          assert.ok(minutes <= Math.floor(openMs / MINUTE), `${minutes} minutes for ${openMs} ms`)
          assert.ok(
            balance < cost || minutes >= Math.floor(certainMs / MINUTE),
            `${minutes} minutes for ${certainMs} ms`,
          )
          if (index !== CHANGING) assert.equal(credits, minutes * cost)
          assert.equal(balance, granted - credits - requests)
          assert.ok(balance >= 0)
          assert.equal(await store().streams.countOpen(id), 0)
          for (const { meter } of scenario.world.instances) assert.equal(meter.held(id), 0)
        }
        await scenario.world.stop()
        assert.deepEqual(await store().streams.instances.list(), [])
        assert.deepEqual((await store().audit.run()).problems, [])
      }),
      { numRuns: runs(4, 30) },
    )
  })
})
