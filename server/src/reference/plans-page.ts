import { DEMO_LIST_CAP } from '../admission/demo.ts'
import { DEMO_KEY } from '../admission/key.ts'
import type { AnyEndpoint } from '../http/endpoint.ts'
import { MAX_LIMIT } from '../http/params.ts'
import { MINUTE, SECOND } from '../model/time.ts'
import { effectiveCost, STREAM_COST } from '../plans/cost.ts'
import type { CreditPack } from '../plans/packs.ts'
import { DEMO_PLAN, DEMO_POOL_CREDITS, FEATURES, type Plan } from '../plans/plans.ts'
import { figure, markdownPage, markdownTable } from './markdown.ts'

export function plansPage(
  plans: readonly Plan[],
  packs: readonly CreditPack[],
  endpoints: readonly AnyEndpoint<never>[],
): string {
  const costs = endpoints.flatMap(({ cost }) => [cost.credits, cost.with?.credits ?? 0, cost.perMinute ?? 0])
  const charged = [...new Set(costs)].filter((credits) => credits > 0).sort((a, b) => a - b)
  const names = plans.map(({ name }) => name)
  return markdownPage(
    'Plans and credits',
    'The plan of an account determines which endpoints it may use and how often; credits pay for each request. A request needs both.',
    markdownTable(
      ['', ...names],
      [
        ['Slug', ...plans.map(({ slug }) => `\`${slug}\``)],
        ...PLAN_ROWS.map(([field, label]) => [label, ...plans.map((plan) => planValue(plan[field]))]),
      ],
    ),
    '## Rate limits',
    ...RATE_TEXT,
    markdownTable(
      ['', ...names],
      [
        ['Requests at once after a pause', ...plans.map(({ burst }) => figure(burst))],
        ['Then a request every', ...plans.map((plan) => seconds(MINUTE / plan.requestsPerMinute))],
        ['Full burst again after', ...plans.map((plan) => seconds((plan.burst * MINUTE) / plan.requestsPerMinute))],
      ],
    ),
    '## Cost of a request',
    'A request costs its base credits times the multiplier of the plan, rounded up to whole credits. Only successful requests are charged. The [list of endpoints](endpoints.md) has the base credits of each endpoint.',
    markdownTable(
      ['Base credits', ...names],
      charged.map((base) => [figure(base), ...plans.map((plan) => costUnder(plan, base))]),
    ),
    '## Cost of typical jobs',
    `Credits of whole jobs. A list returns up to ${MAX_LIMIT} records per request. "Not included" means that the plan lacks the feature, "too many requests" that the job exceeds its requests per day.`,
    markdownTable(
      ['Job', 'Requests', ...names],
      [
        ...JOBS.map((job) => [job.what, figure(job.requests), ...plans.map((plan) => jobCost(job, plan, endpoints))]),
        ['Monthly credits of the plan', '', ...plans.map((plan) => planValue(plan.monthlyCredits))],
      ],
    ),
    '## Cost of a stream',
    'Opening a stream of signals or of entries is free; each minute costs credits. The time of all streams of an account is summed.',
    markdownTable(
      ['', ...names],
      [
        ['Credits per minute', ...plans.map((plan) => streamValue(plan, costUnder(plan, STREAM_COST.perMinute)))],
        ['Minutes per month covered by monthly credits', ...plans.map((plan) => streamValue(plan, minutesOf(plan)))],
      ],
    ),
    '## Credit packs',
    'Prices are the same on every plan. The credits of a pack are added to the balance and do not expire; monthly credits are used first.',
    markdownTable(
      ['Pack', 'Credits', 'Price, USD', 'Discount'],
      packs.map(({ id, credits, priceUsdCents, discountPercent }) => [
        `\`${id}\``,
        figure(credits),
        (priceUsdCents / 100).toFixed(2),
        discountPercent === 0 ? 'none' : `${discountPercent}%`,
      ]),
    ),
    '## The demo key',
    `Anyone can try the service with the shared key \`${DEMO_KEY}\`. All its users together have ${figure(DEMO_POOL_CREDITS)} credits, refilled at the start of every hour, and ${figure(DEMO_PLAN.requestsPerMinute)} requests per minute. It can read all data that plans include, but gets at most ${DEMO_LIST_CAP} items per list, cannot page, and cannot manage keys.`,
  )
}

