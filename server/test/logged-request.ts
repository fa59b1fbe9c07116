import { randomUUID } from 'node:crypto'
import type { LoggedRequest } from '../src/model/request-log.ts'

/** Returns a successful request for entries at the cost of one credit, with the given differences. */
export function loggedRequest(
  given: Pick<LoggedRequest, 'accountId' | 'apiKeyId' | 'createdAt'> & Partial<LoggedRequest>,
): LoggedRequest {
  return {
    id: randomUUID(),
    endpoint: 'GET /entries',
    method: 'GET',
    path: '/api/v1/entries',
    query: null,
    statusCode: 200,
    errorCode: null,
    credits: 1,
    durationMs: 1,
    responseBytes: 1,
    ...given,
  }
}
