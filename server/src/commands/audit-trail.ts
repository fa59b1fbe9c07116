import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { adminClient } from './admin-client.ts'
import { table } from './table.ts'

interface AuditLine {
  requestId: string
  token: string
  route: string
  target: string | null
  summary: string | null
  statusCode: number | null
  createdAt: string
}

const text = { type: 'string' } as const

/** `mintick audit-trail`: a client of the operator API. Returns the text to print. */
export async function auditTrailCommand(args: string[], config: Config): Promise<string> {
  const { values } = parseArgs({
    args,
    options: { token: text, target: text, after: text, before: text, limit: { ...text, default: '50' } },
  })
  const { after: createdAfter, before: createdBefore, ...others } = values
  const given = Object.entries({ ...others, createdAfter, createdBefore })
  const query = new URLSearchParams(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const records = await adminClient(config)<AuditLine[]>('GET', `/admin/audit-trail?${query}`)
  const rows = records.map(({ createdAt, token, route, target, summary, statusCode, requestId }) => [
    createdAt,
    token,
    route,
    statusCode === null ? 'interrupted' : String(statusCode),
    target ?? '–',
    requestId,
    summary ?? '',
  ])
  return table(['TIME', 'TOKEN', 'REQUEST', 'STATUS', 'TARGET', 'REQUEST ID', 'INPUT'], rows)
}
