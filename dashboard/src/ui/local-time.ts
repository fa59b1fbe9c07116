/** Returns a time as a field of type datetime-local shows it, in the zone of the reader; an empty text if it is none. */
export function toLocal(time: string | undefined, smallest: 'minutes' | 'seconds' = 'seconds'): string {
  const at = new Date(time ?? '')
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, smallest === 'minutes' ? 16 : 19)
}
