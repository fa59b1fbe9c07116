/** Worker thread: runs queries on its own read-only connections, one per database file. */
import { answerRequests, ownBuffer } from '../../thread.ts'
import type { Value } from '../db.ts'
import { type Connection, connect } from './sqlite-connection.ts'

export interface Question {
  file: string
  sql: string
  params: readonly Value[]
}

const connections = new Map<string, Connection>()

/** Small: long reads pass over each page once, and the operating system has the others. */
const CACHE_KIB = 4_096

/** Moving a buffer costs about as much as copying this many bytes. */
const MOVED_BYTES = 65_536

answerRequests(
  ({ file, sql, params }: Question) => connectionTo(file).all<Record<string, unknown>>(sql, params),
  (rows) =>
    rows.flatMap((row) =>
      Object.values(row).flatMap((value) =>
        value instanceof Uint8Array && value.length >= MOVED_BYTES ? ownBuffer(value) : [],
      ),
    ),
)

function connectionTo(file: string): Connection {
  const known = connections.get(file)
  if (known !== undefined) return known
  const connection = connect(file, { cacheKiB: CACHE_KIB, readOnly: true })
  connections.set(file, connection)
  return connection
}