const RATE_TEXT = [
  'Limits apply to each API key on its own, whatever the other keys of the account do; all other numbers of the plan apply to the account. A new key takes over the use of the revoked keys of its account. Requests that are refused with 429 do not count, all others do.',
  'The burst allowance is a bucket of requests: each request takes one, and the bucket refills steadily by the requests per minute until it is full. So a key that was idle can make a burst of requests at once, and then as many as refill. The limits per hour and per day count the last 60 minutes and the last 24 hours, bursts included.',
  'Every response has the state of the three limits in the header `RateLimit`; `GET /account/usage` has the same in `limits`. After a 429, wait for the number of seconds in `Retry-After`.',
]

const seconds = (ms: number) => `${figure(ms / SECOND)} s`

interface Job {
  what: string
  /** Path of the endpoint that it calls. */
  path: string
  /** Whether it uses the parameter that makes the endpoint dearer. */
  isDearer?: boolean
  requests: number
  /** Minutes of an open stream. */
  minutes?: number
  /** How long the requests take, by default a day. */
  days?: number
}

const MONTH_DAYS = 30
const DAY_MINUTES = 24 * 60

const JOBS: readonly Job[] = [
  { what: 'The newest 1,000 entries', path: '/entries', requests: 10 },
  { what: 'A month of news about an asset: 5,000 entries', path: '/entries', requests: 50 },
  { what: '100 searches by meaning', path: '/entries', isDearer: true, requests: 100 },
  { what: 'News every 15 minutes for a month', path: '/entries', requests: 4 * 24 * MONTH_DAYS, days: MONTH_DAYS },
  { what: 'News every minute for a month', path: '/entries', requests: DAY_MINUTES * MONTH_DAYS, days: MONTH_DAYS },
  { what: 'A year of hourly candles of one market: 8,760 candles', path: '/markets/:id/candles', requests: 2 },
  { what: 'Daily candles of 50 markets', path: '/markets/:id/candles', requests: 50 },
  { what: 'Odds of 1,000 prediction markets', path: '/prediction-markets', requests: 10 },
  { what: 'Histories of 20 prediction markets', path: '/prediction-markets/:id', requests: 20 },
  { what: '2,000 insider trades', path: '/sec/insider-trades', requests: 20 },
  { what: 'Signals every 5 minutes for a month', path: '/signals', requests: 12 * 24 * MONTH_DAYS, days: MONTH_DAYS },
  {
    what: 'Signals by stream, 8 hours a day for 21 days',
    path: '/signals/stream',
    requests: 21,
    days: 21,
    minutes: 8 * 60 * 21,
  },
]

function jobCost(
  { path, isDearer, requests, days = 1, minutes = 0 }: Job,
  plan: Plan,
  endpoints: readonly AnyEndpoint<never>[],
): string {
  const endpoint = endpoints.find((candidate) => candidate.path === path && candidate.method === 'GET')
  if (endpoint === undefined) throw new Error(`there is no endpoint GET ${path}`)
  const { cost, needs } = endpoint
  if (needs !== undefined && !FEATURES[needs].allows(plan)) return 'not included'
  if (requests / days > plan.requestsPerDay) return 'too many requests'
  if (plan.creditMultiplier === null) return planValue(null)
  const perRequest = (isDearer && cost.with?.credits) || cost.credits
  return figure(requests * effectiveCost(perRequest, plan) + minutes * effectiveCost(cost.perMinute ?? 0, plan))
}

/** A record, so that the compiler requires a label for every field of a plan. */
const PLAN_LABELS: Record<Exclude<keyof Plan, 'slug' | 'name'>, string> = {
  priceUsd: 'Price per month, USD',
  requestsPerMinute: 'Requests per minute',
  requestsPerHour: 'Requests per hour',
  requestsPerDay: 'Requests per day',
  burst: 'Burst allowance',
  signupCredits: 'Signup credits',
  monthlyCredits: 'Monthly credits',
  creditMultiplier: 'Credit multiplier',
  secData: 'SEC filing data',
  realtimeConnections: 'Real-time connections',
  bulkExport: 'Bulk export',
  prioritySupport: 'Priority support',
  customKeyExpiration: 'Custom key expiration',
  maxApiKeys: 'Active API keys',
}
const PLAN_ROWS = Object.entries(PLAN_LABELS) as [keyof typeof PLAN_LABELS, string][]

function planValue(value: number | boolean | null): string {
  if (value === null) return 'as agreed'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return figure(value)
}

const costUnder = (plan: Plan, base: number) =>
  plan.creditMultiplier === null ? planValue(null) : figure(effectiveCost(base, plan))

const streamValue = (plan: Plan, value: string) => (FEATURES.realtime.allows(plan) ? value : 'none')

const minutesOf = (plan: Plan) =>
  plan.monthlyCredits === null || plan.creditMultiplier === null
    ? planValue(null)
    : figure(Math.floor(plan.monthlyCredits / effectiveCost(STREAM_COST.perMinute, plan)))
