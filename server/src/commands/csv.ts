import Papa from 'papaparse'
import { delimiterOf } from '../sources/csv.ts'
import type { Line } from './lines.ts'

/** A record of a CSV file: the cells by column, with nested objects for columns such as publisher.name. */
export interface CsvRecord {
  line: number
  value: Record<string, unknown> | undefined
  /** Set if the record is not readable; `value` is then undefined. */
  problem?: string
  text: string
}

/** A quoted cell may contain line breaks. A quote that is still open after this many lines is a mistake. */
const MAX_RECORD_LINES = 100

/** Reads the records of a CSV file line by line. */
export class CsvReader {
  readonly columns: readonly string[]
  readonly #delimiter: string
  /** The lines of a record with an open quote. */
  #open: Line[] = []

  constructor(header: string) {
    this.#delimiter = delimiterOf(header)
    // A column called __proto__ would replace the prototype of the row.
    this.columns = this.#parse(header).cells.map((name) => (name.includes('__proto__') ? '' : name.trim()))
  }

  /** Returns the records that end with this line: usually one, none within a quoted cell. */
  read(line: Line): CsvRecord[] {
    if (line.problem !== undefined) {
      return [...this.end(), { line: line.number, value: undefined, problem: line.problem, text: line.text }]
    }
    if (this.#open.length === 0 && line.text.trim() === '') return []
    this.#open.push(line)
    // A quote opens or closes a cell, or is doubled: an odd number of them leaves the state of the cell changed.
    const isChanging = line.text.split('"').length % 2 === 0
    const isOpen = this.#open.length > 1 ? !isChanging : isChanging && this.#parse(line.text).isOpen
    if (!isOpen) return [this.#finish()]
    return this.#open.length < MAX_RECORD_LINES ? [] : this.#giveUp()
  }

  /** Returns the records of the last lines, if a quote is open at the end of the file. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = []
    while (this.#open.length > 0) records.push(...this.#giveUp())
    return records
  }

  /** Refuses the line with the open quote, and reads the lines after it again. */
  #giveUp(): CsvRecord[] {
    const [first, ...rest] = this.#open
    this.#open = []
    if (first === undefined) return []
    const refused = { line: first.number, value: undefined, problem: 'a quote is not closed', text: first.text }
    return [refused, ...rest.flatMap((line) => this.read(line))]
  }

  #finish(): CsvRecord {
    const text = this.#open.map((line) => line.text).join('\n')
    const record = { line: this.#open[0]?.number ?? 0, text }
    this.#open = []
    const { cells, problem } = this.#parse(text)
    if (problem !== undefined) return { ...record, value: undefined, problem }
    if (cells.slice(this.columns.length).some((cell) => cell.trim() !== '')) {
      const found = `it has ${cells.length} cells, but the header has ${this.columns.length}`
      return { ...record, value: undefined, problem: found }
    }
    return { ...record, value: this.#valueOf(cells) }
  }

  /** An empty cell leaves its field out; `null` clears it. */
  #valueOf(cells: readonly string[]): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    for (const [place, column] of this.columns.entries()) {
      const cell = cells[place]?.trim() ?? ''
      if (cell !== '' && column !== '') setField(value, column, cell === 'null' || cell === 'NULL' ? null : cell)
    }
    return value
  }

  #parse(text: string): { cells: string[]; isOpen: boolean; problem?: string } {
    if (!text.includes('"')) return { cells: text.split(this.#delimiter), isOpen: false }
    const { data, errors } = Papa.parse<string[]>(text, { delimiter: this.#delimiter, newline: '\n' })
    const isOpen = errors.some(({ code }) => code === 'MissingQuotes')
    const isWrong = errors.some(({ type }) => type === 'Quotes')
    return { cells: data[0] ?? [], isOpen, ...(isWrong && { problem: 'a quote is misplaced' }) }
  }
}

/** Sets a field, or that of a nested object for a name such as publisher.name. */
function setField(fields: Record<string, unknown>, name: string, value: string | null): void {
  const dot = name.indexOf('.')
  if (dot <= 0) {
    fields[name] = value
    return
  }
  const outer = name.slice(0, dot)
  const known = fields[outer]
  const nested = typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {}
  setField(nested, name.slice(dot + 1), value)
  fields[outer] = nested
}
