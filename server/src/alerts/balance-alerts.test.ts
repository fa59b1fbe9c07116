/** Falls of balances below a threshold: found exactly once, whatever moves the balance. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { FakeClock, onEveryEngine, storeForSuite } from '../../test/harness.ts'
import { openAccount } from '../admission/open-account.ts'
import { findFalls, type LowBalanceEvent } from '../model/alerts.ts'
import { SECOND } from '../model/time.ts'

const NO_LEASE = { verify: async () => {} }

test('each fall is found once, however the transfers are portioned', () => {
  const someStates = fc.array(
    fc.record({ balance: fc.integer({ min: 0, max: 4 }), pause: fc.integer({ min: 1, max: 2 }) }),
  )
  fc.assert(
    fc.property(someStates, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 9 }), (given, threshold, cut) => {
      let at = 0
      const states = given.map(({ balance, pause }) => {
        at += pause
        return { balance, at }
      })
      const whole = findFalls(states, threshold, false)
      const first = findFalls(states.slice(0, cut), threshold, false)
      const rest = findFalls(states.slice(cut), threshold, first.isBelow)
      assert.deepEqual([...first.falls, ...rest.falls], whole.falls)
      assert.equal(rest.isBelow, whole.isBelow)
      const balances = [threshold, ...states.map(({ balance }) => balance)]
      const expected = states.filter(
        (_, place) => (balances[place + 1] ?? 0) < threshold && (balances[place] ?? 0) >= threshold,
      )
      assert.deepEqual(whole.falls, expected)
    }),
    { numRuns: runs(500, 20_000) },
  )
})

test('credits that expire and are granted in one moment are no fall', () => {
  const month = [
    { balance: 0, at: 5 },
    { balance: 900, at: 5 },
  ]
  assert.deepEqual(findFalls(month, 100, false), { falls: [], isBelow: false })
  assert.deepEqual(findFalls(month.slice(0, 1), 100, false).falls, month.slice(0, 1))
})

onEveryEngine('balance alerts in the store', (engine) => {
  const store = storeForSuite(engine)
  const clock = new FakeClock()

  const open = async (credits: number) => {
    const account = { email: `${randomUUID()}@test.example`, name: null, planSlug: 'free', credits } as const
    const opened = await openAccount(account, { store: store(), clock, pepper: 'x'.repeat(16) })
    return opened?.account.id ?? assert.fail()
  }
  const transfer = async (accountId: string, credits: number) => {
    clock.advance(SECOND)
    const given = {
      accountId,
      credits,
      kind: 'adjustment',
      description: 'test',
      idempotencyKey: randomUUID(),
      at: clock.now(),
    } as const
    if (credits > 0) await store().ledger.grant(given, 'adjustment')
    else await store().ledger.withdraw(given)
  }
  const eventsOf = async (accountId: string): Promise<LowBalanceEvent[]> => {
    const due = await store().alerts.listDue(Number.MAX_SAFE_INTEGER, 10_000)
    return due.filter((delivery) => delivery.accountId === accountId).map(({ body }) => JSON.parse(body))
  }
  const WEBHOOK = { webhookUrl: 'https://hooks.example/', webhookSalt: 'salt' }

  test('any transfers, thresholds and rounds of two instances: one message per fall', async () => {
    const someStep = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .integer({ min: -60, max: 60 })
          .filter(Boolean)
          .map((credits) => ({ credits })),
      },
      { weight: 3, arbitrary: fc.constant({ isRun: true as const }) },
      { weight: 1, arbitrary: fc.constantFrom(1, 50, 100, null).map((threshold) => ({ threshold })) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(someStep, { minLength: 5, maxLength: 20, size: 'max' }), async (steps) => {
        const id = await open(80)
        await store().alerts.change(id, { ...WEBHOOK, threshold: 50 }, clock.now())
        const expected: { threshold: number; balance: number }[] = []
        let [balance, threshold, isBelow]: [number, number | null, boolean] = [80, 50, false]
        for (const step of steps) {
          if ('isRun' in step) {
            await Promise.all([store().alerts.detect(clock.now()), store().alerts.detect(clock.now())])
          } else if ('threshold' in step) {
            await store().alerts.change(id, step, clock.now())
            if (step.threshold !== threshold) isBelow = step.threshold !== null && balance < step.threshold
            threshold = step.threshold
          } else if (balance + step.credits >= 0) {
            await transfer(id, step.credits)
            balance += step.credits
            if (threshold === null) continue
            if (balance < threshold && !isBelow) expected.push({ threshold, balance })
            isBelow = balance < threshold
          }
        }
        await store().alerts.detect(clock.now())
        const found = (await eventsOf(id)).map(({ createdAt, data }) => [createdAt, data.threshold, data.balance])
        // Those of one round are in no order.
        const told = found.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)).map(([, ...data]) => data)
        assert.deepEqual(
          told,
          expected.map((fall) => [fall.threshold, fall.balance]),
        )
        assert.equal((await store().alerts.find(id)).isBelow, isBelow)
      }),
      { numRuns: runs(20, 200) },
    )
  })

  test('a message that was delivered or given up, or whose address is gone, is not due again', async () => {
    const fall = async () => {
      const id = await open(100)
      await store().alerts.change(id, { ...WEBHOOK, threshold: 50, isByEmail: true }, clock.now())
      await transfer(id, -60)
      await store().alerts.detect(clock.now())
      const due = (await store().alerts.listDue(clock.now(), 10_000)).filter(({ accountId }) => accountId === id)
      assert.deepEqual(due.map(({ channel }) => channel).sort(), ['email', 'webhook'])
      return { id, due }
    }
    const one = await fall()
    for (const delivery of one.due) await store().alerts.delivered(delivery, NO_LEASE)
    assert.deepEqual(await eventsOf(one.id), [])
    const two = await fall()
    const at = clock.now()
    for (const delivery of two.due)
      await store().alerts.failed(delivery, { reason: 'x', at, nextAt: undefined }, NO_LEASE)
    assert.deepEqual(await eventsOf(two.id), [])
    assert.deepEqual((await store().alerts.find(two.id)).failure, { reason: 'x', at })
    const three = await fall()
    await store().alerts.change(three.id, { webhookUrl: null, webhookSalt: null }, clock.now())
    assert.equal((await eventsOf(three.id)).length, 1)
    await store().alerts.change(three.id, { isByEmail: false }, clock.now())
    assert.deepEqual(await eventsOf(three.id), [])
  })
})
