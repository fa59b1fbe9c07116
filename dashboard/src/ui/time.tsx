const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const second = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const utcDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const FORMATS = { moment, second, date }
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Shows a time in the zone of the reader, and in UTC when pointed at. */
export function Time({ at, as = 'moment' }: { at: string; as?: keyof typeof FORMATS | 'ago' }) {
  const time = new Date(at)
  return (
    <time dateTime={at} title={`${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`}>
      {as === 'ago' ? ago(time) : FORMATS[as].format(time)}
    </time>
  )
}

/** Shows a day of UTC, such as 2026-01-31. */
export function Day({ day }: { day: string }) {
  return <time dateTime={day}>{utcDate.format(new Date(`${day}T12:00:00Z`))}</time>
}

function ago(time: Date): string {
  const passed = time.getTime() - Date.now()
  for (const [unit, length] of UNITS) {
    if (Math.abs(passed) >= length) return relative.format(Math.round(passed / length), unit)
  }
  return relative.format(Math.round(passed / 1_000), 'second')
}
