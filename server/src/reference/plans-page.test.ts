import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../api/index.ts'
import { PLANS, type Plan } from '../plans/plans.ts'
import { plansPage } from './plans-page.ts'

/** Returns the cells of a row of the page under each plan. */
function rowOf(name: string, plans: readonly Plan[]): string[] {
  const row = plansPage(plans, [], endpoints)
    .split('\n')
    .find((line) => line.startsWith(`| ${name}`))
  assert.ok(row, name)
  return row.split(' | ').slice(-plans.length).join(' | ').replace(/ \|$/, '').split(' | ')
}

const { free, starter, enterprise, custom } = PLANS
const double = { ...enterprise, creditMultiplier: 2 }

test('the cost of a job follows the multiplier of the plan, rounded up for each request', () => {
  assert.deepEqual(rowOf('100 searches by meaning', [free, enterprise, double, custom]), [
    '200',
    '200',
    '400',
    'as agreed',
  ])
  assert.deepEqual(rowOf('Signals by stream', [starter, enterprise, double]), ['50,400', '40,320', '100,800'])
})

test('a job that the plan does not allow has no cost', () => {
  assert.deepEqual(rowOf('2,000 insider trades', [free, starter]), ['not included', '40'])
  assert.deepEqual(rowOf('News every minute', [free, starter]), ['too many requests', '43,200'])
})

test('the burst is full again after burst / requests per minute', () => {
  assert.deepEqual(rowOf('Full burst again after', [free, custom]), ['90 s', '300 s'])
  assert.deepEqual(rowOf('Then a request every', [free, enterprise]), ['6 s', '0.06 s'])
})
