import { createHash, timingSafeEqual } from 'node:crypto'
import { MAIN_TOKEN, type Operator } from '../model/operators.ts'
import type { Store } from '../store/store.ts'
import { bearerToken, hashSecret, isAdminSecret } from './key.ts'

/** Recognises operators by their tokens. */
export class Operators {
  readonly #store: Store
  readonly #pepper: string
  readonly #mainHash: Buffer

  constructor(store: Store, pepper: string, adminToken: string) {
    this.#store = store
    this.#pepper = pepper
    this.#mainHash = sha256(adminToken)
  }

  /** Returns the operator of an Authorization header. Nothing is cached, so that a revocation applies at once. */
  async find(header: string | undefined): Promise<Operator | undefined> {
    const token = bearerToken(header)
    if (token === undefined) return undefined
    // Without the store, so that this token also works while the database does not answer.
    if (timingSafeEqual(sha256(token), this.#mainHash)) return { name: MAIN_TOKEN, scope: 'owner' }
    return isAdminSecret(token) ? this.#store.adminTokens.findByHash(hashSecret(token, this.#pepper)) : undefined
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
