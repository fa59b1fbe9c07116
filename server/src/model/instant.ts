const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+ -]\d{2}:?\d{2})?)?$/i

/** Parses an ISO 8601 date or time, by default in UTC, into epoch milliseconds; undefined if it is invalid. */
export function parseInstant(text: string): number | undefined {
  const [, day, time = '00:00', zone = 'Z'] = INSTANT.exec(text) ?? []
  if (day === undefined) return undefined
  // In a query string, a plus sign that is not percent-encoded becomes a space.
  const offset = zone.replace(' ', '+').replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')
  const epochMs = Date.parse(`${day}T${time}${offset.toUpperCase()}`)
  // Date.parse turns 30 February into 2 March.
  const isRealDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  return Number.isNaN(epochMs) || !isRealDay ? undefined : epochMs
}
