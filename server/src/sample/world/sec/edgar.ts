import { DAY, HOUR, MINUTE, startOfDay } from '../../../model/time.ts'
import type { Random } from '../random.ts'

/**
 * Filing hours of EDGAR, the SEC's filing system. 11:00 to 21:30 UTC lies within its hours in summer and in winter, so
 * the filing date in New York is also the date in UTC.
 */
const OPENS = 11 * HOUR
const CLOSES = 21.5 * HOUR

/** Returns a filing time on this day; on a weekend, on the Monday after it. */
export function edgarTime(random: Random, day: number): number {
  return weekday(day) + Math.floor(random.between(OPENS, CLOSES))
}

/** Returns the possible filing time nearest to `at` and not after `now`. */
export function nearestEdgarTime(random: Random, at: number, now: number): number {
  const day = startOfDay(at)
  const delay = Math.floor(random.between(0, 40 * MINUTE))
  let nearest = lastWeekday(day - DAY) + CLOSES - delay
  const candidates = isWeekend(day)
    ? [weekday(day) + OPENS + delay]
    : [Math.min(Math.max(at, day + OPENS + delay), day + CLOSES - delay), weekday(day + DAY) + OPENS + delay]
  for (const time of candidates) {
    if (time <= now && Math.abs(time - at) < Math.abs(nearest - at)) nearest = time
  }
  return nearest
}

/** Returns the start of the day `count` weekdays later. */
export function addWeekdays(day: number, count: number): number {
  let result = weekday(day)
  for (let i = 0; i < count; i++) result = weekday(result + DAY)
  return result
}

/** Returns the start of the day; on a weekend, of the Monday after it. */
export function weekday(day: number): number {
  let result = startOfDay(day)
  while (isWeekend(result)) result += DAY
  return result
}

/** Returns the start of the day; on a weekend, of the Friday before it. */
export function lastWeekday(day: number): number {
  let result = startOfDay(day)
  while (isWeekend(result)) result -= DAY
  return result
}

/** Returns the latest end of the trading day in New York. */
export function closeOf(day: number): number {
  return startOfDay(day) + 21 * HOUR
}

function isWeekend(day: number): boolean {
  const number = new Date(day).getUTCDay()
  return number === 0 || number === 6
}

/** Returns the calendar quarter as a number: `year * 4 + 0 … 3`. */
export function quarterOf(time: number): number {
  const date = new Date(time)
  return date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3)
}

export function quarterStart(quarter: number): number {
  return Date.UTC(Math.floor(quarter / 4), (quarter % 4) * 3, 1)
}

/** Returns the last day of the quarter. */
export function quarterEnd(quarter: number): number {
  return quarterStart(quarter + 1) - DAY
}
