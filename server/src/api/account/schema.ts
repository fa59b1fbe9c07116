import Type from 'typebox'
import * as param from '../../http/params.ts'
import { SCOPES } from '../../model/accounts.ts'
import { FieldError } from '../../model/errors.ts'
import { count, day, flag, id, integer, nullable, number, secret, text, time } from '../../model/schema.ts'
import { PLAN_FIELDS, type Plan } from '../../plans/plans.ts'

const agreed = (field: keyof Plan) => `${PLAN_FIELDS[field]}; null if it is to be agreed`

export const PlanView = Type.Object(
  {
    slug: text(PLAN_FIELDS.slug),
    name: text(PLAN_FIELDS.name),
    priceUsd: nullable(number(agreed('priceUsd'))),
    requestsPerMinute: count(PLAN_FIELDS.requestsPerMinute),
    requestsPerHour: count(PLAN_FIELDS.requestsPerHour),
    requestsPerDay: count(PLAN_FIELDS.requestsPerDay),
    burst: count(PLAN_FIELDS.burst),
    signupCredits: nullable(count(agreed('signupCredits'))),
    monthlyCredits: nullable(count(agreed('monthlyCredits'))),
    creditMultiplier: nullable(number(agreed('creditMultiplier'))),
    secData: flag(PLAN_FIELDS.secData),
    realtimeConnections: count(PLAN_FIELDS.realtimeConnections),
    bulkExport: flag(PLAN_FIELDS.bulkExport),
    prioritySupport: nullable(flag(agreed('prioritySupport'))),
    customKeyExpiration: flag(PLAN_FIELDS.customKeyExpiration),
    maxApiKeys: count(PLAN_FIELDS.maxApiKeys),
  },
  { description: 'The plan, with the values agreed for this account' },
)

const balance = () => count('Credits that are left; requests that are being answered are not charged yet')

export const AccountView = Type.Object(
  {
    id: id('Id of the account'),
    name: nullable(text('Name of the customer; null if none was given')),
    email: nullable(text('Email address of the customer; null if none was given')),
    isDemo: flag('Whether this is the shared demo account'),
    plan: PlanView,
    balance: balance(),
    credits: Type.Object(
      {
        balance: balance(),
        monthlyRemaining: count('Of these, credits of the current month, which are used first and expire at its end'),
        grantedRemaining: count('Of these, credits of the signup and from the operator, which do not expire'),
        purchasedRemaining: count('Of these, credits of packs, which do not expire'),
        owed: Type.Optional(
          Type.Integer({
            minimum: 1,
            description:
              'Present only if credits of a refunded or disputed payment were already used; the next purchased credits repay it',
          }),
        ),
        usedThisPeriod: count('Credits charged since periodStart'),
        periodStart: time('Start of the current billing month'),
        periodEnd: time('End of the current billing month'),
        nextGrantAt: nullable(time('When the next monthly credits are added; null if none are due')),
      },
      { description: 'The balance and where it comes from' },
    ),
    apiKeys: Type.Object(
      { active: count('Keys that can be used'), max: count('Keys that the plan allows') },
      { description: 'API keys of the account' },
    ),
    realtimeConnections: Type.Object(
      { open: count('Streams that are open now, with any key'), max: count('Streams that the plan allows') },
      { description: 'Streams of the account, of signals and of entries' },
    ),
    createdAt: time('When the account was opened'),
  },
  { description: 'The account of the API key' },
)

const sums = () => ({
  requests: count('Answered requests, without those refused with 429'),
  failed: count('Of these, requests answered with an error'),
  credits: count('Credits charged'),
})
const apiKeyId = () => id('Id of the API key')
const keyPrefix = () => text('First 12 characters of the key; dashboard for calls of the dashboard')

export const MAX_GROUPS = 10_000

