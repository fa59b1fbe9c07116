import fc from 'fast-check'
import { DAY, HOUR } from '../../src/model/time.ts'
import type { PlanSlug } from '../../src/plans/plans.ts'

/** Mostly the first account, so that its history grows long. */
const account = fc.constantFrom(0, 0, 0, 1)
const paidPlan = fc.constantFrom<PlanSlug>('starter', 'professional', 'enterprise')
const anyPlan = fc.constantFrom<PlanSlug>('free', 'starter', 'professional', 'enterprise')
/** An index, taken modulo the number of objects that exist at that point. */
const pick = fc.nat({ max: 1_000 })
const instances = fc.integer({ min: 1, max: 2 })
const how = fc.constantFrom(
  ...['pay', 'pay', 'pay', 'pay and fail later', 'pay and fail later', 'transfer', 'no transfer', 'decline', 'cancel'],
)
const minutes = fc.integer({ min: 1, max: 3 * HOUR })
const days = fc.integer({ min: DAY, max: 12 * DAY })
const months = fc.integer({ min: 20 * DAY, max: 70 * DAY })

/** All events that affect accounts and their money. */
export const someCommand = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.oneof(minutes, days) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: months }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('passTo' as const),
      account,
      end: fc.constantFrom('periodEnd' as const, 'graceUntil' as const),
      isBefore: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('spend' as const), account, credits: fc.integer({ min: 1, max: 3_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), account, credits: fc.integer({ min: -800, max: 800 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('setPlan' as const), account, plan: anyPlan }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('addKey' as const), account }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revokeKey' as const), account, pick }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('buyPack' as const),
      account,
      credits: fc.constantFrom(1_000, 5_000),
      how,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('subscribe' as const), account, plan: paidPlan, how }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), account, plan: paidPlan }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), account }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('setCard' as const),
      account,
      card: fc.constantFrom('works' as const, 'declined' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund' as const), pick, permille: fc.constantFrom(1_000, 503, 337, 71) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failRefund' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('dispute' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      pick,
      outcome: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      picks: fc.array(pick, { minLength: 1, maxLength: 8 }),
      instances,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const), instances }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('beginMonths' as const), instances }) },
)
export type Command = typeof someCommand extends fc.Arbitrary<infer T> ? T : never
