import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { type AuditRecord, MAIN_TOKEN, type Operator } from '../model/operators.ts'
import type { Store } from '../store/store.ts'
import { bearerToken, hashSecret, isAdminSecret, isSessionToken } from './key.ts'
import { OperatorRequest } from './operator-request.ts'
import type { Sessions } from './sessions.ts'

/** Recognises operators by their tokens, and keeps the audit trail of their requests. */
export class Operators {
  readonly #store: Store
  readonly #clock: Clock
  readonly #pepper: string
  readonly #sessions: Sessions
  readonly #mainHash: Buffer
  readonly #onError: (error: unknown) => void

  constructor(deps: {
    store: Store
    clock: Clock
    pepper: string
    sessions: Sessions
    adminToken: string
    onError: (error: unknown) => void
  }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#pepper = deps.pepper
    this.#sessions = deps.sessions
    this.#mainHash = sha256(deps.adminToken)
    this.#onError = deps.onError
  }

  /** Returns the operator of an Authorization header. Nothing is cached, so that a revocation applies at once. */
  async find(header: string | undefined): Promise<Operator | undefined> {
    const token = bearerToken(header)
    if (token === undefined) return undefined
    // Without the store, so that this token also works while the database does not answer.
    if (timingSafeEqual(sha256(token), this.#mainHash)) return { name: MAIN_TOKEN, scope: 'owner' }
    if (isSessionToken(token, 'operator')) return this.#sessions.findOperator(token)
    return isAdminSecret(token) ? this.#store.adminTokens.findByHash(hashSecret(token, this.#pepper)) : undefined
  }

  /** Returns the request for the audit trail; nothing is written yet. */
  request(
    operator: Operator,
    request: Pick<AuditRecord, 'requestId' | 'method' | 'route'> & { target: string | undefined },
  ): OperatorRequest {
    return new OperatorRequest(
      operator,
      { ...request, createdAt: this.#clock.now() },
      this.#store.auditTrail,
      this.#onError,
    )
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