const limits = () =>
  Type.Array(
    Type.Object({
      window: Type.Enum(['burst', 'hour', 'day'], {
        description: 'burst refills steadily by requestsPerMinute; hour and day are the last 60 minutes and 24 hours',
      }),
      limit: count('Requests that the window allows'),
      used: count('Requests that count against it now'),
      remaining: count('Requests that may follow at once'),
      resetAt: time('When the burst is full again, or when the oldest requests leave the hour or day'),
    }),
    { description: 'Rate limits of the key that made this request; other keys have their own' },
  )

export const UsageView = Type.Object(
  {
    balance: balance(),
    period: Type.Object(
      { start: time('Start of the period'), end: time('End of the period, which is not part of it') },
      {
        description:
          'The current billing month, or the range asked for, in which usage is counted; of its first and last UTC day, rateLimited counts all',
      },
    ),
    credits: Type.Object(
      { used: count('Credits charged in the period, for requests and streams'), balance: balance() },
      { description: 'Credits of the account' },
    ),
    requests: Type.Object(
      {
        total: count('succeeded plus failed'),
        succeeded: count('Requests answered with a status below 400'),
        failed: count('Requests answered with an error other than 429'),
        rateLimited: count('Requests refused with 429, which total does not include'),
      },
      { description: 'Requests of all keys of the account in the period' },
    ),
    limits: limits(),
    byKey: Type.Array(
      Type.Object({ apiKeyId: apiKeyId(), keyPrefix: keyPrefix(), name: text('Name of the key'), ...sums() }),
      {
        description:
          'Usage in the period by API key, in the order of creation; then that of the dashboard, if it was used',
      },
    ),
    byEndpoint: Type.Array(Type.Object({ endpoint: text('Method and route, such as GET /entries/:id'), ...sums() }), {
      description: 'Usage in the period by endpoint',
    }),
    daily: Type.Array(Type.Object({ date: day('UTC day'), ...sums() }), {
      description: 'Usage in the period by day, oldest first; days without requests are left out',
    }),
    groups: Type.Optional(
      Type.Array(
        Type.Object({
          date: Type.Optional(day('UTC day, if grouped by day')),
          apiKeyId: Type.Optional(id('Id of the API key, if grouped by key')),
          endpoint: Type.Optional(text('Method and route, if grouped by endpoint')),
          ...sums(),
        }),
        { description: 'Present only with groupBy: the usage of each combination, in the order of days and endpoints' },
      ),
    ),
    stream: Type.Object(
      { minutes: count('Minutes charged, over all streams'), credits: count('Credits charged for them') },
      { description: 'Usage of streams in the period, which credits.used includes' },
    ),
  },
  { description: 'Usage of the account in its current billing month, or in a range of time' },
)

export const UsageQuery = Type.Object({
  from: param.ownKey(
    param.instant(
      'Start of the usage; by default that of the billing month, the current one or that in which `to` lies',
    ),
  ),
  to: param.ownKey(
    param.instant(
      'End of the usage, which is not part of it; by default that of the current billing month. Of a day whose requests were removed from the log, a part counts as the whole day',
    ),
  ),
  groupBy: param.ownKey(
    Type.Optional(
      Type.Array(Type.Enum(['day', 'key', 'endpoint']), {
        maxItems: 3,
        description: `Adds \`groups\` to the answer: the usage by day, key or endpoint, or by each combination of several of them, separated by commas; at most ${MAX_GROUPS} groups`,
      }),
    ),
  ),
})

export const RequestLogView = Type.Object(
  {
    id: id('Id of the request, as in the header X-Request-Id'),
    requestId: id('The same as id'),
    apiKeyId: apiKeyId(),
    keyPrefix: keyPrefix(),
    route: nullable(
      text(
        'Method and path pattern of the endpoint, such as GET /entries/:id, as in byEndpoint of the usage; null if the request matched no endpoint or is older than this field',
      ),
    ),
    method: text('HTTP method'),
    path: text('Path of the request, such as /api/v1/entries'),
    query: nullable(text('Query string without the question mark, with API keys removed; null if there was none')),
    statusCode: integer('HTTP status of the response'),
    errorCode: nullable(text('error.code of the response; null if it succeeded')),
    creditsCharged: count('Credits charged, 0 for a failed request'),
    durationMs: number('Milliseconds from the arrival of the request to its response'),
    responseBytes: count('Size of the response body'),
    createdAt: time('When the request arrived'),
  },
  { description: 'A request of the account' },
)

