/** Worker thread: runs queries on its own read-only connection. */
import { workerData } from 'node:worker_threads'
import { answerRequests } from '../../thread.ts'
import type { Value } from '../db.ts'
import { connect } from './sqlite-connection.ts'

const connection = connect(workerData.file, { cacheKiB: 16_384, readOnly: true })

answerRequests(({ sql, params }: { sql: string; params: Value[] }) => connection.all(sql, params))
