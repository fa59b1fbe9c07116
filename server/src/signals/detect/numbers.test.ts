import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dollarsOf, fixed, medianOf, percentOf, robustZ, signed } from './numbers.ts'

const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 })

/** At least half of the values are not above the median, and at least half not below. */
test('a median has as many values on either side and lies between the two in the middle', () => {
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

test('a robust z-score does not change when all values are shifted or scaled', () => {
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

test('one outlier hardly changes a robust z-score', () => {
  const usual = [2, 3, 4, 3, 2, 3, 4, 5, 3]
  assert.equal(robustZ(9, usual, 0.1).z.toFixed(2), robustZ(9, [...usual.slice(1), 1000], 0.1).z.toFixed(2))
})

test('the least deviation applies if nothing varies', () => {
  assert.deepEqual(robustZ(7, [3, 3, 3, 3], 2), { median: 3, z: 2 })
})

test('halves are rounded away from zero, whatever their binary value', () => {
  assert.deepEqual(
    [6.35, 6.45, 6.25, -6.35, 0.04].map((value) => fixed(value, 1)),
    ['6.4', '6.5', '6.3', '-6.4', '0.0'],
  )
  assert.deepEqual([0.285, 0.125, 1].map(percentOf), ['29%', '13%', '100%'])
  assert.deepEqual(
    [1.005, -0.001, -1.005].map((value) => signed(value, 2)),
    ['+1.01', '+0.00', '-1.01'],
  )
})

test('dollars are formatted in thousands, millions and billions', () => {
  const formatted = [0, 820, 567_321, 999_499, 999_500, 1_250_000, 999_960_000, 2_340_000_000].map(dollarsOf)
  assert.deepEqual(formatted, [
    '$0',
    '$820',
    '$567,000',
    '$999,000',
    '$1.0 million',
    '$1.3 million',
    '$1.0 billion',
    '$2.3 billion',
  ])
})
