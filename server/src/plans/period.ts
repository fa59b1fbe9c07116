/** The same day of the next month, or its last day where it has no such day (31 January → 28 February). UTC. */
export function addMonths(epochMs: number, months: number): number {
  const date = new Date(epochMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** The month of an account that a time lies in, counted from the day on which the account was opened. */
export function periodAt(anchor: number, now: number): { start: number; end: number } {
  const from = new Date(anchor)
  const to = new Date(now)
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  if (addMonths(anchor, months) > now) months -= 1
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) }
}
