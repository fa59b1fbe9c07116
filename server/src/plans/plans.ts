/** A plan (spec 8.1). Null means "negotiated" or "agreed": the operator sets it per account. */
export interface Plan {
  slug: string
  name: string
  priceUsd: number | null
  requestsPerMinute: number
  requestsPerHour: number
  requestsPerDay: number
  burst: number
  signupCredits: number | null
  monthlyCredits: number | null
  creditMultiplier: number | null
  secData: boolean
  realtimeConnections: number
  bulkExport: boolean
  prioritySupport: boolean | null
  customKeyExpiration: boolean
  maxApiKeys: number
}

/** The fields of a plan, for callers. */
export const PLAN_FIELDS: Readonly<Record<keyof Plan, string>> = {
  slug: 'Unique name in lower case, as in meta.plan',
  name: 'Name for people',
  priceUsd: 'Price per month in US dollars',
  requestsPerMinute: 'Requests by which the burst of a key refills each minute: its rate in the long run',
  requestsPerHour: 'Requests of one key within any 60 minutes',
  requestsPerDay: 'Requests of one key within any 24 hours',
  burst: 'Requests that a key may make at once after a pause',
  signupCredits: 'Credits of a new account, which do not expire',
  monthlyCredits: 'Credits added every billing month, which expire at its end',
  creditMultiplier: 'Factor of the base cost of a request; the product is rounded up',
  secData: 'Whether it includes the endpoints under /sec',
  realtimeConnections: 'Streams that the account may have open at the same time; 0: none',
  bulkExport: 'Whether it includes bulk export',
  prioritySupport: 'Whether requests for support take precedence',
  customKeyExpiration: 'Whether keys may be created with an expiresAt',
  maxApiKeys: 'API keys that the account may have active at the same time',
}

export const PLANS = {
  free: {
    slug: 'free',
    name: 'Free',
    priceUsd: 0,
    requestsPerMinute: 10,
    requestsPerHour: 100,
    requestsPerDay: 500,
    burst: 15,
    signupCredits: 100,
    monthlyCredits: 0,
    creditMultiplier: 1,
    secData: false,
    realtimeConnections: 0,
    bulkExport: false,
    prioritySupport: false,
    customKeyExpiration: false,
    maxApiKeys: 2,
  },
  starter: {
    slug: 'starter',
    name: 'Starter',
    priceUsd: 29,
    requestsPerMinute: 60,
    requestsPerHour: 1_000,
    requestsPerDay: 10_000,
    burst: 100,
    signupCredits: 100,
    monthlyCredits: 1_000,
    creditMultiplier: 1,
    secData: true,
    realtimeConnections: 1,
    bulkExport: false,
    prioritySupport: false,
    customKeyExpiration: false,
    maxApiKeys: 5,
  },
  professional: {
    slug: 'professional',
    name: 'Professional',
    priceUsd: 99,
    requestsPerMinute: 300,
    requestsPerHour: 10_000,
    requestsPerDay: 100_000,
    burst: 500,
    signupCredits: 100,
    monthlyCredits: 5_000,
    creditMultiplier: 0.9,
    secData: true,
    realtimeConnections: 5,
    bulkExport: true,
    prioritySupport: true,
    customKeyExpiration: true,
    maxApiKeys: 20,
  },
  enterprise: {
    slug: 'enterprise',
    name: 'Enterprise',
    priceUsd: 499,
    requestsPerMinute: 1_000,
    requestsPerHour: 50_000,
    requestsPerDay: 500_000,
    burst: 2_000,
    signupCredits: 100,
    monthlyCredits: 25_000,
    creditMultiplier: 0.7,
    secData: true,
    realtimeConnections: 50,
    bulkExport: true,
    prioritySupport: true,
    customKeyExpiration: true,
    maxApiKeys: 100,
  },
  custom: {
    slug: 'custom',
    name: 'Custom',
    priceUsd: null,
    requestsPerMinute: 1_000,
    requestsPerHour: 50_000,
    requestsPerDay: 500_000,
    burst: 5_000,
    signupCredits: null,
    monthlyCredits: null,
    creditMultiplier: null,
    secData: true,
    realtimeConnections: 100,
    bulkExport: true,
    prioritySupport: null,
    customKeyExpiration: true,
    maxApiKeys: 1_000,
  },
} as const satisfies Record<string, Plan>

export type PlanSlug = keyof typeof PLANS

export const PLAN_SLUGS = Object.keys(PLANS) as PlanSlug[]

/** Plans with a monthly price, which can be subscribed to. */
export const PAID_PLAN_SLUGS = PLAN_SLUGS.filter((slug) => (PLANS[slug].priceUsd ?? 0) > 0)

const DEMO_PER_MINUTE = 240

/** The plan of the shared demo account (spec 5). Not for sale, so not in PLANS. */
export const DEMO_PLAN: Plan = {
  ...PLANS.free,
  slug: 'demo',
  name: 'Demo',
  requestsPerMinute: DEMO_PER_MINUTE,
  // A full bucket plus an hour of refills: the per-minute rate is the only limit that takes effect.
  requestsPerHour: DEMO_PER_MINUTE * 62,
  requestsPerDay: DEMO_PER_MINUTE * 62 * 24,
  burst: DEMO_PER_MINUTE,
  signupCredits: 0,
  secData: true,
  maxApiKeys: 1,
}

/** The demo pool is refilled to this balance at the start of every UTC hour. */
export const DEMO_POOL_CREDITS = 100

/** Plan features that an endpoint may require. */
export const FEATURES = {
  sec: { name: 'SEC filing data', allows: (plan: Plan) => plan.secData },
  realtime: { name: 'real-time access', allows: (plan: Plan) => plan.realtimeConnections > 0 },
  bulkExport: { name: 'bulk export', allows: (plan: Plan) => plan.bulkExport },
  secExport: {
    name: 'bulk export of SEC filing data',
    allows: (plan: Plan) => plan.bulkExport && plan.secData,
  },
  keyExpiration: { name: 'custom key expiration', allows: (plan: Plan) => plan.customKeyExpiration },
} as const

export type Feature = keyof typeof FEATURES

export function isPlanSlug(slug: string): slug is PlanSlug {
  return Object.hasOwn(PLANS, slug)
}

/** Returns the monthly price of a plan, 0 if it has none. */
export function priceUsdOf(slug: string): number {
  return isPlanSlug(slug) ? (PLANS[slug].priceUsd ?? 0) : 0
}

/** Returns the plan of an account, with the account's overrides applied. */
export function planOf(account: { planSlug: string; overrides: Record<string, unknown>; isDemo: boolean }): Plan {
  if (account.isDemo) return DEMO_PLAN
  const plan = isPlanSlug(account.planSlug) ? PLANS[account.planSlug] : PLANS.free
  return { ...plan, ...account.overrides }
}
