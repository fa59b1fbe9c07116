import type { AdminAccount, CreateAdminAccountParams } from 'mintick-client/admin'

export type PlanSlug = NonNullable<CreateAdminAccountParams['plan']>
export type Overrides = AdminAccount['overrides']

/** Every plan; the type of the clients has the same. */
const PLANS: Record<PlanSlug, true> = { free: true, starter: true, professional: true, enterprise: true, custom: true }
export const PLAN_SLUGS = Object.keys(PLANS) as PlanSlug[]

/** The values of a plan that can be agreed for an account, in the words of this page. */
export const PLAN_FIELDS: Record<keyof Overrides, string> = {
  priceUsd: 'Price per month in US dollars',
  monthlyCredits: 'Credits per month',
  signupCredits: 'Credits at sign-up',
  creditMultiplier: 'Factor of costs',
  requestsPerMinute: 'Requests per minute',
  requestsPerHour: 'Requests per hour',
  requestsPerDay: 'Requests per day',
  burst: 'Requests at once',
  realtimeConnections: 'Streams at once',
  maxApiKeys: 'API keys',
  secData: 'SEC data',
  customKeyExpiration: 'Keys that expire',
  bulkExport: 'Bulk export',
  prioritySupport: 'Priority support',
}

export const FLAGS: ReadonlySet<keyof Overrides> = new Set([
  'secData',
  'customKeyExpiration',
  'bulkExport',
  'prioritySupport',
])
