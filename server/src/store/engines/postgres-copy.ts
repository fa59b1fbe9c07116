import pg from 'pg'
import type { Value } from '../db.ts'

type Rows = Iterable<readonly Value[]>

/** Rows are sent in messages of about this size. */
const CHUNK_LENGTH = 65_536

/** A COPY statement that sends rows to a table, several times faster than insert statements. */
export class CopyRows extends pg.Query {
  readonly #rows: Rows

  constructor(table: string, columns: readonly string[], rows: Rows) {
    super(`copy ${table} (${columns.join(', ')}) from stdin`)
    this.#rows = rows
  }

  sendTo(client: pg.PoolClient): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.on('end', () => resolve({ command: 'COPY', rowCount: null, oid: 0, fields: [], rows: [] }))
      this.on('error', reject)
      client.query(this)
    })
  }

  /** Called by pg when the server is ready to receive the rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    try {
      for (const chunk of chunksOf(this.#rows)) connection.sendCopyFromChunk(Buffer.from(chunk))
      connection.endCopyFrom()
    } catch (error) {
      // The server answers with this message as its error.
      connection.sendCopyFail(error instanceof Error ? error.message : String(error))
    }
  }
}

/** The part of pg's connection that its types leave out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

function* chunksOf(rows: Rows): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    let separator = ''
    for (const value of row) {
      chunk += separator + fieldOf(value)
      separator = '\t'
    }
    chunk += '\n'
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** Returns a value in the text format of COPY. */
function fieldOf(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.replace(/[\\\n\r\t]/g, (char) => ESCAPES[char] ?? char)
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
