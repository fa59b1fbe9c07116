/** Tests that lasting credits, or the debt, always equal purchases minus spending and reversals. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/depth.ts'
import { FakeClock, onEveryEngine, storeForSuite } from '../../../test/harness.ts'
import { openAccount } from '../../admission/open-account.ts'
import { reversalsInForce } from '../../billing/reversal-rule.ts'

const CENTS = 100

const someCommand = fc.oneof(
  fc.record({ do: fc.constant('buy' as const), credits: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ do: fc.constant('spend' as const), credits: fc.integer({ min: 1, max: 60 }) }),
  // A payment has three refunds or disputes, each of which may come into force and end again.
  fc.record({
    do: fc.constant('reverse' as const),
    purchase: fc.nat({ max: 3 }),
    amounts: fc.tuple(fc.nat({ max: CENTS }), fc.nat({ max: CENTS }), fc.nat({ max: CENTS })),
    inForce: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  }),
)
type Command = typeof someCommand extends fc.Arbitrary<infer T> ? T : never

onEveryEngine('refunds and disputes', (engine) => {
  const store = storeForSuite(engine)
  const clock = new FakeClock()

  const play = async (commands: readonly Command[]) => {
    const email = `${randomUUID()}@test.example`
    const opened = await openAccount(
      { email, name: null, planSlug: 'free', credits: 0 },
      { store: store(), clock, pepper: 'p' },
    )
    assert.ok(opened !== undefined)
    const accountId = opened.account.id
    const bought: { id: string; credits: number; reversed: number; amounts: number[] }[] = []
    let spent = 0
    for (const command of commands) {
      if (command.do === 'buy') {
        const id = randomUUID()
        const purchase = {
          id,
          accountId,
          paymentId: id,
          credits: command.credits,
          amountUsdCents: CENTS,
          periodEnd: null,
        }
        await store().purchases.fulfil(purchase, 'A pack', { sessionId: id }, clock.now())
        bought.push({ id, credits: command.credits, reversed: 0, amounts: [] })
      } else if (command.do === 'spend') {
        const transfer = { accountId, credits: -command.credits, description: 'Spent', idempotencyKey: randomUUID() }
        const isPosted = await store().ledger.withdraw({ ...transfer, kind: 'adjustment', at: clock.now() })
        if (isPosted) spent += command.credits
      } else {
        const one = bought[command.purchase]
        if (one === undefined) continue
        // The amount of a reversal never changes.
        if (one.amounts.length === 0) one.amounts = command.amounts
        const states = one.amounts.map((amountUsdCents, index) => ({
          id: `${one.id}-${index}`,
          kind: index === 1 ? ('dispute' as const) : ('refund' as const),
          amountUsdCents,
          createdAt: index,
          isInForce: command.inForce[index] ?? false,
        }))
        const purchase = await store().purchases.find(one.id)
        assert.ok(purchase !== undefined)
        const reversals = reversalsInForce(purchase, states)
        await store().reversals.apply(purchase, reversals, await store().readOrder.next(one.id), clock.now())
        one.reversed = reversals.reduce((sum, { credits }) => sum + credits, 0)
      }
      const net = bought.reduce((sum, { credits, reversed }) => sum + credits - reversed, 0) - spent
      assert.equal(await store().ledger.balance(accountId), Math.max(net, 0))
      assert.equal(await store().reversals.owed(accountId), Math.max(-net, 0))
    }
    return accountId
  }

  test('the balance is purchases minus spending and reversals; a negative result is a debt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someCommand, { minLength: 5, maxLength: 25 }), async (commands) => {
        await play(commands)
      }),
      { numRuns: runs(10, 60) },
    )
    assert.deepEqual((await store().audit.run()).problems, [])
  })

  test('credits of a failed refund repay the debt of another', async () => {
    const pack: Command = { do: 'buy', credits: 50 }
    const spend: Command = { do: 'spend', credits: 47 }
    const reverse = (inForce: [boolean, boolean, boolean]): Command => ({
      do: 'reverse',
      purchase: 0,
      amounts: [6, 0, 6],
      inForce,
    })
    const accountId = await play([
      pack,
      spend,
      reverse([true, false, false]),
      reverse([true, false, true]),
      reverse([false, false, true]),
    ])
    assert.equal(await store().ledger.balance(accountId), 0)
    assert.deepEqual((await store().audit.run()).problems, [])
  })

  test('the amounts in the history add up to the money paid minus the money paid back', async () => {
    const reverse = (inForce: [boolean, boolean, boolean]): Command => ({
      do: 'reverse',
      purchase: 0,
      amounts: [1, 40, 30],
      inForce,
    })
    const accountId = await play([
      { do: 'buy', credits: 10 },
      reverse([true, true, true]),
      reverse([false, false, true]),
    ])
    const { data } = await store().history.page(accountId, {}, false, 100, 0)
    assert.equal(
      data.reduce((sum, { amountUsdCents }) => sum + (amountUsdCents ?? 0), 0),
      CENTS - 30,
    )
  })
})
