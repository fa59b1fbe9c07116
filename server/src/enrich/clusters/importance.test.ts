import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/seeded-fast-check.ts'
import { type ClusterSpread, importanceOf } from './importance.ts'

const spreads = fc.record({
  entryCount: fc.nat(500),
  publisherCount: fc.nat(200),
  velocity: fc.double({ min: 0, max: 200, noNaN: true }),
  prominence: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('importance is between 0 and 1 and never falls when an input grows', () => {
  const inputs: (keyof ClusterSpread)[] = ['entryCount', 'publisherCount', 'velocity', 'prominence']
  fc.assert(
    fc.property(spreads, fc.constantFrom(...inputs), fc.integer({ min: 1, max: 20 }), (spread, input, more) => {
      const before = importanceOf(spread)
      const after = importanceOf({ ...spread, [input]: spread[input as 'velocity'] + more })
      assert.ok(before >= 0 && before <= 1 && after >= before)
    }),
  )
})

test('a second publisher adds more than another entry of the first', () => {
  const one = { entryCount: 2, publisherCount: 1, velocity: 1 }
  assert.ok(importanceOf({ ...one, publisherCount: 2 }) > importanceOf({ ...one, entryCount: 3 }))
})

test('NaN and negative values count as 0', () => {
  assert.equal(importanceOf({ entryCount: Number.NaN, publisherCount: -3, velocity: Number.NaN }), 0)
})
