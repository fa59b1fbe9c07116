import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { cleanText } from '../model/clean-text.ts'
import { fieldErrors } from '../model/field-errors.ts'
import { normalizeField } from '../model/field-formats.ts'
import { Refused } from '../model/refused.ts'

const LONGEST_TEXT = 500
const LONGEST_DESCRIPTION = 5_000
const MAX_ITEMS = 500
const SHOWN_NAME = 50

/**
 * Returns a function that reads a record from untrusted JSON and throws Refused with the reason. It ignores fields that
 * only the API's record has, such as counts, so that records returned by the API can be loaded.
 */
export function recordReader<Schema extends TObject>(
  schema: Schema,
  apiRecord: TObject,
): (value: unknown) => Static<Schema> {
  const check = Compile(schema)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Refused('it is not a JSON object')
    }
    const record: Record<string, unknown> = {}
    for (const [field, given] of Object.entries(value)) {
      if (Object.hasOwn(schema.properties, field)) record[field] = tidied(field, given)
      else if (!Object.hasOwn(apiRecord.properties, field)) {
        throw new Refused(`${cleanText(field, SHOWN_NAME)} is not a known field`)
      }
    }
    if (check.Check(record)) return record
    const [first] = fieldErrors(check.Errors(record))
    throw new Refused(first === undefined ? 'it is invalid' : `${first.field} ${first.message}`)
  }
}

/** Cleans texts, in lists as well, and normalises them for their field. The schema checks everything else. */
function tidied(field: string, value: unknown): unknown {
  if (!Array.isArray(value)) return tidiedText(field, value)
  if (value.length > MAX_ITEMS) throw new Refused(`${field} has more than ${MAX_ITEMS} items`)
  const items = value.map((item: unknown) =>
    typeof item === 'object' && item !== null
      ? Object.fromEntries(Object.entries(item).map(([name, member]) => [name, tidiedText(name, member)]))
      : tidiedText(field, item),
  )
  return [...new Set(items)].filter((item) => item !== null)
}

/** Returns null for an empty text. */
function tidiedText(field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const longest = field === 'description' ? LONGEST_DESCRIPTION : LONGEST_TEXT
  if (value.length > longest) throw new Refused(`${field} has more than ${longest} characters`)
  const text = cleanText(value)
  return text === '' ? null : normalizeField(field, text)
}
