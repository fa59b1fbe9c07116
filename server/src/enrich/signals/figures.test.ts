import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { medianOf, robustZ } from './figures.ts'

const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 })

/** Half of them are not above it, and half not below. */
test('a median has as many on either side, and lies between the two in the middle', () => {
  fc.assert(
    fc.property(values, (list) => {
      const median = medianOf(list)
      const below = list.filter((value) => value < median).length
      const above = list.filter((value) => value > median).length
      assert.ok(below <= list.length / 2 && above <= list.length / 2)
      const sorted = list.toSorted((a, b) => a - b)
      const [low = 0, high = 0] = [sorted[Math.ceil(list.length / 2) - 1], sorted[Math.floor(list.length / 2)]]
      assert.equal(median, (low + high) / 2)
    }),
  )
  assert.ok(Number.isNaN(medianOf([])))
})

test('a robust z-score does not change when every value is moved or stretched alike', () => {
  fc.assert(
    fc.property(values, fc.integer(), fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 9 }), (...given) => {
      const [usual, seed, shift, scale] = given
      const value = seed % 100
      const { z } = robustZ(value, usual, 0.5)
      const moved = robustZ(
        value * scale + shift,
        usual.map((each) => each * scale + shift),
        0.5 * scale,
      )
      assert.ok(Math.abs(z - moved.z) < 1e-9)
    }),
  )
})

test('one wild value among the usual ones hardly changes a robust z-score', () => {
  const usual = [2, 3, 4, 3, 2, 3, 4, 5, 3]
  assert.equal(robustZ(9, usual, 0.1).z.toFixed(2), robustZ(9, [...usual.slice(1), 1000], 0.1).z.toFixed(2))
})

test('where nothing varies, the least deviation is what counts', () => {
  assert.deepEqual(robustZ(7, [3, 3, 3, 3], 2), { median: 3, z: 2 })
})