export const RequestLogQuery = Type.Object({
  limit: param.limit(),
  offset: param.offset(),
  sortBy: param.sortBy('createdAt:desc'),
  apiKeyId: param.ownKey(param.uuidList('Id of the API key')),
  excludeApiKeyId: param.ownKey(param.uuid('Id of an API key whose requests are left out')),
  route: param.ownKey(param.textList('Method and path pattern, such as GET /entries/:id')),
  method: param.ownKey(param.textList('HTTP method', 'upper')),
  path: param.ownKey(param.text('Path of the request')),
  statusCode: param.ownKey(param.integerList('HTTP status', { minimum: 100, maximum: 599 })),
  createdAfter: param.ownKey(param.instant('Requested at this time or later')),
  createdBefore: param.ownKey(param.instant('Requested at this time or earlier')),
})

const MAX_ADDRESSES = 100

const scopes = (description: string) =>
  Type.Array(Type.Enum(SCOPES), { minItems: 1, maxItems: SCOPES.length, description })
const allowedAddresses = (description: string) =>
  Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: MAX_ADDRESSES, description })

/** Spec 2.2, and fields that are present only on keys that use them. */
const keyFields = {
  id: id('Id by which the key is revoked'),
  name: text('Name that it was given'),
  keyPrefix: keyPrefix(),
  isActive: flag('Whether it can be used: false once it is revoked or expired'),
  inactiveReason: Type.Optional(
    Type.Literal('plan_limit', {
      description:
        'Present only if the plan allows fewer keys: the oldest stay active, and this one becomes active again with a larger plan',
    }),
  ),
  expiresAt: nullable(time('When it stops working; null if it does not expire')),
  lastUsedAt: nullable(time('Time of its last request; null if it was never used')),
  createdAt: time('When it was created'),
  scopes: Type.Optional(
    scopes(
      'Present only if it is restricted: it may call /account with account, /billing with billing, everything else with data',
    ),
  ),
  allowedAddresses: Type.Optional(
    allowedAddresses('Present only if it is restricted: the addresses and networks from which it may be used'),
  ),
  oldSecretExpiresAt: Type.Optional(
    time('Present only after a rotation, while the previous secret still works: when it stops'),
  ),
}

export const ApiKeyRecord = Type.Object(keyFields, { description: 'An API key, without its secret' })

export const CreatedApiKey = Type.Object(
  { ...keyFields, apiKey: secret('The full key, shown only once') },
  { description: 'A new API key with its secret' },
)

const restrictions = {
  scopes: Type.Optional(
    nullable(
      scopes(
        'Areas of the API that the key may use: account for /account, billing for /billing, data for everything else; null for all',
      ),
    ),
  ),
  allowedAddresses: Type.Optional(
    nullable(
      allowedAddresses(
        'IPv4 and IPv6 addresses and networks from which the key may be used, such as 192.0.2.7 or 2001:db8::/32; null for all',
      ),
    ),
  ),
}

export const NewApiKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, description: 'Name that tells the key from others' }),
    expiresAt: Type.Optional(nullable(text('ISO 8601 time; needs the Professional plan or higher'))),
    ...restrictions,
  },
  { description: 'The key to create' },
)

export const DEFAULT_OVERLAP_HOURS = 24

export const KeyRotation = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 7 * 24,
        description: `Hours for which the current secret goes on working, by default ${DEFAULT_OVERLAP_HOURS}; with 0 it stops at once`,
      }),
    ),
  },
  { description: 'How to rotate the key' },
)

