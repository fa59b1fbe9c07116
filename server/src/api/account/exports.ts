import type { Caller } from '../../admission/caller.ts'
import type { ExportView } from '../../model/exports.ts'
import { isoTime, MINUTE } from '../../model/time.ts'
import { orNotFound } from '../or-not-found.ts'
import type { Services } from '../services.ts'

/** A running export writes down its progress more often, whatever its client does. */
const SILENT_MS = 5 * MINUTE

export async function describeExport(
  caller: Caller,
  requestId: string,
  { store, clock }: Services,
): Promise<ExportView> {
  const found = orNotFound(
    await store.bulkExports.find(caller.account.id, requestId.toLowerCase()),
    'export',
    'request id',
  )
  const { endpoint, format, rows, bytes, sha256, credits, createdAt, updatedAt } = found
  const isInterrupted = found.status === 'running' && clock.now() - updatedAt > SILENT_MS
  const status = isInterrupted ? 'interrupted' : found.status
  return {
    requestId: found.id,
    // The last part of its path.
    dataset: endpoint.slice(endpoint.lastIndexOf('/') + 1),
    format,
    status,
    rows,
    bytes,
    sha256,
    credits,
    startedAt: isoTime(createdAt),
    endedAt: status === 'running' ? null : isoTime(updatedAt),
  }
}
