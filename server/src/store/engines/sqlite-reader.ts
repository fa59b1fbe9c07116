/** Worker thread: answers queries on a read-only connection of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Value } from '../db.ts'
import { connect } from './sqlite-connection.ts'

const connection = connect(workerData.file, { cacheKiB: 16_384, readOnly: true })

parentPort?.on('message', ({ id, sql, params }: { id: number; sql: string; params: Value[] }) => {
  try {
    parentPort?.postMessage({ id, rows: connection.all(sql, params) })
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
