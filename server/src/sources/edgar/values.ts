import type { XmlElement } from './xml.ts'

/** Readers of values in filings. They return null for a value that is missing or unreadable. */

/** Returns a text as filed, on one line. Removes what no store can keep. */
export function toText(given: string | undefined): string | null {
  const text = given
    ?.replace(UNSTORABLE, '')
    .toWellFormed()
    .replace(/\s*[\r\n\t]\s*/g, ' ')
    .trim()
  return text ? text : null
}

/** Control characters, without tab and line breaks. */
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

/** Reads a number, also with a currency sign, a percent sign or thousands separators; in parentheses it is negative. */
export function toNumber(given: string | undefined): number | null {
  const text = (given ?? '').replace(/[$%,\s]/g, '').replace(/^\((.+)\)$/, '-$1')
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  // 0 instead of -0.
  return Number.isFinite(number) ? number + 0 : null
}

/** Reads 1 and 0, true and false, Y and N, and the X of a box. */
function toFlag(given: string | undefined): boolean | null {
  const text = (given ?? '').trim().toLowerCase()
  if (/^(?:1|true|t|y|yes|x|on)$/.test(text)) return true
  return /^(?:0|false|f|n|no|off)$/.test(text) ? false : null
}

const DAYS = [
  // A time or a zone may follow: 2004-03-15-05:00.
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?!\d)/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:\d{6})?$/,
  /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/,
  /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})[/.-](?<year>\d{4}|\d\d)$/,
]

/** Reads a day of the calendar: 2026-01-31, 20260131, 01/31/2026, 01-31-2026. */
export function toDay(given: string | undefined): string | null {
  const text = given?.trim() ?? ''
  for (const pattern of DAYS) {
    const { year, month = '', day = '' } = pattern.exec(text)?.groups ?? {}
    if (year === undefined) continue
    const fullYear = year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`
    if (!isRealDay(Number(fullYear), Number(month), Number(day))) return null
    return `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  }
  return null
}

function isRealDay(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0)
  return day >= 1 && day <= days
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads a CIK and pads it to ten digits. */
export function toCik(given: string | number | undefined): string | null {
  const text = String(given ?? '').trim()
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? text.padStart(10, '0') : null
}

/** Reads an accession number, with and without hyphens. */
export function toAccession(given: string | undefined): string | null {
  const [, filer, year, number] = /^(\d{10})-?(\d\d)-?(\d{6})$/.exec(given?.trim() ?? '') ?? []
  return number === undefined ? null : `${filer}-${year}-${number}`
}

/** Reads a ticker; filers write NONE or N/A if there is none. */
export function toTicker(given: string | undefined): string | null {
  const text = toText(given)?.toUpperCase() ?? ''
  return /^(?:N\/?A|NONE|NULL|NOT APPLICABLE|-+|0+)?$/.test(text) ? null : text
}

/** Values of elements at a path below `from`. Forms put many of them into an element `value`. */
export const textAt = (from: XmlElement, ...path: string[]) => toText(valueAt(from, path))
export const numberAt = (from: XmlElement, ...path: string[]) => toNumber(valueAt(from, path))
export const dayAt = (from: XmlElement, ...path: string[]) => toDay(valueAt(from, path))
export const flagAt = (from: XmlElement, ...path: string[]) => toFlag(valueAt(from, path))
export const cikAt = (from: XmlElement, ...path: string[]) => toCik(valueAt(from, path))

function valueAt(from: XmlElement, path: string[]): string | undefined {
  const element = from.find(...path)
  return (element?.find('value') ?? element)?.text
}
