import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRoutineTitle } from './routine-titles.ts'

test('roundups and daily market reports are routine', () => {
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

test('headlines about one event are not routine', () => {
  for (const title of [
    'Apple beats Q3 estimates',
    'Five dead as storm hits coast',
    'Chevron shares rise on takeover report',
  ]) {
    assert.ok(!isRoutineTitle(title), title)
  }
})
