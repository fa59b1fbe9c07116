/** Adds months in UTC. A day that the month lacks becomes its last day (31 January → 28 February). */
export function addMonths(epochMs: number, months: number): number {
  const date = new Date(epochMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** Returns the billing month that contains `now`; months start on the day of `anchor`. */
export function periodAt(anchor: number, now: number): { start: number; end: number } {
  const from = new Date(anchor)
  const to = new Date(now)
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  if (addMonths(anchor, months) > now) months -= 1
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) }
}
