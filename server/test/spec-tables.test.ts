/** Compares the tables in the code with those of the specification, transcribed by hand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/api/index.ts'
import { isInReference } from '../src/http/endpoint.ts'
import { ERROR_STATUS } from '../src/model/errors.ts'
import { effectiveCost } from '../src/plans/cost.ts'
import { PACKS } from '../src/plans/packs.ts'
import { PLANS, type Plan } from '../src/plans/plans.ts'

test('plans are those of spec 8.1', () => {
  const columns = ['free', 'starter', 'professional', 'enterprise', 'custom'] as const
  const rows: [keyof Plan, ...unknown[]][] = [
    ['priceUsd', 0, 29, 99, 499, null],
    ['requestsPerMinute', 10, 60, 300, 1000, 1000],
    ['requestsPerHour', 100, 1000, 10000, 50000, 50000],
    ['requestsPerDay', 500, 10000, 100000, 500000, 500000],
    ['burst', 15, 100, 500, 2000, 5000],
    ['signupCredits', 100, 100, 100, 100, null],
    ['monthlyCredits', 0, 1000, 5000, 25000, null],
    ['creditMultiplier', 1.0, 1.0, 0.9, 0.7, null],
    ['secData', false, true, true, true, true],
    ['realtimeConnections', 0, 1, 5, 50, 100],
    ['bulkExport', false, false, true, true, true],
    ['prioritySupport', false, false, true, true, null],
    ['customKeyExpiration', false, false, true, true, true],
    ['maxApiKeys', 2, 5, 20, 100, 1000],
  ]
  assert.deepEqual(Object.keys(PLANS), columns)
  for (const [field, ...values] of rows) {
    assert.deepEqual(
      columns.map((slug) => PLANS[slug][field]),
      values,
      field,
    )
  }
})

test('packs are those of spec 2.4', () => {
  assert.deepEqual(
    PACKS.map(({ id, credits, priceUsdCents, discountPercent }) => [id, credits, priceUsdCents / 100, discountPercent]),
    [
      ['credits_1000', 1000, 10, 0],
      ['credits_5000', 5000, 45, 10],
      ['credits_10000', 10000, 80, 20],
      ['credits_50000', 50000, 350, 30],
    ],
  )
})

test('error codes and statuses are those of spec 7', () => {
  assert.deepEqual(ERROR_STATUS, {
    BAD_REQUEST: 400,
    UNAUTHORIZED: 401,
    INSUFFICIENT_CREDITS: 402,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    RATE_LIMIT_EXCEEDED: 429,
    INTERNAL_ERROR: 500,
  })
})

/** Costs (spec 4.2, 4.4 and 4.5): method, path, base credits, credits with the more expensive parameter. */
const COSTS: [string, number, number?][] = [
  ['GET /entries', 1, 2],
  ['GET /entries/:id', 1],
  ['GET /assets', 1],
  ['GET /assets/:id', 1],
  ['GET /topics', 1],
  ['GET /topics/tree', 1],
  ['GET /topics/:id', 1],
  ['GET /topics/:id/entries', 1],
  ['GET /publishers', 1],
  ['GET /publishers/:id', 1],
  ['GET /clusters', 1],
  ['GET /clusters/:id', 1],
  ['GET /markets/:id/chart', 1],
  ['GET /markets/:id/candles', 2],
  ['GET /prediction-markets', 1],
  ['GET /prediction-markets/:id', 2],
  ['GET /signals', 2],
  ['GET /signals/:id', 1],
  ['GET /signals/by-entry/:id', 1],
  ['GET /signals/stream', 0],
  // Spec 6 names WebSocket access without a price: it costs as much as the stream.
  ['GET /signals/ws', 0],
  // News is streamed under the rules of signals.
  ['GET /entries/stream', 0],
  ['GET /entries/ws', 0],
  ['GET /stats', 0],
  // An export costs as much as the pages that it replaces, for every 100 rows; a file has a price of its own.
  ['GET /export/entries', 1],
  ['GET /export/clusters', 1],
  ['GET /export/prediction-markets', 1],
  ['GET /export/signals', 2],
  ['GET /export/files', 1],
  ['GET /export/files/:id', 0],
]

const STREAMS = ['/signals/stream', '/signals/ws', '/entries/stream', '/entries/ws']

test('endpoints cost what spec 4 says', () => {
  const listed = new Map(COSTS.map(([name, ...credits]) => [name, credits]))
  for (const { method, path, cost, access } of endpoints) {
    if (access !== 'key') continue
    const [base, dearer] = listed.get(`${method} ${path}`) ?? unlistedCost(path)
    assert.equal(cost.credits, base, path)
    assert.equal(cost.with?.credits, dearer, path)
    assert.equal(cost.perMinute, STREAMS.includes(path) ? 5 : undefined, path)
  }
})

/** Returns the cost by rule: /account and /billing are free; SEC lists cost 2, also exported, a SEC record 1; any other endpoint 1. */
function unlistedCost(path: string): [number, number?] {
  if (/^\/(account|billing)(\/|$)/.test(path)) return [0]
  if (/^\/(?:sec\/(?!datasets)|export\/)[^/]+$/.test(path)) return [2]
  return [1]
}

test('only the two endpoints of spec 4.1 , /ready and /status are open, but for pages and signed bodies, which are no part of the API', () => {
  const open = endpoints.filter((endpoint) => isInReference(endpoint) && !['key', 'operator'].includes(endpoint.access))
  assert.deepEqual(
    open.map(({ method, path }) => `${method} ${path}`),
    ['GET /', 'GET /health', 'GET /ready', 'GET /status'],
  )
})

test('effective costs are those that spec 8.2.3 names', () => {
  for (const plan of Object.values(PLANS)) {
    assert.equal(effectiveCost(0, plan), 0)
    assert.equal(effectiveCost(1, plan), 1)
    assert.equal(effectiveCost(2, plan), 2)
  }
  assert.equal(effectiveCost(5, PLANS.professional), 5)
  assert.equal(effectiveCost(5, PLANS.enterprise), 4)
})
