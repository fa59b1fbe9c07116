import { BLOCK_ROWS, type ExportFormat } from '../model/exports.ts'
import type { Selection } from '../model/selection.ts'
import type { DocRows } from '../store/lists/docs.ts'

/** The next bytes of a file, with the number of rows that they complete. */
export interface Chunk {
  bytes: Uint8Array
  rows: number
}

/** Rows as JSON texts, separated by commas, with the size of each. */
export interface Portion {
  docs: Uint8Array
  sizes: readonly number[]
}

/** Writes rows as a file. */
export interface Encoder {
  /** Returns the chunks that the rows complete, and uses them up; a format may keep rows until there are more. */
  rows(rows: DocRows): Promise<Chunk[]>
  /** Returns the rest of the file. */
  finish(): Promise<Chunk[]>
  /** Frees what the encoder holds, at whatever point. */
  close(): void
}

/** A column of a file: a field of the records. */
export interface Column {
  name: string
  type: 'text' | 'texts' | 'number' | 'integer' | 'boolean' | 'time' | 'json'
}

/** What a file has, besides its rows. */
export interface FileShape {
  format: ExportFormat
  columns: readonly Column[]
  selection: Selection
  /** Whether the file goes on another one, and so has no header. */
  isContinued: boolean
}

/** The number and the hash of a file's rows and, if the file was written, its size and hash. */
export interface FileSums {
  rows: number
  /** SHA-256 of the rows, each with a line feed. */
  rowsSha256: string
  bytes: number
  sha256: string
}

/** Splits rows into those of each block. */
export function blocksOf<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, place) =>
    rows.slice(place * BLOCK_ROWS, (place + 1) * BLOCK_ROWS),
  )
}

/** Returns the documents of a portion, without copying them. */
export function docsOf({ docs, sizes }: Portion): Buffer[] {
  const bytes = Buffer.from(docs.buffer, docs.byteOffset, docs.length)
  let end = -1
  return sizes.map((size) => {
    const from = end + 1
    end = from + size
    return bytes.subarray(from, end)
  })
}

export const parse = (doc: Buffer): Record<string, unknown> => JSON.parse(doc.toString())
