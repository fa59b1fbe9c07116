import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClusterSpread, importanceOf } from './importance.ts'

const spreads = fc.record({
  entryCount: fc.nat(500),
  publisherCount: fc.nat(200),
  velocity: fc.double({ min: 0, max: 200, noNaN: true }),
  prominence: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('importance lies between 0 and 1, and more of anything never lowers it', () => {
  const sides: (keyof ClusterSpread)[] = ['entryCount', 'publisherCount', 'velocity', 'prominence']
  fc.assert(
    fc.property(spreads, fc.constantFrom(...sides), fc.integer({ min: 1, max: 20 }), (spread, side, more) => {
      const before = importanceOf(spread)
      const after = importanceOf({ ...spread, [side]: spread[side as 'velocity'] + more })
      assert.ok(before >= 0 && before <= 1 && after >= before)
    }),
  )
})

test('a second publisher counts more than a second entry of the first', () => {
  const one = { entryCount: 2, publisherCount: 1, velocity: 1 }
  assert.ok(importanceOf({ ...one, publisherCount: 2 }) > importanceOf({ ...one, entryCount: 3 }))
})

test('what is no number counts as nothing', () => {
  assert.equal(importanceOf({ entryCount: Number.NaN, publisherCount: -3, velocity: Number.NaN }), 0)
})
