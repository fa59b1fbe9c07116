import { HOUR, MINUTE } from './time.ts'

/** Offsets from UTC in hours. */
const OFFSETS: Record<string, number> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, west: 1, bst: 1, cet: 1, mez: 1, met: 1, cest: 2, mesz: 2, mest: 2 },
  ...{ eet: 2, eest: 3, sast: 2, msk: 3, msd: 4, trt: 3, gst: 4, pkt: 5, ist: 5.5, npt: 5.75, ict: 7, wib: 7 },
  ...{ hkt: 8, sgt: 8, myt: 8, pht: 8, awst: 8, jst: 9, kst: 9, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11 },
  ...{ nzst: 12, nzdt: 13, brt: -3, art: -3, clt: -4, nst: -3.5, ndt: -2.5, ast: -4, adt: -3, est: -5, edt: -4 },
  ...{ cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, akdt: -8, hst: -10 },
}

/** Names for standard and daylight saving time alike. */
const PLACES: Record<string, string> = {
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
  at: 'America/Halifax',
}

/**
 * Returns the offset of a zone from UTC in milliseconds: +0200, +02:00, GMT+2, EST, ET, America/New_York. It is 0 for an
 * empty text and an unknown name.
 */
export function zoneOffset(text: string, localMs: number): number {
  const numeric = /([+\-−])\s?(\d{1,2}):?(\d\d)?(?!\d)/.exec(text)
  if (numeric !== null) {
    const [, sign, hours, minutes = 0] = numeric
    return (sign === '+' ? 1 : -1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
  }
  const name = /[a-z]+(?:\/[a-z_/]+)?/i.exec(text)?.[0] ?? ''
  const lower = name.toLowerCase()
  const hours = OFFSETS[lower] ?? (lower.length === 1 ? militaryOffset(lower) : undefined)
  if (hours !== undefined) return hours * HOUR
  const place = PLACES[lower] ?? (name.includes('/') ? name : undefined)
  return place === undefined ? 0 : placeOffset(place, localMs)
}

/** Returns the offset as RFC 822 has it, from A as -1 to M as -12 and from N as +1 to Y as +12. */
function militaryOffset(letter: string): number {
  const west = 'abcdefghiklm'.indexOf(letter) + 1
  return west > 0 ? -west : 'nopqrstuvwxy'.indexOf(letter) + 1
}

function placeOffset(place: string, localMs: number): number {
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO('UTC').toPlainDateTime()
    return local.toZonedDateTime(place).offsetNanoseconds / 1e6
  } catch {
    return 0 // no such place
  }
}
