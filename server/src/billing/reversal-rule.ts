import type { Reversal } from '../store/billing/reversals.ts'
import type { ReversalState } from './processor.ts'

/**
 * Returns the credits to take back for each refund and dispute of a purchase, in proportion to the amount. They are the
 * differences of a rounded running total, in the order of time, so that together they never exceed the purchase and a
 * full refund takes all of it.
 */
export function reversalsInForce(
  purchase: { credits: number; amountUsdCents: number },
  states: readonly ReversalState[],
): Reversal[] {
  const inForce = states
    .filter(({ isInForce }) => isInForce)
    .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
  let paidBack = 0
  return inForce.map(({ id, kind, amountUsdCents, createdAt }) => {
    const before = creditsFor(purchase, paidBack)
    paidBack += amountUsdCents
    return { id, kind, amountUsdCents, createdAt, credits: creditsFor(purchase, paidBack) - before }
  })
}

function creditsFor(
  { credits, amountUsdCents }: { credits: number; amountUsdCents: number },
  paidBack: number,
): number {
  if (amountUsdCents === 0) return 0
  return Math.floor((credits * Math.min(paidBack, amountUsdCents)) / amountUsdCents)
}
