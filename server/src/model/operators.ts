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

/** A request of an operator, as the audit trail keeps it. */
export interface AuditRecord {
  requestId: string
  /** Name of the token. */
  token: string
  method: string
  /** Method and path pattern. */
  route: string
  /** Id of the account, source or entry, or the name of the token. */
  target: string | null
  /** The body in short, without secrets and personal data. */
  summary: string | null
  /** Null if the request was interrupted. */
  statusCode: number | null
  createdAt: number
}
