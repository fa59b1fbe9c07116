import { DAY, HOUR, MINUTE } from '../../../model/time.ts'
import type { Random } from '../random.ts'

/**
 * When the SEC takes filings. 11:00 to 21:30 UTC is after six and before half past five in New York in summer and in
 * winter, so that a filing of these hours gets the date of the day, which is the same day in UTC.
 */
const OPENS = 11 * HOUR
const CLOSES = 21.5 * HOUR

/** A time at which a filing of this day comes in; at a weekend, of the Monday after it. */
export function edgarTime(random: Random, day: number): number {
  return weekday(day) + Math.floor(random.between(OPENS, CLOSES))
}

/** The time nearest to `at`, and not after `now`, at which something can be filed. */
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

/** A weekday's start, `count` weekdays after the day. */
export function addWeekdays(day: number, count: number): number {
  let result = weekday(day)
  for (let i = 0; i < count; i++) result = weekday(result + DAY)
  return result
}

/** The day, or the Monday after it. */
export function weekday(day: number): number {
  let result = startOfDay(day)
  while (isWeekend(result)) result += DAY
  return result
}

/** The day, or the Friday before it. */
export function lastWeekday(day: number): number {
  let result = startOfDay(day)
  while (isWeekend(result)) result -= DAY
  return result
}

export function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY
}

/** When the trading day in New York is over, at the latest. */
export function closeOf(day: number): number {
  return startOfDay(day) + 21 * HOUR
}

function isWeekend(day: number): boolean {
  const number = new Date(day).getUTCDay()
  return number === 0 || number === 6
}

/** Calendar quarters, counted: `year * 4 + 0 … 3`. */
export function quarterOf(time: number): number {
  const date = new Date(time)
  return date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3)
}

export function quarterStart(quarter: number): number {
  return Date.UTC(Math.floor(quarter / 4), (quarter % 4) * 3, 1)
}

/** The last day of it. */
export function quarterEnd(quarter: number): number {
  return quarterStart(quarter + 1) - DAY
}
