/** Who holds keys and credits. What the plan allows is the plan's own values with the overrides laid over them. */
export interface Account {
  id: string
  email: string | null
  name: string | null
  planSlug: string
  overrides: Record<string, unknown>
  isActive: boolean
  isDemo: boolean
  /** Credits posted; what calls in flight hold is not yet taken off. */
  balance: number
  /** Who the account is for the payment processor. */
  customerId: string | null
  /** The subscription that its plan comes from. */
  subscriptionId: string | null
  /** The time from which its months are counted. */
  periodAnchor: number
  createdAt: number
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
}

/** Why a key was made inactive: by its account, or because the plan allows fewer. */
export type InactiveReason = 'revoked' | 'plan_limit'

/** Not made inactive and not expired. */
export function isUsable(key: Pick<ApiKey, 'isActive' | 'expiresAt'>, now: number): boolean {
  return key.isActive && (key.expiresAt === null || key.expiresAt > now)
}

export type LotKind = 'monthly' | 'signup' | 'pack' | 'adjustment' | 'demo'

/** Monthly credits are used first because they expire, then signup credits, then what was bought or given. */
export const BURN_RANK: Record<LotKind, number> = { demo: 0, monthly: 0, signup: 1, pack: 2, adjustment: 2 }

/** What does not expire. */
export const LASTING_LOTS = ['signup', 'pack', 'adjustment'] as const satisfies LotKind[]

export const TRANSFER_KINDS = ['purchase', 'subscription', 'grant', 'usage', 'refund', 'adjustment', 'expiry'] as const

export type TransferKind = (typeof TRANSFER_KINDS)[number]
