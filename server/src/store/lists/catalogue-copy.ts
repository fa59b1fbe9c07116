import { setImmediate } from 'node:timers/promises'
import type { Value } from '../db.ts'
import { CatalogueOrder } from './catalogue-order.ts'
import type { GivenFilters } from './filters.ts'
import { PREFIX_SIGN } from './search.ts'

/** Rows whose places in an order are found at once, within a few milliseconds. */
const ORDERED_AT_ONCE = 1_000

export interface CopiedRow {
  ref: number
  /** The words to search in, each with a space before it. */
  words: string
  [column: string]: Value
}

/**
 * The columns of a catalogue to filter and sort on, in memory: a list of values per column, which is compact and
 * fast to test. A row is a place in these lists.
 */
export class CatalogueCopy {
  readonly #refs: number[] = []
  readonly #rowsByRef = new Map<number, number>()
  readonly #columns: ReadonlyMap<string, Value[]>
  readonly #sorts: Readonly<Record<string, string>>
  readonly #orders = new Map<string, CatalogueOrder>()
  readonly #words: string[] = []
  /** The bits of the words of each row, because most rows can be excluded without reading their words. */
  readonly #starts: number[] = []
  /** Rows that were removed. Their places are not used again. */
  readonly #removed = new Set<number>()

  /** `sorts` has the column by the name of the sort. The first breaks ties. */
  constructor(columns: readonly string[], sorts: Readonly<Record<string, string>>) {
    this.#columns = new Map(columns.map((column) => [column, []]))
    this.#sorts = sorts
  }

  /** Adds rows, or replaces those with the same ref. */
  write(rows: readonly CopiedRow[]): void {
    const orders = [...this.#orders.values()]
    const known = rows.map(({ ref }) => this.#rowsByRef.get(ref))
    const moved = orders.map(({ by }) => {
      const columns = by.map((column) => ({ column, values: this.#columns.get(column) }))
      return rows.map((after, index) => {
        const row = known[index]
        return row === undefined || columns.some(({ column, values }) => values?.[row] !== after[column])
      })
    })
    for (const [place, order] of orders.entries()) {
      order.remove(known.flatMap((row, index) => (row !== undefined && moved[place]?.[index] ? row : [])))
    }
    const shared = new Map<Value, Value>()
    const places = rows.map((after, index) => this.#writeRow(known[index] ?? this.#refs.length, after, shared))
    for (const [place, order] of orders.entries()) order.insert(places.filter((_, index) => moved[place]?.[index]))
  }

  remove(refs: readonly number[]): void {
    const rows = refs.flatMap((ref) => this.#rowsByRef.get(ref) ?? [])
    for (const order of this.#orders.values()) order.remove(rows)
    for (const row of rows) this.#removed.add(row)
    for (const ref of refs) this.#rowsByRef.delete(ref)
  }

  /** Prepares the sort. Other requests run meanwhile, but no call of `write` may. */
  async prepare(sort: string): Promise<void> {
    if (this.#orders.has(sort)) return
    const [name = '', direction] = sort.split(':')
    const column = this.#sorts[name]
    if (column === undefined) throw new Error(`a list cannot be sorted by ${sort}`)
    const [first = column] = Object.values(this.#sorts)
    const order = new CatalogueOrder(this.#columns, this.#refs, column, direction === 'desc' ? -1 : 1, first)
    for (let from = 0; from < this.#refs.length; from += ORDERED_AT_ONCE) {
      const length = Math.min(ORDERED_AT_ONCE, this.#refs.length - from)
      const rows = Array.from({ length }, (_, index) => from + index)
      order.insert(rows.filter((row) => !this.#removed.has(row)))
      await setImmediate()
    }
    this.#orders.set(sort, order)
  }

  /** Returns the matching rows in the order of the sort, which must be prepared. */
  find({ given, terms }: GivenFilters, sort: string): Int32Array {
    const rows = this.#orders.get(sort)?.rows ?? new Int32Array(0)
    if (given.length === 0 && terms === undefined) return rows
    const matches = new Uint8Array(this.#refs.length).fill(1)
    for (const { filter, values } of given) {
      const wanted = new Set<Value | undefined>(values)
      const column = this.#columns.get(filter.column) ?? []
      for (let row = 0; row < matches.length; row += 1) if (!wanted.has(column[row])) matches[row] = 0
    }
    for (const phrases of terms?.groups ?? []) this.#search(matches, phrases, true)
    if (terms !== undefined && terms.excluded.length > 0) this.#search(matches, terms.excluded, false)
    return rows.filter((row) => matches[row] === 1)
  }

  refsOf(rows: Int32Array): number[] {
    return Array.from(rows, (row) => this.#refs[row] ?? 0)
  }

  /** Keeps the rows that have any of the phrases, or none of them if they are not wanted. */
  #search(matches: Uint8Array, phrases: readonly string[][], isWanted: boolean): void {
    const texts = phrases.map(toText)
    const bits = texts.map(startBits)
    for (let row = 0; row < matches.length; row += 1) {
      if (matches[row] === 0) continue
      const words = this.#words[row] ?? ''
      const starts = this.#starts[row] ?? 0
      let hasAny = false
      for (let index = 0; index < texts.length && !hasAny; index += 1) {
        const start = bits[index] ?? 0
        hasAny = (starts & start) === start && has(words, texts[index] ?? '')
      }
      if (hasAny !== isWanted) matches[row] = 0
    }
  }

  /** `shared` has the values of other rows: a value that occurs often, such as a type, is in memory once. */
  #writeRow(row: number, after: CopiedRow, shared: Map<Value, Value>): number {
    this.#refs[row] = after.ref
    this.#rowsByRef.set(after.ref, row)
    for (const [column, values] of this.#columns) {
      const value = after[column] ?? null
      if (!shared.has(value)) shared.set(value, value)
      values[row] = shared.get(value) ?? null
    }
    this.#words[row] = after.words
    this.#starts[row] = startBits(after.words)
    return row
  }
}

/** Returns a phrase with a space before each word, and one at the end unless its last word may go on. */
function toText(phrase: readonly string[]): string {
  const text = ` ${phrase.join(' ')}`
  return text.endsWith(PREFIX_SIGN) ? text.slice(0, -1) : `${text} `
}

/** The last of the words has no space after it. */
const has = (words: string, text: string) =>
  words.includes(text) || (text.endsWith(' ') && words.endsWith(text.trimEnd()))

/** Returns a set of 32 bits: one for the first two characters of each word, unless the text ends before. */
function startBits(words: string): number {
  let bits = 0
  for (let at = words.indexOf(' ') + 1; at > 0 && at + 1 < words.length; at = words.indexOf(' ', at) + 1) {
    bits |= 1 << (words.charCodeAt(at) * 31 + words.charCodeAt(at + 1))
  }
  return bits
}
