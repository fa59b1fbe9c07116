import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { BLOCK_ROWS } from '../model/exports.ts'
import { selected } from '../model/selection.ts'
import { free } from '../thread.ts'
import { type Chunk, type Column, docsOf, type FileShape, type Portion, parse } from './encoder.ts'

/** Rows of a row group. More need more memory; fewer make a larger file. */
const GROUP_ROWS = 5_000
/** Bytes of JSON after which a row group is written early, with the rows of whole blocks. */
const GROUP_BYTES = 4_000_000

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const

const TYPES: Record<Exclude<Column['type'], 'texts'>, Omit<SchemaElement, 'name'>> = {
  text: TEXT,
  json: TEXT,
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

/**
 * A Parquet file being written, a row group at a time. Lists of texts are lists; other lists and objects are JSON. Rows wait as
 * JSON: parsed ones need several times the memory, and many files may be open.
 */
export class ParquetFile {
  readonly #columns: readonly Column[]
  readonly #selection: FileShape['selection']
  readonly #writer = new ByteWriter()
  readonly #file: ParquetWriter
  #docs: Buffer[] = []
  #bytes = 0
  /** The bytes that the documents are in. */
  #portions: Uint8Array[] = []

  constructor({ columns, selection }: FileShape) {
    this.#columns = columns
    this.#selection = selection
    this.#file = new ParquetWriter({
      writer: this.#writer,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
      createdBy: 'mintick',
    })
  }

  rows(portion: Portion): Chunk[] {
    const chunks: Chunk[] = []
    this.#portions.push(portion.docs)
    for (const doc of docsOf(portion)) {
      this.#docs.push(doc)
      this.#bytes += doc.length
      if (this.#isGroupFull()) chunks.push(this.#writeGroup())
    }
    if (this.#docs.length === 0) this.#free(this.#portions.length)
    return chunks
  }

  finish(): Chunk[] {
    const chunks = this.#docs.length > 0 ? [this.#writeGroup()] : []
    this.#file.finish()
    return [...chunks, { bytes: this.#take(), rows: 0 }]
  }

  #isGroupFull(): boolean {
    const rows = this.#docs.length
    return rows === GROUP_ROWS || (this.#bytes >= GROUP_BYTES && rows % BLOCK_ROWS === 0)
  }

  #writeGroup(): Chunk {
    const rows = this.#docs.length
    const columns = this.#columns.map((column) => ({ column, data: [] as unknown[] }))
    for (const doc of this.#docs) {
      const row = parse(doc)
      for (const { column, data } of columns) data.push(cellOf(this.#select(row, column.name), column))
    }
    this.#docs = []
    this.#bytes = 0
    // The last one may have more rows.
    this.#free(this.#portions.length - 1)
    this.#file.write({
      columnData: columns.map(({ column, data }) => ({
        name: column.name,
        data,
        // Readers find pages by it within a group, which has one of most columns.
        offsetIndex: false,
      })),
      rowGroupSize: GROUP_ROWS,
    })
    return { bytes: this.#take(), rows }
  }

  /** Frees the first portions. */
  #free(count: number): void {
    for (const docs of this.#portions.splice(0, count)) free(docs)
  }

  #select(row: Record<string, unknown>, name: string): unknown {
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
