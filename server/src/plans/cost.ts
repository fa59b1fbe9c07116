import type { Plan } from './plans.ts'

/** What a call costs before the plan's multiplier, declared on its endpoint. */
export interface Cost {
  credits: number
  /** A parameter that makes the call dearer when it is given. */
  with?: { param: string; credits: number }
  /** For each minute that a stream stays open. */
  perMinute?: number
}

/** Spec 4.2: the streams of signals, by server-sent events and by WebSocket. */
export const STREAM_COST = { credits: 0, perMinute: 5 } as const satisfies Cost

export function baseCost(cost: Cost, query: Record<string, unknown>): number {
  return cost.with !== undefined && query[cost.with.param] !== undefined ? cost.with.credits : cost.credits
}

/** Spec 8.2.3: ceil(base × multiplier), in basis points because ceil(0.55 × 100) is 56 in floating point. */
export function effectiveCost(base: number, plan: Pick<Plan, 'creditMultiplier'>): number {
  const basisPoints = Math.round((plan.creditMultiplier ?? 1) * 10_000)
  return Math.floor((base * basisPoints + 9_999) / 10_000)
}
