import { closest, distance } from 'fastest-levenshtein'
import type { EntryIntake } from '../ingest/entries/entry-intake.ts'
import { cleanText } from '../model/clean-text.ts'
import { Refused } from '../model/refused.ts'
import type { Store } from '../store/store.ts'

export const MAX_ROWS_PER_REQUEST = 500

/** A resource that operators can import. */
export interface Importable {
  /** The records in plain words, in the plural. */
  noun: string
  /** The field that identifies a record. */
  key: string
  /** How the resource treats its fields, for the reference. */
  about: string
  example: Record<string, unknown>
  /** Rows per write if the command writes into the store itself. */
  batchRows: number
  fieldsOf(row: Record<string, unknown>): FieldNames
  write(rows: readonly unknown[], options: ImportOptions, parts: ImportParts): Promise<Written>
}

export interface FieldNames {
  /** Fields that a row may have. */
  given: ReadonlySet<string>
  /** Fields that only the API's records have. Rows may have them, so that answers of the API can be imported. */
  derived: ReadonlySet<string>
}

export interface ImportOptions {
  /** Whether existing records are overwritten. */
  update: boolean
}

export interface ImportParts {
  store: Store
  intake: Pick<EntryIntake, 'take'>
  now: number
}

/** The number of rows with each outcome. `known` counts rows whose record exists and stays as it is. */
export interface Written {
  added: number
  changed: number
  known: number
  refused: { index: number; reason: string }[]
}

export interface ImportOutcome extends Omit<Written, 'refused'> {
  refused: RefusedRow[]
  /** Fields that were ignored because nothing is known by their name. */
  unknownFields: UnknownField[]
}

export interface RefusedRow {
  /** Counts from 0. */
  index: number
  reason: string
  /** Path of the field that is wrong; null if it is not a single one. */
  field: string | null
  /** The beginning of its value, as JSON. */
  value: string | null
}

export interface UnknownField {
  field: string
  rows: number
  /** A known field with a similar name. */
  suggestion: string | null
}

/** Imports rows: valid ones go into the store, the others are returned with the reason. */
export async function importRows(
  resource: Importable,
  rows: readonly unknown[],
  options: ImportOptions,
  parts: ImportParts,
): Promise<ImportOutcome> {
  const { refused, ...counts } = await resource.write(rows, options, parts)
  return {
    ...counts,
    refused: refused.map(({ index, reason }) => ({ index, reason, ...locate(resource, rows[index], reason) })),
    unknownFields: unknownFieldsOf(resource, rows),
  }
}

/** Returns a function that writes the rows that `read` accepts and refuses the others. */
export function writer<RowRecord>(
  read: (row: unknown) => RowRecord,
  write: (records: RowRecord[], options: ImportOptions, parts: ImportParts) => Promise<Written>,
): Importable['write'] {
  return async (rows, options, parts) => {
    const records: RowRecord[] = []
    const places: number[] = []
    const refused: Written['refused'] = []
    for (const [index, row] of rows.entries()) {
      try {
        records.push(read(row))
        places.push(index)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        refused.push({ index, reason: error.message })
      }
    }
    const written = await write(records, options, parts)
    for (const { index, reason } of written.refused) refused.push({ index: places[index] ?? 0, reason })
    return { ...written, refused: refused.sort((a, b) => a.index - b.index) }
  }
}

const SHOWN_VALUE = 100

/** Finds the field that a reason is about: reasons start with its path. */
function locate(resource: Importable, row: unknown, reason: string): Pick<RefusedRow, 'field' | 'value'> {
  const [path = ''] = reason.split(' ', 1)
  const names = path.split('.')
  if (!isObject(row) || !resource.fieldsOf(row).given.has(names[0] ?? '')) return { field: null, value: null }
  let value: unknown = row
  for (const name of names) value = memberOf(value, name)
  return { field: path, value: value === undefined ? null : shown(value) }
}

function memberOf(value: unknown, name: string): unknown {
  const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isParent ? (value as Record<string, unknown>)[name] : undefined
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_VALUE)) : JSON.stringify(value)
  return text.slice(0, SHOWN_VALUE).toWellFormed()
}

const MAX_UNKNOWN = 100

function unknownFieldsOf(resource: Importable, rows: readonly unknown[]): UnknownField[] {
  const counts = new Map<string, UnknownField>()
  for (const row of rows) {
    if (!isObject(row)) continue
    const { given, derived } = resource.fieldsOf(row)
    for (const name of Object.keys(row)) {
      if (given.has(name) || derived.has(name)) continue
      const field = cleanText(name, SHOWN_VALUE)
      const known = counts.get(field)
      if (known !== undefined) known.rows += 1
      else if (counts.size < MAX_UNKNOWN) counts.set(field, { field, rows: 1, suggestion: suggestionFor(field, given) })
    }
  }
  return [...counts.values()]
}

/** Returns the most similar name if at most two fifths of its letters differ, in any letter case. */
function suggestionFor(field: string, known: ReadonlySet<string>): string | null {
  const byLowerCase = new Map([...known].map((name) => [name.toLowerCase().replaceAll('_', ''), name]))
  const given = field.toLowerCase().replace(/[_\s-]/g, '')
  const best = closest(given, [...byLowerCase.keys()])
  return distance(given, best) <= Math.max(given.length, best.length) * 0.4 ? (byLowerCase.get(best) ?? null) : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the names of the fields of a schema for input, and of the other fields of the API's record. */
export function fieldNames(given: Iterable<string>, apiRecord: Iterable<string> = []): FieldNames {
  const names = new Set(given)
  return { given: names, derived: new Set([...apiRecord].filter((name) => !names.has(name))) }
}
