import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY } from '../model/time.ts'
import type { Subscription } from '../store/billing/subscriptions.ts'
import { subscriptionInForce } from './plan-rules.ts'

const NOW = Date.parse('2026-03-10T12:00:00.000Z')

const subscription = (id: string, change: Partial<Subscription> = {}): Subscription => ({
  id,
  accountId: 'a',
  planSlug: 'starter',
  status: 'active',
  anchor: NOW - 20 * DAY,
  periodStart: NOW - 20 * DAY,
  periodEnd: NOW + 8 * DAY,
  cancelAtPeriodEnd: false,
  pendingPlanSlug: null,
  graceUntil: null,
  createdAt: NOW - 20 * DAY,
  ...change,
})
const inForce = (...subscriptions: Subscription[]) => subscriptionInForce(subscriptions, NOW)?.id

describe('the subscription in force', () => {
  test('is one that is paid or in its grace period', () => {
    assert.equal(inForce(subscription('one')), 'one')
    assert.equal(inForce(subscription('one', { status: 'trialing' })), 'one')
    assert.equal(inForce(subscription('one', { status: 'past_due', graceUntil: NOW + 1 })), 'one')
    assert.equal(inForce(subscription('one', { status: 'past_due', graceUntil: NOW })), undefined)
  })

  test('is never one that was not paid, has ended or is paused', () => {
    for (const status of ['incomplete', 'incomplete_expired', 'canceled', 'unpaid', 'paused']) {
      assert.equal(inForce(subscription('one', { status })), undefined, status)
    }
    assert.equal(inForce(), undefined)
  })

  test('can be one that ends with its month', () => {
    assert.equal(inForce(subscription('one', { cancelAtPeriodEnd: true })), 'one')
  })

  test('is the most expensive of several, then the oldest, in whatever order they are listed', () => {
    const cheap = subscription('cheap')
    const dear = subscription('dear', { planSlug: 'enterprise' })
    const older = subscription('older', { planSlug: 'enterprise', createdAt: NOW - 30 * DAY })
    const over = subscription('over', { planSlug: 'enterprise', status: 'canceled', createdAt: 0 })
    assert.equal(inForce(cheap, dear, over), 'dear')
    assert.equal(inForce(over, dear, older, cheap), 'older')
    assert.equal(inForce(older, cheap, dear), 'older')
  })
})
