import { DAY_SECONDS, SECOND_MS } from './clock.ts'

/** Epoch seconds. */
export interface BillingPeriod {
  start: number
  end: number
}

/** Returns the month that contains `at`, counted from the anchor's day of the month. */
export function monthAt(anchor: number, at: number): BillingPeriod {
  let months = Math.floor((at - anchor) / (31 * DAY_SECONDS))
  while (monthsAfter(anchor, months + 1) <= at) months += 1
  return { start: monthsAfter(anchor, months), end: monthsAfter(anchor, months + 1) }
}

/** Returns the same day of a later month, or its last day if it is shorter. */
function monthsAfter(seconds: number, months: number): number {
  const date = new Date(seconds * SECOND_MS)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime() / SECOND_MS
}
