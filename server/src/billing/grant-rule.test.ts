import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Account } from '../model/accounts.ts'
import { isoTime } from '../model/time.ts'
import { grantRule, nextGrantAt } from './grant-rule.ts'

const openedAt = (periodAnchor: string, change: Partial<Account> = {}): Account => ({
  id: 'a',
  email: null,
  name: null,
  planSlug: 'starter',
  overrides: {},
  isActive: true,
  suspendedReason: null,
  isDemo: false,
  balance: 0,
  customerId: null,
  subscriptionId: null,
  periodAnchor: Date.parse(periodAnchor),
  createdAt: Date.parse(periodAnchor),
  deletedAt: null,
  ...change,
})

/** Returns the grants from the end of the first month to a time, all missed until then. */
function grantsUntil(account: Account, now: string) {
  const rule = grantRule(Date.parse(now))
  let nextPeriodAt =
    nextGrantAt({ ...account, planSlug: 'starter', isActive: true }, undefined, account.periodAnchor) ?? 0
  const grants: { at: string; credits: number }[] = []
  for (let month = rule(account, nextPeriodAt); month !== undefined; month = rule(account, nextPeriodAt)) {
    nextPeriodAt = month.nextPeriodAt
    if (month.grant !== undefined) grants.push({ at: isoTime(month.grant.at), credits: month.grant.credits })
  }
  return grants
}
const timesOf = (grants: { at: string }[]) => grants.map(({ at }) => at.slice(0, 10))

describe('monthly credits', () => {
  test('of an account opened on 31 January come on the 31st, or on the last day of shorter months', () => {
    const account = openedAt('2026-01-31T10:20:30.400Z')
    assert.deepEqual(timesOf(grantsUntil(account, '2026-06-01')), [
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
  })

  test('of an account opened on 29 February come on the 29th, or on 28 February in common years', () => {
    const days = timesOf(grantsUntil(openedAt('2028-02-29T23:59:59.999Z'), '2032-03-01'))
    assert.equal(days.length, 48)
    assert.deepEqual(
      days.filter((day) => day.slice(5, 7) === '02'),
      ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    )
    assert.ok(days.every((day) => day.endsWith('-29') || day.endsWith('-02-28')))
  })

  test('come at the exact time of day at which the account was opened, not a millisecond earlier', () => {
    const account = openedAt('2026-03-02T10:20:30.400Z')
    assert.deepEqual(grantsUntil(account, '2026-04-02T10:20:30.399Z'), [])
    assert.deepEqual(grantsUntil(account, '2026-04-02T10:20:30.400Z'), [
      { at: '2026-04-02T10:20:30.400Z', credits: 1_000 },
    ])
  })

  test('of every missed month have their own idempotency key and name the month', () => {
    const account = openedAt('2026-01-31T00:00:00.000Z')
    const month = grantRule(Date.parse('2027-01-01'))(account, Date.parse('2026-02-28'))
    assert.partialDeepStrictEqual(month?.grant, {
      idempotencyKey: 'monthly:a:2026-02-28T00:00:00.000Z',
      description: 'Monthly credits of the Starter plan, 2026-02-28 to 2026-03-31',
    })
  })

  test('follow plan and overrides; an inactive account gets none', () => {
    const creditsOf = (change: Partial<Account>) =>
      grantsUntil(openedAt('2026-03-02T00:00:00.000Z', change), '2026-04-03').map(({ credits }) => credits)
    assert.deepEqual(creditsOf({ planSlug: 'enterprise' }), [25_000])
    assert.deepEqual(creditsOf({ planSlug: 'free' }), [])
    assert.deepEqual(creditsOf({ planSlug: 'custom' }), [])
    assert.deepEqual(creditsOf({ planSlug: 'custom', overrides: { monthlyCredits: 7 } }), [7])
    assert.deepEqual(creditsOf({ planSlug: 'starter', overrides: { monthlyCredits: 0 } }), [])
    assert.deepEqual(creditsOf({ isActive: false }), [])
    assert.deepEqual(creditsOf({ isDemo: true }), [])
  })

  test('start with the next month for an account from before monthly grants', () => {
    const account = openedAt('2025-01-15T00:00:00.000Z')
    assert.deepEqual(grantRule(Date.parse('2026-03-20'))(account, 0), {
      grant: undefined,
      nextPeriodAt: Date.parse('2026-04-15'),
    })
  })

  test('have a next date, or none if none will come', () => {
    const now = Date.parse('2026-02-10')
    assert.equal(nextGrantAt(openedAt('2026-01-31T00:00:00.000Z'), undefined, now), Date.parse('2026-02-28'))
    assert.equal(nextGrantAt(openedAt('2026-01-31T00:00:00.000Z', { planSlug: 'free' }), undefined, now), null)
  })
})
