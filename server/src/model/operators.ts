/** Scopes of admin tokens. Each includes those before it. */
export const OPERATOR_SCOPES = ['read', 'support', 'owner'] as const

export type OperatorScope = (typeof OPERATOR_SCOPES)[number]

/** Name of the token in DATA_DIR or ADMIN_TOKEN, which has the scope owner. */
export const MAIN_TOKEN = 'admin-token'

/** The operator who sends a request: the name and the scope of the token. */
export interface Operator {
  name: string
  scope: OperatorScope
}

/** A further admin token. */
export interface AdminToken extends Operator {
  prefix: string
  /** Name of the token that created it. */
  createdBy: string
  createdAt: number
  revokedAt: number | null
}

export function includesScope(held: OperatorScope, needed: OperatorScope): boolean {
  return OPERATOR_SCOPES.indexOf(held) >= OPERATOR_SCOPES.indexOf(needed)
}
