/** Tests that the ledger has exactly the months that have begun, whatever happens in between (spec 8.2.5). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock, onEveryEngine, openTestDb } from '../../test/harness.ts'
import { loggedRequest } from '../../test/logged-request.ts'
import { creditsByKind } from '../../test/lots.ts'
import { Breakage, crashing } from '../../test/money/crashing.ts'
import { ReferenceLedger } from '../../test/reference-ledger.ts'
import { openAccount } from '../admission/open-account.ts'
import type { Account } from '../model/accounts.ts'
import { DAY, HOUR } from '../model/time.ts'
import type { PlanSlug } from '../plans/plans.ts'
import { createStore, type Store } from '../store/store.ts'
import { MonthlyGrants } from './monthly-grants.ts'
import { planRules } from './plan-rules.ts'

const planSlug = fc.constantFrom<PlanSlug>('free', 'starter', 'professional', 'enterprise', 'custom')
const someCommand = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40 * DAY }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 400 * DAY }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('grant' as const), instances: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), at: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('spend' as const), credits: fc.integer({ min: 1, max: 3_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('plan' as const), planSlug }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('agree' as const),
      monthlyCredits: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), isActive: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), credits: fc.integer({ min: 1, max: 500 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setBack' as const), ms: fc.integer({ min: 1, max: 70 * DAY }) }),
  },
)
type Command = typeof someCommand extends fc.Arbitrary<infer T> ? T : never

onEveryEngine('monthly grants', (engine) => {
  let opened: Awaited<ReturnType<typeof openTestDb>>
  let store: Store
  const openStore = async () => {
    opened = await openTestDb(engine)
    store = createStore(opened.db.ledger)
  }
  const closeStore = () => opened.close()
  beforeEach(openStore)
  afterEach(closeStore)

  const open = async (clock: FakeClock, plan: PlanSlug, credits?: number): Promise<Account> => {
    const email = `${randomUUID()}@test.example`
    const account = await openAccount({ email, name: null, planSlug: plan, credits }, { store, clock, pepper: 'p' })
    assert.ok(account !== undefined)
    return account.account
  }
  const grantsOver = (over: Store, clock: FakeClock) => {
    const granted: string[] = []
    const errors: unknown[] = []
    const onGranted = async (id: string) => void granted.push(id)
    const grants = new MonthlyGrants({ store: over, clock, onGranted, onError: (error) => errors.push(error) })
    return { run: () => grants.run(), granted, errors }
  }
  const ledgerOf = async (id: string) => {
    const rows = await opened.db.ledger.query<{ kind: string; credits: number; balanceAfter: number; at: number }>(
      `select kind, credits, balance_after as "balanceAfter", created_at as at from transfers
       where account_id = $1 order by id`,
      [id],
    )
    return rows.map((row) => ({ ...row }))
  }
  const assertAudit = async () => assert.deepEqual((await store.audit.run()).problems, [])

  const play = async (plan: PlanSlug, credits: number | undefined, start: number, commands: Command[]) => {
    const clock = new FakeClock(start)
    const account = await open(clock, plan, credits)
    const [key] = await store.keys.list(account.id)
    assert.ok(key !== undefined)
    const expected = new ReferenceLedger(clock.now(), plan, credits)
    const change = (values: Parameters<Store['accounts']['update']>[1]) =>
      store.accounts.update(account.id, values, planRules(clock.now()))
    for (const command of commands) {
      switch (command.do) {
        case 'pass':
          clock.advance(command.ms)
          break
        case 'setBack':
          clock.jump(-Math.min(command.ms, clock.now() - start))
          break
        case 'grant':
          await Promise.all(Array.from({ length: command.instances }, () => grantsOver(store, clock).run()))
          expected.beginMonths(clock.now())
          break
        case 'crash':
          await grantsOver(createStore(crashing(opened.db.ledger, new Breakage(command.at).step)), clock)
            .run()
            .catch(() => {})
          await grantsOver(store, clock).run()
          expected.beginMonths(clock.now())
          break
        case 'spend': {
          const request = loggedRequest({
            accountId: account.id,
            apiKeyId: key.id,
            credits: command.credits,
            createdAt: clock.now(),
          })
          await store.requestLog.record([request], [], randomUUID())
          expected.spend(command.credits, clock.now())
          break
        }
        case 'plan':
          await change({ planSlug: command.planSlug })
          expected.change(clock.now(), { plan: command.planSlug })
          break
        case 'agree': {
          const { monthlyCredits } = command
          await change({ overrides: monthlyCredits === undefined ? {} : { monthlyCredits } })
          expected.change(clock.now(), { agreed: monthlyCredits })
          break
        }
        case 'switch':
          await change({ isActive: command.isActive })
          expected.change(clock.now(), { isActive: command.isActive })
          break
        case 'adjust':
          await store.ledger.grant(
            {
              accountId: account.id,
              credits: command.credits,
              kind: 'adjustment',
              description: 'test',
              idempotencyKey: `test:${randomUUID()}`,
              at: clock.now(),
            },
            'adjustment',
          )
          expected.adjust(command.credits, clock.now())
          break
      }
    }
    assert.deepEqual(await ledgerOf(account.id), expected.transfers)
    const { monthly = 0, signup = 0, adjustment = 0 } = await creditsByKind(store, account.id)
    assert.deepEqual({ monthly, signup, adjustment }, expected.lots)
    await assertAudit()
  }

  test('years of random steps, spending, changes, crashes and two instances lead to the ledger of a simple model', async () => {
    const years = fc
      .asyncProperty(
        planSlug,
        fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
        fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) }),
        fc.array(someCommand, { minLength: 5, maxLength: 40 }),
        play,
      )
      .beforeEach(async () => {
        await closeStore()
        await openStore()
      })
    await fc.assert(years, { numRuns: runs(engine === 'sqlite' ? 3 : 1, 15) })
  })

  test('a crash at any await loses nothing and repeats nothing', async () => {
    let at = 0
    let isOver = false
    while (!isOver) {
      at += 1
      // The accounts of the previous crash have all their months, so each attempt starts the same way.
      const clock = new FakeClock('2026-01-31T12:00:00.000Z')
      const accounts = [await open(clock, 'starter'), await open(clock, 'professional', 20)]
      const expected = [
        new ReferenceLedger(clock.now(), 'starter', undefined),
        new ReferenceLedger(clock.now(), 'professional', 20),
      ]
      clock.advance(70 * DAY)
      isOver = await grantsOver(createStore(crashing(opened.db.ledger, new Breakage(at).step)), clock)
        .run()
        .then(
          () => true,
          () => false,
        )
      await grantsOver(store, clock).run()
      for (const [index, ledger] of expected.entries()) {
        ledger.beginMonths(clock.now())
        assert.deepEqual(await ledgerOf(accounts[index]?.id ?? ''), ledger.transfers, `crash at await ${at}`)
      }
    }
    assert.ok(at > 30, `${at} awaits`)
    await assertAudit()
  })

  test('two instances grant each month once, and only one of them reports it', async () => {
    const clock = new FakeClock()
    const accounts = await Promise.all(Array.from({ length: 50 }, () => open(clock, 'starter')))
    clock.advance(32 * DAY)
    const instances = [grantsOver(store, clock), grantsOver(store, clock)]
    await Promise.all(instances.map(({ run }) => run()))
    const ids = new Set(accounts.map(({ id }) => id))
    const granted = instances.flatMap((instance) => instance.granted).filter((id) => ids.has(id))
    assert.deepEqual(granted.toSorted(), [...ids].toSorted())
    for (const id of ids) assert.equal(await store.ledger.balance(id), 1_100)
  })

  test('an account that fails does not block the others', async () => {
    const clock = new FakeClock()
    const accounts = await Promise.all(Array.from({ length: 30 }, () => open(clock, 'starter')))
    const [broken] = accounts
    const write = (overrides: string) =>
      opened.db.ledger.transaction((tx) =>
        tx.query('update accounts set overrides = $2 where id = $1', [broken?.id ?? '', overrides]),
      )
    await write('{')
    clock.advance(62 * DAY)
    const grants = grantsOver(store, clock)
    await grants.run()
    assert.ok(grants.errors.length > 0)
    for (const { id } of accounts) assert.equal((await ledgerOf(id)).length, id === broken?.id ? 2 : 6)
    await write('{}')
    await grants.run()
    assert.equal((await ledgerOf(broken?.id ?? '')).length, 6)
  })

  test('no account is read before its month begins', async () => {
    const clock = new FakeClock()
    await grantsOver(store, clock).run()
    const { id } = await open(clock, 'starter')
    assert.deepEqual(await store.grants.listDue(clock.now() + 27 * DAY, undefined, 1_000_000), [])
    const due = await store.grants.listDue(clock.now() + 31 * DAY, undefined, 1_000_000)
    assert.ok(due.some((account) => account.id === id))
    clock.advance(HOUR)
    await grantsOver(store, clock).run()
    assert.equal((await ledgerOf(id)).length, 2)
  })
})
