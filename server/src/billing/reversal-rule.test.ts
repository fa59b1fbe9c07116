import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { PACKS } from '../plans/packs.ts'
import type { ReversalState } from './processor.ts'
import { reversalsInForce } from './reversal-rule.ts'

const somePurchase = fc.record({
  credits: fc.integer({ min: 0, max: 100_000 }),
  amountUsdCents: fc.integer({ min: 1, max: 100_000 }),
})
const someStates = (amount: number) =>
  fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      kind: fc.constantFrom<ReversalState['kind']>('refund', 'dispute'),
      amountUsdCents: fc.integer({ min: 1, max: amount }),
      createdAt: fc.integer({ min: 0, max: 5 }),
      isInForce: fc.boolean(),
    }),
    { selector: ({ id }) => id, maxLength: 6 },
  )
const someCase = somePurchase.chain((purchase) =>
  fc.record({ purchase: fc.constant(purchase), states: someStates(purchase.amountUsdCents) }),
)
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

describe('credits that refunds and disputes take back', () => {
  test('add up to the share that was paid back, rounded down, and never exceed the purchase', () => {
    fc.assert(
      fc.property(someCase, ({ purchase, states }) => {
        const reversals = reversalsInForce(purchase, states)
        const inForce = states.filter(({ isInForce }) => isInForce)
        const paidBack = Math.min(sum(inForce.map((state) => state.amountUsdCents)), purchase.amountUsdCents)
        const exact = (BigInt(purchase.credits) * BigInt(paidBack)) / BigInt(purchase.amountUsdCents)
        assert.equal(sum(reversals.map(({ credits }) => credits)), Number(exact))
        assert.ok(reversals.every(({ credits }) => credits >= 0))
        assert.deepEqual(new Set(reversals.map(({ id }) => id)), new Set(inForce.map(({ id }) => id)))
      }),
    )
  })

  test('do not depend on the order in which reversals are listed', () => {
    const shuffled = someCase.chain(({ purchase, states }) =>
      fc.record({
        purchase: fc.constant(purchase),
        states: fc.constant(states),
        mixed: fc.shuffledSubarray(states, { minLength: states.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ purchase, states, mixed }) => {
        assert.deepEqual(reversalsInForce(purchase, mixed), reversalsInForce(purchase, states))
      }),
    )
  })

  test('of a pack refunded in three parts add up to the whole pack', () => {
    for (const { credits, priceUsdCents } of PACKS) {
      const states = [333, 444, priceUsdCents - 777].map((amountUsdCents, index) => ({
        id: `re_${index}`,
        kind: 'refund' as const,
        amountUsdCents,
        createdAt: index,
        isInForce: true,
      }))
      const reversals = reversalsInForce({ credits, amountUsdCents: priceUsdCents }, states)
      assert.equal(sum(reversals.map((reversal) => reversal.credits)), credits)
    }
  })

  test('are none if the purchase was free', () => {
    const state = { id: 're_1', kind: 'refund' as const, amountUsdCents: 100, createdAt: 0, isInForce: true }
    assert.equal(reversalsInForce({ credits: 1_000, amountUsdCents: 0 }, [state])[0]?.credits, 0)
  })
})
