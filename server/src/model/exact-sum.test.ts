import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exactSum } from './exact-sum.ts'

test('sums of decimals are exact', () => {
  assert.equal(exactSum([]), 0)
  assert.equal(exactSum([0.1, 0.2]), 0.3)
  assert.equal(exactSum([1e22, 0.5, -1e22]), 0.5)
  assert.equal(exactSum([1.5e-7, -0.25]), -0.24999985)
})

test('sums of cents are those of whole numbers of cents', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 })), (cents) => {
      assert.equal(exactSum(cents.map((value) => value / 100)), cents.reduce((sum, value) => sum + value, 0) / 100)
    }),
  )
})
