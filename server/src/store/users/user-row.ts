import type { OperatorScope } from '../../model/operators.ts'
import type { User } from '../../model/users.ts'

export interface UserRow {
  id: string
  email: string | null
  is_confirmed: number
  password_hash: string | null
  account_id: string | null
  operator_scope: OperatorScope | null
  oidc_subject: string | null
  totp_secret: string | null
  totp_confirmed_at: number | null
}

const COLUMNS = [
  'id',
  'email',
  'is_confirmed',
  'password_hash',
  'account_id',
  'operator_scope',
  'oidc_subject',
  'totp_secret',
  'totp_confirmed_at',
] as const satisfies (keyof UserRow)[]
export const USER_COLUMNS = COLUMNS.join(', ')
/** The columns of a query that calls the table u. */
export const JOINED_USER_COLUMNS = COLUMNS.map((column) => `u.${column}`).join(', ')

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    isConfirmed: row.is_confirmed === 1,
    passwordHash: row.password_hash,
    accountId: row.account_id,
    operatorScope: row.operator_scope,
    oidcSubject: row.oidc_subject,
    totpSecret: row.totp_secret,
    hasSecondFactor: row.totp_confirmed_at !== null,
  }
}

/** The columns of a session, as the record names them. */
export const SESSION_COLUMNS = `s.id, s.user_id as "userId", s.address, s.browser, s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"` satisfies string
