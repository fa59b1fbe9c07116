import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Placed, Portion } from './followed.ts'
import { inOrder } from './in-order.ts'

const oddsAt = (place: number, at: number): Placed => ({
  place,
  happening: {
    type: 'odds',
    at,
    market: { id: '', question: '', type: 'binary', assetKeys: [], status: 'open' },
    probability: 0.5,
  },
  assetKeys: [],
})

/** A sort of which a portion at a time is at hand, as a store gives it. */
function portionOf(all: readonly Placed[], from: number, size: number): Portion {
  const rest = all.filter(({ place }) => place > from)
  const items = rest.slice(0, size)
  const isAll = items.length === rest.length
  return { items, reached: isAll ? all.length : (items.at(-1)?.place ?? from), isAll }
}

test('portion by portion, several sorts come in the order of their times, each once', () => {
  const sort = fc
    .array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 })
    .map((times) => times.sort((a, b) => a - b).map((at, index) => oddsAt(index + 1, at)))
  fc.assert(
    fc.property(fc.array(sort, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 5 }), (sorts, size) => {
      const taken: Placed[] = []
      let places = sorts.map(() => 0)
      for (let steps = 0; places.some((place, index) => place < (sorts[index]?.length ?? 0)); steps += 1) {
        assert.ok(steps < 200, 'every step gets on')
        const portions = sorts.map((all, index) => {
          const from = places[index] ?? 0
          return { from, portion: portionOf(all, from, size) }
        })
        const { next, reached } = inOrder(portions)
        taken.push(...next)
        places = reached
      }
      const times = taken.map(({ happening }) => happening.at)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
      assert.deepEqual(new Set(taken), new Set(sorts.flat()))
      assert.equal(taken.length, sorts.flat().length)
    }),
  )
})

test('what has nothing to show but goes on is passed', () => {
  const { next, reached } = inOrder([
    { from: 3, portion: { items: [], reached: 90, isAll: false } },
    { from: 0, portion: { items: [oddsAt(1, 5)], reached: 1, isAll: true } },
  ])
  assert.deepEqual([next, reached], [[], [90, 0]])
})
