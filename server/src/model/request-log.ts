/** One authenticated call as it is logged; with credits it is the charge record too. */
export interface LoggedRequest {
  /** The request id that the caller was given. */
  id: string
  accountId: string
  apiKeyId: string
  /** Method and route pattern, e.g. `GET /entries/:id`; calls to no route share one name. */
  endpoint: string
  method: string
  path: string
  query: string | null
  statusCode: number
  errorCode: string | null
  credits: number
  durationMs: number
  responseBytes: number
  createdAt: number
}
