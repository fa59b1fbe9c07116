/** The endpoint of requests that match no route. */
export const NO_ENDPOINT = 'unknown'

/** An authenticated request in the request log; with credits it is also the charge record. */
export interface LoggedRequest {
  /** The X-Request-Id of the response. */
  id: string
  accountId: string
  apiKeyId: string
  /** Method and route pattern, e.g. `GET /entries/:id`; requests that match no route share one name. */
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
