import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { selected } from '../model/selection.ts'
import type { Chunk, Column, FileShape } from './encoder.ts'

type Row = Record<string, unknown>

/** Rows of a row group. More need more memory; fewer make a larger file. */
const GROUP_ROWS = 5_000

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const

const TYPES: Record<Exclude<Column['type'], 'texts'>, Omit<SchemaElement, 'name'>> = {
  text: TEXT,
  json: TEXT,
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

/** A Parquet file being written, a row group at a time. Lists of texts are lists; other lists and objects are JSON. */
export class ParquetFile {
  readonly #columns: readonly Column[]
  readonly #selection: FileShape['selection']
  readonly #writer = new ByteWriter()
  readonly #file: ParquetWriter
  #rows: Row[] = []

  constructor({ columns, selection }: FileShape) {
    this.#columns = columns
    this.#selection = selection
    this.#file = new ParquetWriter({
      writer: this.#writer,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
      createdBy: 'mintick',
    })
  }

  rows(rows: readonly Row[]): Chunk[] {
    const chunks: Chunk[] = []
    for (const row of rows) {
      this.#rows.push(row)
      if (this.#rows.length === GROUP_ROWS) chunks.push(this.#writeGroup())
    }
    return chunks
  }

  finish(): Chunk[] {
    const chunks = this.#rows.length > 0 ? [this.#writeGroup()] : []
    this.#file.finish()
    return [...chunks, { bytes: this.#take(), rows: 0 }]
  }

  #writeGroup(): Chunk {
    const rows = this.#rows
    this.#rows = []
    this.#file.write({
      columnData: this.#columns.map((column) => ({
        name: column.name,
        data: rows.map((row) => cellOf(this.#select(row, column.name), column)),
        // Readers find pages by it within a group, which has one of most columns.
        offsetIndex: false,
      })),
      rowGroupSize: GROUP_ROWS,
    })
    return { bytes: this.#take(), rows: rows.length }
  }

  #select(row: Row, name: string): unknown {
    const part = this.#selection === 'all' ? 'all' : (this.#selection.get(name) ?? 'all')
    return selected(row[name], part)
  }

  /** Returns the bytes written since the last call. */
  #take(): Uint8Array {
    const bytes = this.#writer.getBytes().slice()
    this.#writer.index = 0
    return bytes
  }
}

function elementsOf({ name, type }: Column): SchemaElement[] {
  if (type !== 'texts') return [{ name, repetition_type: 'OPTIONAL', ...TYPES[type] }]
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...TEXT },
  ]
}

function cellOf(value: unknown, { type }: Column): unknown {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'integer':
      return BigInt(value as number)
    case 'time':
      return new Date(value as string)
    case 'json':
      return JSON.stringify(value)
    default:
      return value
  }
}
