import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differsInMonth, differsInQuarter, periodsOf } from './periods.ts'

test('every spelling of a quarter counts, and periods differ only if both are named', () => {
  assert.deepEqual(periodsOf('Q3 results'), periodsOf('third-quarter results'))
  assert.ok(differsInQuarter(periodsOf('Q3 results'), periodsOf('second quarter results')))
  assert.ok(!differsInQuarter(periodsOf('Q3 results'), periodsOf('strong results')))
  assert.ok(differsInMonth(periodsOf('February jobs report'), periodsOf('March jobs report')))
})
