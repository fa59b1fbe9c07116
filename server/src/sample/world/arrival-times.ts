const HOUR = 3_600_000

/**
 * Yields `count` times in [from, to) in ascending order, denser on weekdays and while markets are open. `jitter`
 * returns a number in [0, 1) per time; time i lies in the i-th of `count` equal shares of the total activity.
 */
export function* arrivalTimes(count: number, from: number, to: number, jitter: () => number): Generator<number> {
  let hourStart = from
  let hourEnd = Math.min(nextHour(from), to)
  let activity = activityOf(hourStart, hourEnd)
  let activityBefore = 0
  const share = totalActivity(from, to) / count
  for (let i = 0; i < count; i++) {
    const target = (i + jitter()) * share
    while (target >= activityBefore + activity && hourEnd < to) {
      activityBefore += activity
      hourStart = hourEnd
      hourEnd = Math.min(hourStart + HOUR, to)
      activity = activityOf(hourStart, hourEnd)
    }
    const moment = hourStart + ((target - activityBefore) / activity) * (hourEnd - hourStart)
    // A rounding error may overshoot the last hour.
    yield Math.min(Math.floor(moment), to - 1)
  }
}

/** Activity per hour of the day, in UTC: Asia at night, Europe from 7:00, America from 13:30. */
const weekdayHours = [
  0.55, 0.6, 0.6, 0.55, 0.5, 0.55, 0.8, 1.1, 1.2, 1.1, 1.1, 1.2, 1.4, 1.8, 1.9, 1.7, 1.6, 1.5, 1.4, 1.4, 1.7, 1.2, 0.7,
  0.5,
]
const WEEKEND = 0.3

function activityOf(start: number, end: number): number {
  const date = new Date(start)
  const day = date.getUTCDay()
  const level = (weekdayHours[date.getUTCHours()] ?? 1) * (day === 0 || day === 6 ? WEEKEND : 1)
  return (level * (end - start)) / HOUR
}

function totalActivity(from: number, to: number): number {
  let total = 0
  for (let start = from; start < to; ) {
    const end = Math.min(nextHour(start), to)
    total += activityOf(start, end)
    start = end
  }
  return total
}

function nextHour(moment: number): number {
  return (Math.floor(moment / HOUR) + 1) * HOUR
}
