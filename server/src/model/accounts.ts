/** A customer, with API keys and credits. `overrides` replace single values of the plan. */
export interface Account {
  id: string
  email: string | null
  name: string | null
  planSlug: string
  overrides: Record<string, unknown>
  isActive: boolean
  /** Why the operator suspended it. */
  suspendedReason: string | null
  isDemo: boolean
  /** Posted credits; requests in flight may hold some of them. */
  balance: number
  /** Its customer id at the payment processor. */
  customerId: string | null
  /** The subscription that determines the plan. */
  subscriptionId: string | null
  /** The start of its first billing month. */
  periodAnchor: number
  createdAt: number
  deletedAt: number | null
}

/** The credits of an account after a transfer. Of two balances, the one with the higher `transferId` is newer. */
export interface Balance {
  credits: number
  transferId: number
}

export interface ApiKey {
  id: string
  accountId: string
  name: string
  prefix: string
  isActive: boolean
  inactiveReason: InactiveReason | null
  expiresAt: number | null
  lastUsedAt: number | null
  createdAt: number
  /** The areas of the API that the key may use; null for all. */
  scopes: readonly Scope[] | null
  /** The addresses and networks that may use the key; null for all. */
  allowedAddresses: readonly string[] | null
  /** The number of its current secret, from 1; each rotation creates the next one. */
  secretNumber: number
  /** When the secret before the current one stops working; null if it has none. */
  oldSecretExpiresAt: number | null
  /** The session of a token of the dashboard. */
  sessionId?: string
}

/** Areas of the API that a key can be restricted to. */
export const SCOPES = ['data', 'account', 'billing'] as const

export type Scope = (typeof SCOPES)[number]

export type KeyRestrictions = Pick<ApiKey, 'scopes' | 'allowedAddresses'>

/** Why a key is inactive: its account revoked it, or the plan allows fewer keys. */
export type InactiveReason = 'revoked' | 'plan_limit'

/** Whether a key is active and not expired. */
export function isUsable(key: Pick<ApiKey, 'isActive' | 'expiresAt'>, now: number): boolean {
  return key.isActive && (key.expiresAt === null || key.expiresAt > now)
}

/**
 * Returns the key as it applies to the holder of its secret with this number: the current secret works as long as the
 * key, the one before until the end of the overlap, earlier ones no longer.
 */
export function withSecret(key: ApiKey, secretNumber: number): ApiKey {
  if (secretNumber === key.secretNumber) return key
  const { expiresAt, oldSecretExpiresAt } = key
  const end = secretNumber === key.secretNumber - 1 ? (oldSecretExpiresAt ?? 0) : 0
  return { ...key, secretNumber, expiresAt: Math.min(end, expiresAt ?? end) }
}

export const LOT_KINDS = ['monthly', 'signup', 'pack', 'adjustment', 'demo'] as const

export type LotKind = (typeof LOT_KINDS)[number]

/** The order in which lots are spent: monthly credits first because they expire, then signup credits, then the rest. */
export const BURN_RANK: Record<LotKind, number> = { demo: 0, monthly: 0, signup: 1, pack: 2, adjustment: 2 }

/** Kinds of lots that do not expire. */
export const LASTING_LOTS = ['signup', 'pack', 'adjustment'] as const satisfies LotKind[]

export const TRANSFER_KINDS = ['purchase', 'subscription', 'grant', 'usage', 'refund', 'adjustment', 'expiry'] as const

export type TransferKind = (typeof TRANSFER_KINDS)[number]
