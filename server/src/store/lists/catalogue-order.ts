import type { Value } from '../db.ts'

export type Columns = ReadonlyMap<string, readonly Value[]>

/** The rows of a catalogue in the order of a sort. A row is its place in the columns. */
export class CatalogueOrder {
  /** The names of the columns that the order depends on. */
  readonly by: readonly string[]
  readonly #compare: (a: number, b: number) => number
  rows = new Int32Array(0)

  /** Sorts by `column`, nulls last, then by `first` and by ref, both ascending. */
  constructor(columns: Columns, refs: readonly number[], column: string, direction: 1 | -1, first: string) {
    this.by = [column, first]
    const values = columns.get(column) ?? []
    const firstValues = columns.get(first) ?? []
    this.#compare = (a, b) =>
      compareValues(values[a], values[b], direction) ||
      compareValues(firstValues[a], firstValues[b], 1) ||
      (refs[a] ?? 0) - (refs[b] ?? 0)
  }

  /** Removes rows; their values must be those with which they were inserted. */
  remove(removed: readonly number[]): void {
    if (removed.length === 0) return
    const rows = new Int32Array(this.rows.length - removed.length)
    let from = 0
    for (const [index, row] of removed.toSorted(this.#compare).entries()) {
      const to = this.#placeOf(row, from)
      rows.set(this.rows.subarray(from, to), from - index)
      from = to + 1
    }
    rows.set(this.rows.subarray(from), from - removed.length)
    this.rows = rows
  }

  insert(added: readonly number[]): void {
    if (added.length === 0) return
    const rows = new Int32Array(this.rows.length + added.length)
    let from = 0
    for (const [index, row] of added.toSorted(this.#compare).entries()) {
      const to = this.#placeOf(row, from)
      rows.set(this.rows.subarray(from, to), from + index)
      rows[to + index] = row
      from = to
    }
    rows.set(this.rows.subarray(from), from + added.length)
    this.rows = rows
  }

  /** Finds the place, from `low` on, before which the row belongs. */
  #placeOf(row: number, low: number): number {
    let place = low
    let high = this.rows.length
    while (place < high) {
      const middle = (place + high) >>> 1
      if (this.#compare(this.rows[middle] ?? 0, row) < 0) place = middle + 1
      else high = middle
    }
    return place
  }
}

function compareValues(a: Value | undefined, b: Value | undefined, direction: 1 | -1): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string') return direction * compareText(a, b)
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
  return a === null ? 1 : -1
}

/** Compares by code points, which is the order of UTF-8 bytes in which both engines sort. */
function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let index = 0; index < end; index += 1) {
    const one = a.charCodeAt(index)
    const other = b.charCodeAt(index)
    if (one !== other) return rankOf(one) - rankOf(other)
  }
  return a.length - b.length
}

/** Ranks surrogates, the halves of the highest code points, above all other code units. */
const rankOf = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10_000 : unit)
