import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditsText } from './credits-text.ts'

test('credits are grouped as in English', () => {
  for (const credits of [0, 1, 999, 1_000, 12_345, 999_999, 1_000_000, -1_234_567, 1e12]) {
    assert.equal(creditsText(credits), `${credits.toLocaleString('en-US')} credits`)
  }
})
