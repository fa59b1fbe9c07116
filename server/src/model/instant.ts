const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+ -]\d{2}:?\d{2})?)?$/i

/** Epoch milliseconds of an ISO 8601 day or time, which is UTC unless it says otherwise; undefined when it is neither. */
export function parseInstant(text: string): number | undefined {
  const [, day, time = '00:00', zone = 'Z'] = INSTANT.exec(text) ?? []
  if (day === undefined) return undefined
  // A plus sign that was not percent-encoded arrives as a space.
  const offset = zone.replace(' ', '+').replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')
  const epochMs = Date.parse(`${day}T${time}${offset.toUpperCase()}`)
  // Date.parse takes 30 February for 2 March.
  const isRealDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  return Number.isNaN(epochMs) || !isRealDay ? undefined : epochMs
}
