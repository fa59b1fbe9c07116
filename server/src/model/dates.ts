import { monthOf } from './month-names.ts'
import { DAY, HOUR, MINUTE, SECOND } from './time.ts'
import { zoneOffset } from './zones.ts'

/**
 * Parses the dates of feeds into epoch milliseconds: ISO 8601 and its variants, RFC 822 and 2822, asctime, dates with
 * month names of many languages, and Unix times in seconds or milliseconds. A time without a zone is in UTC, a wrong
 * weekday is ignored, and too large parts roll over (31 June is 1 July). Returns undefined for other texts and for dates
 * without a year. Whether a date is plausible, for example not in the future, is for the caller to decide.
 */
export function parseDate(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  const clean = text.normalize('NFC').replace(SPACES, ' ').trim()
  const epochMs = parseUnixTime(clean) ?? parseIso(clean) ?? parseKorean(clean) ?? parseWords(clean)
  return epochMs === undefined || Math.abs(epochMs) > LATEST ? undefined : epochMs
}

const LONGEST = 100
const SPACES = /[\s\u200e\u200f]+/g
/** The last moment that ISO 8601 expresses with a year of four digits. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** Smaller numbers are seconds: as milliseconds, they would be before 1973. */
const FIRST_MILLISECONDS = 1e11

/** Returns epoch milliseconds for a Unix time in seconds or milliseconds. */
export function unixTime(value: number): number {
  return Math.trunc(Math.abs(value) < FIRST_MILLISECONDS ? value * SECOND : value)
}

/** Parses numbers of 9 to 11 or of 13 digits; other numbers are dates, such as 20260301. */
function parseUnixTime(text: string): number | undefined {
  return /^\d{9,11}(?:\.\d+)?$|^\d{13}$/.test(text) ? unixTime(Number(text)) : undefined
}

type Parts = Record<string, string | undefined>

/** Calendar and ordinal dates of ISO 8601, with and without separators, also with a year of two digits. */
const ISO_DATES = [
  /^(?<year>\d{4})([-/])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?=$|[T ]|\d{4}(?:\d\d)?$)/i,
  /^(?<year>\d{4})-?(?<ordinal>\d{3})(?=$|[T ])/i,
  /^(?<year>\d{4})(?:-(?<month>\d\d))?(?=$|T)/i,
  /^-?(?<year>\d\d)-(?<month>\d\d)-(?<day>\d\d)(?!\d)/,
  /^-(?<year>\d\d)-?(?<month>\d\d)(?=$|T)/i,
  /^(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)(?=$|[T ])/i,
  /^(?<year>\d\d)-?(?<ordinal>\d{3})(?=$|T)/i,
]
const TIME =
  /(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,:](?<fraction>\d+))?)?(?: ?(?<half>[ap])\.?m\b\.?)?/i
const ISO_TIMES = [
  new RegExp(`^(?: ?T ?|,? )${TIME.source}`, 'i'),
  /^[T ]?(?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?!\d)/i,
]
const ZONE = /^ ?(?:[a-z]+(?:\/[a-z_/]+)?)? ?(?:\(?[+\-−]\d\d?:?(?:\d\d)?\)?)?(?: ?\([^()]*\))?$/i

function parseIso(text: string): number | undefined {
  const date = firstMatch(ISO_DATES, text)
  if (date === undefined) return undefined
  const afterDate = text.slice(date[0].length)
  const time = firstMatch(ISO_TIMES, afterDate)
  const zone = afterDate.slice(time?.[0].length ?? 0)
  return ZONE.test(zone) ? epochOf({ ...date.groups, ...time?.groups }, zone) : undefined
}

/** Dates of Korean services, which are in Korean time. */
const KOREAN = /^(?<year>\d{4})(?:년 ?|-)(?<month>\d\d)(?:월 ?|-)(?<day>\d\d)일? (?<word>오[전후]?)? ?(?<time>[\d:]+)$/

function parseKorean(text: string): number | undefined {
  const { word, time = '', ...date } = KOREAN.exec(text)?.groups ?? {}
  if (time === '') return undefined
  return epochOf({ ...date, ...TIME.exec(time)?.groups, half: word === '오후' ? 'p' : undefined }, 'KST')
}

/** Parses dates such as Thu, 1 Jan 2004 19:48:21 GMT, in any order of the name of the month, the day and the year. */
function parseWords(text: string): number | undefined {
  const time = TIME.exec(text)
  const before = text.slice(0, time?.index)
  const after = time === null ? '' : text.slice(time.index + time[0].length)
  if (!/\d/.test(before)) return epochOrUndefined(readDate(after), time?.groups, '')
  // asctime has the year at the end.
  const lastYear = /(?<![+\-\d:])\d{4}(?!\d)/.exec(after)?.[0] ?? ''
  return epochOrUndefined(readDate(`${before} ${lastYear}`), time?.groups, after.replace(lastYear, ''))
}

function epochOrUndefined(date: Parts | undefined, time: Parts | undefined, zone: string): number | undefined {
  return date === undefined ? undefined : epochOf({ ...date, ...time }, zone)
}

/** 2004/07/13, 13.07.2004, 7/13/2004 as in the United States, and 13 07 2004. */
const NUMERIC_DATES = [
  /(?<year>\d{4})[/.-](?<month>\d{1,2})[/.-](?<day>\d{1,2})/,
  /(?<!\d)(?<day>\d{1,2})[.-] ?(?<month>\d{1,2})[.-] ?(?<year>\d{4}|\d\d)(?!\d)/,
  /(?<!\d)(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}|\d\d)(?!\d)/,
  /^\D*(?<day>\d\d) (?<month>\d\d) (?<year>\d{4})\b/,
]

function readDate(text: string): Parts | undefined {
  const numeric = firstMatch(NUMERIC_DATES, text)
  if (numeric?.groups !== undefined) {
    const { day, month, year = '' } = numeric.groups
    const isSwapped = Number(month) > 12 && !numeric[0].startsWith(year)
    return isSwapped ? { day: month, month: day, year } : { day, month, year }
  }
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{M}.]*/gu) ?? []
  // The last one: in several languages, "mar" is also Tuesday.
  const month = words.map(monthOf).findLast((number) => number !== undefined)
  const [first, second] = text.match(/\d+/g) ?? []
  if (month === undefined || first === undefined || second === undefined) return undefined
  const isYearFirst = first.length > 2
  return { year: isYearFirst ? first : second, day: isYearFirst ? second : first, month: String(month) }
}

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match !== null) return match
  }
  return undefined
}

function epochOf(parts: Parts, zone: string): number | undefined {
  const { year = '', month = '1', day = '1', ordinal = '1', minute = '0', second = '0', fraction = '0' } = parts
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined
  const date = new Date(0)
  date.setUTCFullYear(fullYear(year), Number(month) - 1, Number(day))
  const local =
    date.getTime() +
    (Number(ordinal) - 1) * DAY +
    hourOf(parts) * HOUR +
    Number(minute) * MINUTE +
    Number(second) * SECOND +
    Number(fraction.slice(0, 3).padEnd(3, '0'))
  return local - zoneOffset(zone, local)
}

function hourOf({ hour = '0', half }: Parts): number {
  if (half === undefined) return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/** Completes years of two digits, of which 49 is 2049 and 50 is 1950, and of three, as RFC 2822 demands. */
function fullYear(year: string): number {
  const number = Number(year)
  if (year.length > 3) return number
  return year.length < 3 && number < 50 ? 2000 + number : 1900 + number
}
