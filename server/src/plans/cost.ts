import type { Plan } from './plans.ts'

/** The cost of a request before the plan's multiplier, declared on its endpoint. */
export interface Cost {
  credits: number
  /** A parameter that, if given, replaces the cost. */
  with?: { param: string; credits: number }
  /** Cost of each minute of an open stream. */
  perMinute?: number
  /** The number of rows that the credits pay for; each further started number of rows costs as much. */
  perRows?: number
  /** The price is that of the file, which an account pays once. */
  perFile?: true
}

/** The cost of signal streams (spec 4.2), by server-sent events or WebSocket. */
export const STREAM_COST = { credits: 0, perMinute: 5 } as const satisfies Cost

export function baseCost(cost: Cost, query: Record<string, unknown>): number {
  return dearerParam(cost, query)?.credits ?? cost.credits
}

/** Returns the parameter of a query that replaces the cost. */
export function dearerParam(cost: Cost, query: Record<string, unknown>): Cost['with'] {
  return cost.with !== undefined && query[cost.with.param] !== undefined ? cost.with : undefined
}

/** Returns ceil(base × multiplier) (spec 8.2.3), in basis points because ceil(0.55 × 100) is 56 in floating point. */
export function effectiveCost(base: number, plan: Pick<Plan, 'creditMultiplier'>): number {
  const basisPoints = Math.round((plan.creditMultiplier ?? 1) * 10_000)
  return Math.floor((base * basisPoints + 9_999) / 10_000)
}
