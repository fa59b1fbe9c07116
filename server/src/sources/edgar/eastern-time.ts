import { DAY, HOUR, isoTime, MINUTE } from '../../model/time.ts'
import { zoneOffset } from '../../model/zones.ts'

/** Returns the epoch milliseconds of a time of day in New York. */
function fromEastern(localMs: number): number {
  return localMs - zoneOffset('America/New_York', localMs)
}

const STATED = /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i

interface Stated {
  /** The digits as if they were in UTC. */
  ms: number
  zone: string
}

function readStated(text: string): Stated | null {
  const [, year, month, day, hour, minute, second, zone = ''] = STATED.exec(text.trim()) ?? []
  if (year === undefined) return null
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? null : { ms, zone: zone.toUpperCase() }
}

/** Reads an acceptance time of EDGAR, which is in New York even if it ends in Z. Only an offset is believed. */
export function acceptanceTime(text: string | undefined): string | null {
  const stated = readStated(text ?? '')
  if (stated === null) return null
  const { ms, zone } = stated
  return isoTime(/\d/.test(zone) ? ms - zoneOffset(zone, ms) : fromEastern(ms))
}

/** An acceptance time as a list states it. */
export interface ListedTime {
  text: string
  filingDate: string | null
  formType: string | null
}

/**
 * Reads the acceptance times of one list of filings. They end in Z, but some lists have the time of New York: the list as
 * a whole tells, since EDGAR accepts filings from 6:00 to 22:00 in New York only, and dates most of those after 17:30 to
 * the next day.
 */
export function acceptanceTimes(list: readonly ListedTime[]): (string | null)[] {
  let votes = 0
  for (const listed of list) votes += voteOf(listed)
  // More votes for UTC.
  if (votes <= 0) return list.map(({ text }) => acceptanceTime(text))
  return list.map(({ text }) => acceptanceTime(text.replace(/Z$/i, '+00:00')))
}

const OPENS = 6 * HOUR
const CLOSES = 22 * HOUR
const LATE = 17 * HOUR + 30 * MINUTE
/** The earliest acceptance in UTC, in summer. */
const OPENS_UTC = 10 * HOUR
/** Reports of insiders have until 22:00. */
const INSIDER_FORM = /^[345](?:\/A)?$/

/** Returns 1 if the time can only be UTC, -1 if it can only be the time of New York, and 0 if it can be both. */
function voteOf({ text, filingDate, formType }: ListedTime): number {
  const stated = readStated(text)
  if (stated === null || stated.zone !== 'Z') return 0
  const time = stated.ms % DAY
  // Filings before 2001 have only a day, which is midnight in either zone.
  if (time % HOUR === 0) return 0
  if (time < OPENS || time > CLOSES) return 1
  if (time < OPENS_UTC) return -1
  if (time < LATE || filingDate === null || formType === null || INSIDER_FORM.test(formType)) return 0
  return filingDate === isoTime(stated.ms).slice(0, 10) ? 1 : -1
}
