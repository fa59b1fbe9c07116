import { isDeeperThan } from '../model/json-depth.ts'
import { Refused } from '../model/refused.ts'
import { type Fields, isFields, textField } from './fields.ts'

/** The reason why an answer as a whole cannot be read. */
export class ParseError extends Error {}

export interface Rejected {
  /** Counts from 1, in the order of the answer. */
  row: number
  reason: string
}

/** With more bad rows than this, the answer as a whole is taken for unreadable. */
const MAX_REJECTED = 10_000
/** Answers of the venues have fewer than ten levels. Deeper JSON needs far more memory than its text. */
const MAX_DEPTH = 100

/** Reads each row; rows that `read` refuses are listed with the reason. */
export function readRows<Row, Result>(
  rows: Iterable<Row>,
  read: (row: Row) => Result,
): { records: Result[]; rejected: Rejected[] } {
  const records: Result[] = []
  const rejected: Rejected[] = []
  let number = 0
  for (const row of rows) {
    number += 1
    try {
      records.push(read(row))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      rejected.push({ row: number, reason: error.message })
      if (rejected.length > MAX_REJECTED) {
        throw new ParseError(`has more than ${MAX_REJECTED} bad rows; row ${number}: ${error.message}`)
      }
    }
  }
  return { records, rejected }
}

/** Decodes a text answer, without a byte order mark. */
export function readText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new ParseError('is empty')
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) {
    throw new ParseError('is a web page instead of data; the service probably refused the request')
  }
  return text
}

/** Reads a JSON answer, also from a recording that has a note about the request before or around it. */
export function readJson(bytes: Uint8Array): unknown {
  const text = readText(bytes)
  const start = /^\s*[[{]/.test(text) ? 0 : Math.max(text.search(/^[[{]/m), 0)
  const document = parseJson(text.slice(start))
  return isFields(document) && '_metadata' in document ? document.response : document
}

export function parseJson(text: string): unknown {
  if (isDeeperThan(text, MAX_DEPTH)) throw new ParseError(`is nested more than ${MAX_DEPTH} levels deep`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ParseError(`is not JSON (${error instanceof Error ? error.message : error})`)
  }
}

/** Creates the error for an answer of another form: the message of the service if it has one. */
export function unexpected(document: unknown, expected: string): ParseError {
  const message = isFields(document) ? errorMessage(document) : null
  return new ParseError(message === null ? `has no ${expected}` : `is an error of the service: ${message}`)
}

function errorMessage(document: Fields): string | null {
  const { error, errors, message, msg, detail } = document
  if (isFields(error)) return errorMessage(error)
  for (const value of [message, msg, detail, error, errors]) {
    const text = textField(Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : value)
    if (text !== null) return text.slice(0, 200)
  }
  return null
}
