import Type from 'typebox'
import * as param from '../../http/params.ts'
import { id, nullable, time } from '../../model/schema.ts'

const count = () => Type.Integer({ minimum: 0 })

export const PlanView = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  priceUsd: nullable(Type.Number()),
  requestsPerMinute: count(),
  requestsPerHour: count(),
  requestsPerDay: count(),
  burst: count(),
  signupCredits: nullable(count()),
  monthlyCredits: nullable(count()),
  creditMultiplier: nullable(Type.Number()),
  secData: Type.Boolean(),
  realtimeConnections: count(),
  bulkExport: Type.Boolean(),
  prioritySupport: nullable(Type.Boolean()),
  customKeyExpiration: Type.Boolean(),
  maxApiKeys: count(),
})

export const AccountView = Type.Object({
  id: id(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  isDemo: Type.Boolean(),
  plan: PlanView,
  balance: count(),
  credits: Type.Object({
    balance: count(),
    monthlyRemaining: count(),
    grantedRemaining: Type.Integer({
      minimum: 0,
      description: 'Credits of the signup and from the operator, which do not expire',
    }),
    purchasedRemaining: Type.Integer({ minimum: 0, description: 'Credits of packs, which do not expire' }),
    owed: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Present only if credits of a refunded or disputed payment were already used; the next purchased credits repay it',
      }),
    ),
    usedThisPeriod: Type.Integer({ minimum: 0, description: 'Credits used since periodStart' }),
    periodStart: time(),
    periodEnd: time(),
    nextGrantAt: nullable(time()),
  }),
  apiKeys: Type.Object({ active: count(), max: count() }),
  realtimeConnections: Type.Object({ open: count(), max: count() }),
  createdAt: time(),
})

export const UsageView = Type.Object({
  balance: count(),
  period: Type.Object({ start: time(), end: time() }),
  credits: Type.Object({ used: count(), balance: count() }),
  requests: Type.Object({ total: count(), succeeded: count(), failed: count(), rateLimited: count() }),
  limits: Type.Array(
    Type.Object({
      window: Type.Enum(['burst', 'hour', 'day']),
      limit: count(),
      used: count(),
      remaining: count(),
      resetAt: time(),
    }),
  ),
  byEndpoint: Type.Array(Type.Object({ endpoint: Type.String(), requests: count(), credits: count() })),
  byKey: Type.Array(
    Type.Object({ apiKeyId: id(), keyPrefix: Type.String(), name: Type.String(), requests: count(), credits: count() }),
  ),
  daily: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), requests: count(), credits: count() }), {
    description: 'Requests and credits per UTC day; the first day begins with the period',
  }),
  stream: Type.Object({ minutes: count(), credits: count() }),
})

export const RequestLogView = Type.Object({
  id: id(),
  requestId: id(),
  apiKeyId: id(),
  keyPrefix: Type.String(),
  route: nullable(
    Type.String({
      description:
        'Method and path pattern of the endpoint, such as GET /entries/:id, as in byEndpoint of the usage. Null if the request matched no endpoint or is older than this field',
    }),
  ),
  method: Type.String(),
  path: Type.String(),
  query: nullable(Type.String()),
  statusCode: Type.Integer(),
  errorCode: nullable(Type.String()),
  creditsCharged: count(),
  durationMs: Type.Number(),
  responseBytes: count(),
  createdAt: time(),
})

export const RequestLogQuery = Type.Object({
  limit: param.limit(),
  offset: param.offset(),
  sortBy: param.sortBy('createdAt:desc'),
  apiKeyId: param.ownKey(param.uuidList('Id of the API key')),
  route: param.ownKey(param.textList('Method and path pattern, such as GET /entries/:id')),
  method: param.ownKey(param.textList('HTTP method', 'upper')),
  path: param.ownKey(param.text('Path of the request')),
  statusCode: param.ownKey(param.integerList('HTTP status', { minimum: 100, maximum: 599 })),
  createdAfter: param.ownKey(param.instant('Requested at this time or later')),
  createdBefore: param.ownKey(param.instant('Requested at this time or earlier')),
})

/** Spec 2.2. */
const keyFields = {
  id: id(),
  name: Type.String(),
  keyPrefix: Type.String({ description: 'First 12 characters of the key' }),
  isActive: Type.Boolean(),
  inactiveReason: Type.Optional(
    Type.Literal('plan_limit', {
      description:
        'Present only if the plan allows fewer keys: the oldest stay active, and this one becomes active again with a larger plan',
    }),
  ),
  expiresAt: nullable(time()),
  lastUsedAt: nullable(time()),
  createdAt: time(),
}

export const ApiKeyRecord = Type.Object(keyFields)

export const CreatedApiKey = Type.Object({
  ...keyFields,
  apiKey: Type.String({ description: 'The full key, shown only once' }),
})

export const NewApiKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  expiresAt: Type.Optional(
    nullable(Type.String({ description: 'ISO 8601 time; needs the Professional plan or higher' })),
  ),
})
