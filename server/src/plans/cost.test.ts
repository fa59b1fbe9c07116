import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../test/depth.ts'
import { baseCost, effectiveCost } from './cost.ts'
import { addMonths, periodAt } from './period.ts'
import { DEMO_PLAN, PLANS } from './plans.ts'

const plans = [...Object.values(PLANS), DEMO_PLAN]

/** ceil(base × multiplier) as a fraction of whole numbers. */
function exactCost(base: number, basisPoints: number): number {
  const product = BigInt(base) * BigInt(basisPoints)
  return Number(product / 10_000n) + (product % 10_000n === 0n ? 0 : 1)
}

describe('effectiveCost', () => {
  test('is exactly ceil(base × multiplier) for every base to 1000 and every multiplier to 1 in basis points', () => {
    for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
      const plan = { creditMultiplier: basisPoints / 10_000 }
      for (let base = 0; base <= 1_000; base += 1) {
        const cost = effectiveCost(base, plan)
        if (cost !== exactCost(base, basisPoints)) assert.fail(`${base} at ${basisPoints} basis points costs ${cost}`)
      }
    }
  })

  test('is as exact for multipliers to 100 and large bases', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }), (base, bp) => {
        assert.equal(effectiveCost(base, { creditMultiplier: bp / 10_000 }), exactCost(base, bp))
      }),
      { numRuns: runs(1_000, 20_000) },
    )
  })

  test('0.55 × 100 is 55, though it is more in floating point', () => {
    assert.equal(Math.ceil(0.55 * 100), 56)
    assert.equal(effectiveCost(100, { creditMultiplier: 0.55 }), 55)
  })

  test('a 1-credit endpoint costs 1 and a 2-credit endpoint costs 2 under every plan (spec 8.2.3)', () => {
    for (const plan of plans) {
      assert.equal(effectiveCost(1, plan), 1, plan.slug)
      assert.equal(effectiveCost(2, plan), 2, plan.slug)
    }
  })

  test('a 1-credit endpoint costs at least 1 under every agreed multiplier of a basis point or more', () => {
    for (let basisPoints = 1; basisPoints <= 10_000; basisPoints += 1) {
      assert.equal(effectiveCost(1, { creditMultiplier: basisPoints / 10_000 }), 1)
    }
  })

  test('a minute of the stream costs 5, 5, 5 and 4 credits under the plans for sale', () => {
    const { free, starter, professional, enterprise } = PLANS
    assert.deepEqual(
      [free, starter, professional, enterprise].map((plan) => effectiveCost(5, plan)),
      [5, 5, 5, 4],
    )
  })

  test('a free endpoint is free under every plan', () => {
    for (const plan of plans) assert.equal(effectiveCost(0, plan), 0)
  })

  test('a multiplier that was not agreed yet counts as 1', () => {
    assert.equal(PLANS.custom.creditMultiplier, null)
    assert.equal(effectiveCost(7, PLANS.custom), 7)
  })
})

describe('baseCost', () => {
  const cost = { credits: 1, with: { param: 'query', credits: 2 } }

  test('a parameter that makes the call dearer counts only when it is given', () => {
    assert.equal(baseCost(cost, {}), 1)
    assert.equal(baseCost(cost, { search: 'a', query: undefined }), 1)
    assert.equal(baseCost(cost, { query: 'a' }), 2)
    assert.equal(baseCost({ credits: 3 }, { query: 'a' }), 3)
  })
})

describe('addMonths', () => {
  const iso = (text: string, months: number) => new Date(addMonths(Date.parse(text), months)).toISOString()
  const someTime = fc.date({ min: new Date('1971-01-01'), max: new Date('2400-01-01'), noInvalidDate: true })
  const someMonths = fc.integer({ min: -600, max: 600 })
  const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()

  test('the 31st becomes the last day of a shorter month', () => {
    assert.equal(iso('2026-01-31T10:00:00.123Z', 1), '2026-02-28T10:00:00.123Z')
    assert.equal(iso('2026-03-31T10:00:00.000Z', 1), '2026-04-30T10:00:00.000Z')
    assert.equal(iso('2026-12-31T23:59:59.999Z', 1), '2027-01-31T23:59:59.999Z')
    assert.equal(iso('2026-12-31T23:59:59.999Z', 2), '2027-02-28T23:59:59.999Z')
  })

  test('29 February is there in leap years only', () => {
    assert.equal(iso('2028-01-30T00:00:00.000Z', 1), '2028-02-29T00:00:00.000Z')
    assert.equal(iso('2028-02-29T00:00:00.000Z', 12), '2029-02-28T00:00:00.000Z')
    assert.equal(iso('2028-02-29T00:00:00.000Z', 48), '2032-02-29T00:00:00.000Z')
    assert.equal(iso('2100-01-31T00:00:00.000Z', 1), '2100-02-28T00:00:00.000Z')
    assert.equal(iso('2000-01-31T00:00:00.000Z', 1), '2000-02-29T00:00:00.000Z')
  })

  test('no month is skipped, and the day is the same or the last of its month', () => {
    fc.assert(
      fc.property(someTime, someMonths, (start, months) => {
        const end = new Date(addMonths(start.getTime(), months))
        assert.equal(monthOf(end), monthOf(start) + months)
        const dayAfter = new Date(end.getTime() + 86_400_000)
        const isLastDay = monthOf(dayAfter) !== monthOf(end)
        const sameDay = end.getUTCDate() === start.getUTCDate()
        assert.ok(sameDay || (isLastDay && end.getUTCDate() < start.getUTCDate()))
      }),
      { numRuns: runs(200, 2_000) },
    )
  })

  test('the time of day stays', () => {
    fc.assert(
      fc.property(someTime, someMonths, (start, months) => {
        const end = new Date(addMonths(start.getTime(), months))
        assert.equal(end.toISOString().slice(-13), start.toISOString().slice(-13))
      }),
    )
  })

  test('periods counted from one anchor follow one another, from 28 to 31 days long', () => {
    fc.assert(
      fc.property(someTime, fc.integer({ min: 0, max: 600 }), (anchor, months) => {
        const days = (addMonths(anchor.getTime(), months + 1) - addMonths(anchor.getTime(), months)) / 86_400_000
        assert.ok(days >= 28 && days <= 31 && Number.isInteger(days), `${days} days`)
      }),
      { numRuns: runs(200, 2_000) },
    )
  })
})

describe('periodAt', () => {
  const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) })

  test('the periods of an account follow one another without a gap, and one holds every time', () => {
    fc.assert(
      fc.property(times, times, (anchor, later) => {
        const now = Math.max(anchor, later)
        const { start, end } = periodAt(anchor, now)
        assert.ok(start <= now && now < end)
        assert.equal(periodAt(anchor, start).start, start)
        assert.equal(periodAt(anchor, end).start, end)
      }),
    )
  })

  test('an account opened on 31 January has its months end on the last day of short months', () => {
    const anchor = Date.UTC(2026, 0, 31)
    assert.deepEqual(periodAt(anchor, Date.UTC(2026, 1, 28)), {
      start: Date.UTC(2026, 1, 28),
      end: Date.UTC(2026, 2, 31),
    })
  })
})
