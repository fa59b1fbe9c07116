import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeByTime } from './merge-by-time.ts'
import type { SourceItem, SourcePage } from './source.ts'

const oddsAt = (place: number, at: number): SourceItem => ({
  position: place,
  observation: {
    type: 'odds',
    at,
    market: { id: '', question: '', type: 'binary', assetKeys: [], status: 'open' },
    probability: 0.5,
  },
  assetKeys: [],
})

/** Returns a page of a source. */
function pageOf(all: readonly SourceItem[], from: number, size: number): SourcePage {
  const rest = all.filter(({ position: place }) => place > from)
  const items = rest.slice(0, size)
  const isAll = items.length === rest.length
  return { items, reached: isAll ? all.length : (items.at(-1)?.position ?? from), isAll }
}

test('sources that are read page by page are merged by time, each item once', () => {
  const sort = fc
    .array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 })
    .map((times) => times.sort((a, b) => a - b).map((at, index) => oddsAt(index + 1, at)))
  fc.assert(
    fc.property(fc.array(sort, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 5 }), (sorts, size) => {
      const taken: SourceItem[] = []
      let places = sorts.map(() => 0)
      for (let steps = 0; places.some((place, index) => place < (sorts[index]?.length ?? 0)); steps += 1) {
        assert.ok(steps < 200, 'every step gets on')
        const pages = sorts.map((all, index) => {
          const from = places[index] ?? 0
          return { from, page: pageOf(all, from, size) }
        })
        const { next, reached } = mergeByTime(pages)
        taken.push(...next)
        places = reached
      }
      const times = taken.map(({ observation }) => observation.at)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      )
      assert.deepEqual(new Set(taken), new Set(sorts.flat()))
      assert.equal(taken.length, sorts.flat().length)
    }),
  )
})

test('a source without items but with progress does not block the others', () => {
  const { next, reached } = mergeByTime([
    { from: 3, page: { items: [], reached: 90, isAll: false } },
    { from: 0, page: { items: [oddsAt(1, 5)], reached: 1, isAll: true } },
  ])
  assert.deepEqual([next, reached], [[], [90, 0]])
})
