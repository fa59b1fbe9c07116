import { parseInstant } from '../model/instant.ts'
import { Refused } from '../model/refused.ts'
import { webUrl } from '../model/web-url.ts'

/** Readers of single fields. They return null for a value that is missing or of the wrong kind. */

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listField = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Reads a text or a numeric id. Removes NUL and unpaired surrogates, which no store can keep. */
export function textField(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return String(value).replaceAll('\0', '').toWellFormed().trim() || null
}

export function urlField(value: unknown): string | null {
  const text = textField(value)
  return text !== null && webUrl(text) !== undefined ? text : null
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Reads a number or a text with a decimal number. */
export function numberField(value: unknown): number | null {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

const numberWithin =
  (min: number, max: number) =>
  (value: unknown): number | null => {
    const number = numberField(value)
    return number !== null && number >= min && number <= max ? number : null
  }

/** Reads a probability or a price between 0 and 1. */
export const shareField = numberWithin(0, 1)
/** Reads a difference of two probabilities. */
export const changeField = numberWithin(-1, 1)
export const amountField = numberWithin(0, Number.MAX_VALUE)

export function countField(value: unknown): number | null {
  const number = amountField(value)
  return Number.isSafeInteger(number) ? number : null
}

/**
 * Reads a time as epoch milliseconds: Unix seconds, milliseconds or microseconds, told apart by their size, or ISO 8601,
 * also with a space before the time and a zone of two digits (2020-11-02 16:31:01+00).
 */
export function timeField(value: unknown): number | null {
  const number = numberField(value)
  if (number !== null) return unixTime(number)
  const text = textField(value)
  // A time of the year 1 is the zero value of Go.
  if (text === null || text.startsWith('0001-')) return null
  return parseInstant(text.replace(/^(\S{10}) (?=\d)/, '$1T').replace(/(T.*[+-]\d{2})$/, '$1:00')) ?? null
}

const YEAR_10000 = Date.UTC(10_000)

function unixTime(number: number): number | null {
  // Smaller numbers are years or days rather than times; as seconds they would be before 1973.
  if (number < 1e8) return null
  if (number < 1e11) return Math.round(number * 1_000)
  if (number < YEAR_10000) return Math.round(number)
  return number < YEAR_10000 * 1_000 ? Math.round(number / 1_000) : null
}

/** Returns the value of a required field that was read; refuses the record if it was not readable. */
export function required<Value>(name: string, read: Value | null, given: unknown): Value {
  if (read !== null) return read
  if (given === undefined || given === null || given === '') throw new Refused(`${name} is missing`)
  const text = typeof given === 'object' ? 'an object or list' : JSON.stringify(String(given).slice(0, 40))
  throw new Refused(`${name} is not readable: ${text}`)
}
