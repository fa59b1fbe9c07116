import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditHeaders } from './headers.ts'

test('X-Credits-Remaining is never below 0, and absent for a balance that is not loaded', () => {
  assert.deepEqual(creditHeaders(1, -15), { 'x-credits-cost': 1, 'x-credits-remaining': 0 })
  assert.deepEqual(creditHeaders(1, 7), { 'x-credits-cost': 1, 'x-credits-remaining': 7 })
  assert.deepEqual(creditHeaders(0, undefined), { 'x-credits-cost': 0 })
})
