import { parseDate, unixTime } from './dates.ts'

/** Completes an error message about a time. */
export const TIME_FORMS = 'use 2026-01-31T12:00:00Z, a date as in RFC 822, or Unix seconds or milliseconds'

/** Later times than the year 9999 are microseconds or nanoseconds. */
const LATEST = Date.UTC(9999, 11, 31)

/**
 * Reads a time that an operator or a source wrote, in any form that feeds use; undefined if it is none. Numbers are Unix
 * times: below 1e11 in seconds, else in milliseconds. A number such as 20260131 is a day.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'string') return parseDate(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  const time = isWrittenDay(value) ? parseDate(String(value)) : unixTime(value)
  return time === undefined || Math.abs(time) > LATEST ? undefined : time
}

const isWrittenDay = (value: number) => Number.isInteger(value) && value >= 1900_01_01 && value <= 2100_12_31
