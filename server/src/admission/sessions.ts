import type { Clock } from '../clock.ts'
import type { Operator, OperatorScope } from '../model/operators.ts'
import { OWNER_NAME, type SignedIn, type User } from '../model/users.ts'
import type { Store } from '../store/store.ts'
import { hashSecret } from './key.ts'

/** The scopes of operators who sign in through OpenID Connect, by email address. */
export type OidcOperators = ReadonlyMap<string, OperatorScope>

/** Recognises users by the sessions of their browsers. */
export class Sessions {
  readonly #store: Store
  readonly #clock: Clock
  readonly #pepper: string
  readonly #oidcOperators: OidcOperators

  constructor(deps: { store: Store; clock: Clock; pepper: string; oidcOperators: OidcOperators }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#pepper = deps.pepper
    this.#oidcOperators = deps.oidcOperators
  }

  /** Returns the session with this secret. Nothing is cached, so that its end applies at once. */
  async find(secret: string | undefined): Promise<SignedIn | undefined> {
    return secret === undefined
      ? undefined
      : this.#store.sessions.find(hashSecret(secret, this.#pepper), this.#clock.now())
  }

  /** Returns the operator to whom a session's token for the operator API belongs. */
  async findOperator(token: string): Promise<Operator | undefined> {
    const user = await this.#store.sessions.findOperator(hashSecret(token, this.#pepper), this.#clock.now())
    const scope = user && this.scopeOf(user)
    if (user === undefined || scope === null || scope === undefined) return undefined
    // The audit trail must not name an address that may be another person's.
    return { name: (user.isConfirmed ? user.email : null) ?? OWNER_NAME, scope }
  }

  /** Returns the scope of a user who is an operator. */
  scopeOf({ operatorScope, oidcSubject, email }: User): OperatorScope | null {
    if (oidcSubject === null) return operatorScope
    return (email === null ? undefined : this.#oidcOperators.get(email)) ?? null
  }
}
