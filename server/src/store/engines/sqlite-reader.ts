/** Worker thread: runs queries on its own read-only connections, one per database file. */
import { answerRequests } from '../../thread.ts'
import type { Value } from '../db.ts'
import { type Connection, connect } from './sqlite-connection.ts'

export interface Question {
  file: string
  sql: string
  params: readonly Value[]
}

const connections = new Map<string, Connection>()

answerRequests(({ file, sql, params }: Question) => connectionTo(file).all(sql, params))

function connectionTo(file: string): Connection {
  const known = connections.get(file)
  if (known !== undefined) return known
  const connection = connect(file, { cacheKiB: 16_384, readOnly: true })
  connections.set(file, connection)
  return connection
}
