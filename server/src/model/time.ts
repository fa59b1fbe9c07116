/** Internal times are epoch milliseconds; requests and responses use ISO 8601 in UTC. */
export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Formats a time. Caches the texts of some days, since times come from few of them: several times faster than a Date. */
export function isoTime(epochMs: number): string {
  const number = Math.floor(epochMs / DAY)
  const place = number & (CACHED_DAYS - 1)
  let day = days[place]
  if (day?.number !== number) {
    day = { number, text: new Date(number * DAY).toISOString().slice(0, -13) }
    days[place] = day
  }
  const rest = epochMs - number * DAY
  const hours = two(Math.floor(rest / HOUR))
  const minutes = two(Math.floor(rest / MINUTE) % 60)
  const seconds = two(Math.floor(rest / SECOND) % 60)
  return `${day.text}${hours}:${minutes}:${seconds}.${String(1_000 + (Math.floor(rest) % 1_000)).slice(1)}Z`
}

/** A power of two, so that each day has a place. */
const CACHED_DAYS = 256
const days: { number: number; text: string }[] = []

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
const two = (value: number) => TWO_DIGITS[value] ?? ''

export const isoTimeOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : isoTime(epochMs))

/** Returns the UTC day, such as 2026-01-31. */
export const isoDay = (epochMs: number): string => isoTime(epochMs).slice(0, 10)

/** Returns the start of the UTC day. */
export const startOfDay = (epochMs: number): number => Math.floor(epochMs / DAY) * DAY
