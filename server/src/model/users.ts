import type { OperatorScope } from './operators.ts'

/** A person who signs in to the dashboard. */
export interface User {
  id: string
  /** In lower case. Null for an owner who has not set one. */
  email: string | null
  isConfirmed: boolean
  passwordHash: string | null
  accountId: string | null
  /** The scope of the owner. That of users who sign in through OpenID Connect follows from the settings. */
  operatorScope: OperatorScope | null
  /** Issuer and subject of a user who signs in through OpenID Connect. */
  oidcSubject: string | null
  /** The encrypted secret of the second factor, which may not be confirmed yet. */
  totpSecret: string | null
  hasSecondFactor: boolean
}

export interface Session {
  id: string
  userId: string
  address: string
  browser: string
  createdAt: number
  lastUsedAt: number
  expiresAt: number
}

/** A session with its user. */
export interface SignedIn {
  session: Session
  user: User
}

/** The name of the user in the audit trail. */
export const OWNER_NAME = 'owner'

/** A session ends when it has not been used for this long, or at its `expiresAt`. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000
