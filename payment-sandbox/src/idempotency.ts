import { errorResponse, type SandboxRequest, type SandboxResponse } from './api-server.ts'
import { DAY_SECONDS, SECOND_MS } from './clock.ts'
import { RequestError } from './errors.ts'
import { expandFields } from './expand.ts'
import { INCLUDABLE_FIELDS } from './routes.ts'
import type { StorageTransaction } from './storage.ts'
import type { SandboxTransaction } from './transaction.ts'

export const RESPONSES_KEPT_MS = DAY_SECONDS * SECOND_MS

/** Executes a request. A repeated request with the same idempotency key gets the first response again. */
export async function performOnce(
  tx: SandboxTransaction,
  storage: StorageTransaction,
  request: SandboxRequest,
  nowMs: number,
): Promise<SandboxResponse> {
  const key = request.origin.idempotency_key
  const stored = key === null ? undefined : await storage.findResponse(key, nowMs - RESPONSES_KEPT_MS)
  if (stored !== undefined) {
    if (stored.request !== request.digest) throw reusedKey(key)
    return { status: stored.status, body: stored.body, isReplayed: true }
  }
  const { result, expand } = await request.route.run(tx, request.form, request.id)
  const response =
    result instanceof RequestError
      ? errorResponse(result)
      : {
          status: 200,
          body: JSON.stringify(await expandFields(tx, result, expand, INCLUDABLE_FIELDS)),
          isReplayed: false,
        }
  await storeResponse(storage, request, response, nowMs)
  return response
}

export async function storeResponse(
  storage: StorageTransaction,
  request: SandboxRequest,
  { status, body }: SandboxResponse,
  nowMs: number,
): Promise<void> {
  const key = request.origin.idempotency_key
  if (key !== null) await storage.saveResponse(key, { request: request.digest, status, body }, nowMs)
}

const reusedKey = (key: string | null) =>
  new RequestError(
    400,
    {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    },
    false,
  )