export const KeyChanges = Type.Object(
  { name: Type.Optional(NewApiKey.properties.name), ...restrictions },
  { description: 'The changes; fields that are left out stay as they are' },
)

const alertFields = {
  lowBalance: nullable(count('Balance below which the account is told; null if alerts are off')),
  isBelow: flag('Whether the balance is below it: the next message follows once the balance was at it or above again'),
  webhookUrl: nullable(text('Address that receives a signed POST request; null if there is none')),
  email: flag('Whether a mail is sent to the email address of the account'),
  lastFailure: Type.Optional(
    Type.Object(
      { reason: text('What went wrong'), at: time('When it went wrong') },
      { description: 'Present only if the last attempt to deliver a message failed' },
    ),
  ),
}

export const AlertsView = Type.Object(alertFields, { description: 'How the account is told about a low balance' })

export const ChangedAlerts = Type.Object(
  {
    ...alertFields,
    webhookSecret: Type.Optional(
      secret('Present only if webhookUrl was set: the secret that signs the requests to it, shown only once'),
    ),
  },
  { description: 'The changed alerts' },
)

export const AlertChanges = Type.Object(
  {
    lowBalance: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000_000,
          description: 'Balance below which the account is told; null turns alerts off',
        }),
      ),
    ),
    webhookUrl: Type.Optional(
      nullable(Type.String({ maxLength: 2_048, description: 'http or https URL at a public address; null for none' })),
    ),
    email: Type.Optional(flag('Whether to send a mail to the email address of the account')),
  },
  { description: 'The changes; fields that are left out stay as they are' },
)

export const CostQuery = Type.Object({
  path: Type.String({
    maxLength: 4_000,
    description:
      'Path and query string of the call, percent-encoded, such as %2Fentries%3Flimit%3D5 for /entries?limit=5; below /api/v1, which may be left out',
  }),
  method: Type.Enum(['GET', 'POST', 'PATCH', 'DELETE'], { default: 'GET', description: 'Method of the call' }),
})

export const CostView = Type.Object(
  {
    method: text('Method of the call'),
    path: text('Path of the call with its query string'),
    endpoint: nullable(text('Method and path pattern of the endpoint, such as GET /entries/:id; null if none matches')),
    wouldPass: flag(
      'Whether the call would pass now: its parameters, the scopes of the key, the plan, the rate limits and the balance. It is not run, so that an id that does not exist or a wrong body is not noticed',
    ),
    credits: nullable(
      count('Credits that the call would cost; null if it is refused because of its path, parameters, key or plan'),
    ),
    cost: nullable(
      Type.Object(
        {
          base: count('Cost of the endpoint before the multiplier'),
          parameter: nullable(text('Parameter of the call that raises the base cost; null if none does')),
          multiplier: number('Factor of the plan; credits is base times multiplier, rounded up'),
          perMinute: Type.Optional(count('Of a stream: credits for each minute, by the same factor')),
          perRows: Type.Optional(
            count('Of an export: the rows that credits pays for; it is charged for each started such number'),
          ),
        },
        { description: 'What credits is made of; null if credits is null' },
      ),
    ),
    available: count(
      'Credits that the call may use: the balance minus credits held by other requests and open streams',
    ),
    limits: limits(),
    error: nullable(
      Type.Object(
        {
          statusCode: integer('HTTP status of the answer'),
          code: text('error.code of the answer'),
          message: text('error.message of the answer'),
          details: Type.Optional(Type.Array(FieldError, { description: 'Present only if parameters are invalid' })),
          retryAfterSeconds: Type.Optional(count('Seconds after which the call may pass, as in Retry-After')),
        },
        { description: 'The error that the call would be answered with; null if it would pass' },
      ),
    ),
  },
  { description: 'What a call would cost, and whether it would pass' },
)
