import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differsInMonth, differsInQuarter, isRoutineTitle, periodsOf } from './routine-titles.ts'

test('lists and reports of every day are routine', () => {
  for (const title of [
    '5 things to know before the stock market opens',
    'Stocks making the biggest moves premarket: Nike, Snap',
    'Market wrap: bonds slip, dollar firm',
    'Morning brief: deals and data',
    'Stocks close higher',
    'What to watch this week',
  ]) {
    assert.ok(isRoutineTitle(title), title)
  }
})

test('news is not routine', () => {
  for (const title of [
    'Apple beats Q3 estimates',
    'Five dead as storm hits coast',
    'Chevron shares rise on takeover report',
  ]) {
    assert.ok(!isRoutineTitle(title), title)
  }
})

test('quarters are known in each spelling, and differ only when both are named', () => {
  assert.deepEqual(periodsOf('Q3 results'), periodsOf('third-quarter results'))
  assert.ok(differsInQuarter(periodsOf('Q3 results'), periodsOf('second quarter results')))
  assert.ok(!differsInQuarter(periodsOf('Q3 results'), periodsOf('strong results')))
  assert.ok(differsInMonth(periodsOf('February jobs report'), periodsOf('March jobs report')))
})
