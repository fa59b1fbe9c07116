import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { mintKey } from '../../admission/key.ts'
import { openAccount } from '../../admission/open-account.ts'
import { planRules } from '../../billing/plan-rules.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import * as param from '../../http/params.ts'
import type { Account } from '../../model/accounts.ts'
import { ApiError } from '../../model/errors.ts'
import { id, nullable, time } from '../../model/schema.ts'
import { isoTime } from '../../model/time.ts'
import { PLAN_SLUGS, planOf } from '../../plans/plans.ts'
import { clearSample } from '../../sample/clear.ts'
import type { Store } from '../../store/store.ts'
import { IdPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { importEndpoints } from './import-endpoints.ts'
import { sourceEndpoints } from './source-endpoints.ts'

const operator = { access: 'operator', cost: { credits: 0 } } as const
/** How long a request removes sample data. */
const CLEARING_MS = 3_000
const MAX_CREDITS = 1_000_000_000_000

const atLeast = (minimum: number) => Type.Optional(Type.Integer({ minimum, maximum: 1_000_000_000 }))

/** Plan values for a single account. */
const Overrides = Type.Object(
  {
    priceUsd: Type.Optional(Type.Number({ minimum: 0 })),
    requestsPerMinute: atLeast(1),
    requestsPerHour: atLeast(1),
    requestsPerDay: atLeast(1),
    burst: atLeast(1),
    signupCredits: atLeast(0),
    monthlyCredits: atLeast(0),
    // Not 0: a request that is not free costs at least 1 credit (spec 8.2.3).
    creditMultiplier: Type.Optional(Type.Number({ minimum: 0.0001, maximum: 100 })),
    secData: Type.Optional(Type.Boolean()),
    realtimeConnections: atLeast(0),
    bulkExport: Type.Optional(Type.Boolean()),
    prioritySupport: Type.Optional(Type.Boolean()),
    customKeyExpiration: Type.Optional(Type.Boolean()),
    maxApiKeys: atLeast(1),
  },
  { additionalProperties: false },
)

const AccountView = Type.Object({
  id: id(),
  email: nullable(Type.String()),
  name: nullable(Type.String()),
  plan: Type.String(),
  overrides: Overrides,
  isActive: Type.Boolean(),
  isDemo: Type.Boolean(),
  balance: Type.Integer(),
  createdAt: time(),
})

const AccountDetails = Type.Object({
  ...AccountView.properties,
  owed: Type.Integer({ description: 'Used credits of refunded and disputed payments, to be repaid' }),
  subscription: nullable(
    Type.Object({ id: Type.String(), planSlug: Type.String(), status: Type.String(), currentPeriodEnd: time() }),
  ),
})

const ReindexView = Type.Object({
  isRunning: Type.Boolean(),
  done: Type.Integer({ description: 'Entries reindexed so far' }),
  total: Type.Integer(),
  changed: Type.Integer({ description: 'Of these, entries with changed fields' }),
  error: nullable(Type.String()),
})

/** The operator API: accounts, plans, credits, the audit of the ledger, loading of data. */
export const adminEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator,
    method: 'POST',
    path: '/admin/accounts',
    summary: 'Create an account with its first API key',
    description: 'credits sets the opening balance and replaces signup and monthly credits.',
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }),
      name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
      plan: Type.Optional(Type.Enum(PLAN_SLUGS)),
      credits: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_CREDITS })),
    }),
    returns: 'object',
    data: Type.Object({ account: AccountView, apiKey: Type.String() }),
    async handle({ body }, services) {
      const opened = await openAccount(
        {
          email: body.email.toLowerCase(),
          name: body.name ?? null,
          planSlug: body.plan ?? 'free',
          credits: body.credits,
        },
        services,
      )
      if (opened === undefined) throw ApiError.invalid([{ field: 'email', message: 'already has an account' }])
      return { account: toView(opened.account), apiKey: opened.apiKey }
    },
  }),

  endpoint({
    ...operator,
    method: 'GET',
    path: '/admin/accounts',
    summary: 'List accounts, newest first',
    query: Type.Object({ limit: param.limit(), offset: param.offset() }),
    returns: 'offset-list',
    data: AccountView,
    async handle({ page }, { store }) {
      const { data, totalCount } = await store.accounts.page(page.limit, page.offset)
      return { data: data.map(toView), totalCount }
    },
  }),

  endpoint({
    ...operator,
    method: 'GET',
    path: '/admin/accounts/:id',
    summary: 'Get an account',
    params: IdPath,
    returns: 'object',
    data: AccountDetails,
    handle: async ({ params }, { store }) => describe(existing(await store.accounts.find(params.id)), store),
  }),

  endpoint({
    ...operator,
    method: 'PATCH',
    path: '/admin/accounts/:id',
    summary: 'Change the plan or its overrides, or disable the account',
    description:
      'overrides replaces all overrides of the account. Changes apply to the next request and to open streams; the monthly credits of the plan are granted when the next billing month begins. If the plan allows fewer keys, the oldest stay active. The plan cannot be changed while a subscription determines it.',
    params: IdPath,
    body: Type.Object({
      plan: Type.Optional(Type.Enum(PLAN_SLUGS)),
      overrides: Type.Optional(Overrides),
      isActive: Type.Optional(Type.Boolean()),
    }),
    returns: 'object',
    data: AccountView,
    async handle({ params, body }, { store, bus, clock, admission }) {
      const { plan, ...change } = body
      const { subscriptionId } = existing(await store.accounts.find(params.id))
      if (plan !== undefined && subscriptionId !== null) {
        throw ApiError.invalid([
          {
            field: 'plan',
            message: 'is set by the subscription of the account; change or cancel the subscription instead',
          },
        ])
      }
      const changed = await store.accounts.update(
        params.id,
        { ...change, ...(plan !== undefined && { planSlug: plan }) },
        planRules(clock.now()),
      )
      const account = existing(changed)
      admission.meter.setBalance(account.id, account.balance)
      await bus.publish('accounts', account.id)
      return toView(account)
    },
  }),

  endpoint({
    ...operator,
    method: 'POST',
    path: '/admin/accounts/:id/credits',
    summary: 'Add credits to an account, or remove them with a negative number',
    params: IdPath,
    body: Type.Object({
      credits: Type.Integer({ minimum: -MAX_CREDITS, maximum: MAX_CREDITS }),
      reason: Type.String({ minLength: 1, maxLength: 500 }),
    }),
    returns: 'object',
    data: AccountView,
    async handle({ params, body }, { store, clock, admission }) {
      const { id: accountId } = existing(await store.accounts.find(params.id))
      if (body.credits === 0) throw ApiError.invalid([{ field: 'credits', message: 'must not be 0' }])
      const transfer = {
        accountId,
        credits: body.credits,
        kind: 'adjustment',
        description: body.reason,
        idempotencyKey: `adjustment:${randomUUID()}`,
        at: clock.now(),
      } as const
      const isPosted =
        body.credits > 0 ? await store.ledger.grant(transfer, 'adjustment') : await store.ledger.withdraw(transfer)
      if (!isPosted) throw ApiError.invalid([{ field: 'credits', message: 'must not remove more than the balance' }])
      admission.meter.setBalance(accountId, await store.ledger.balance(accountId))
      return toView(existing(await store.accounts.find(accountId)))
    },
  }),

  endpoint({
    ...operator,
    method: 'POST',
    path: '/admin/accounts/:id/api-keys',
    summary: 'Create another API key for an account, for example if it lost its key',
    params: IdPath,
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
    returns: 'object',
    data: Type.Object({ id: id(), name: Type.String(), apiKey: Type.String() }),
    async handle({ params, body }, { store, clock, pepper }) {
      const account = existing(await store.accounts.find(params.id))
      if (account.isDemo) throw new ApiError('FORBIDDEN', 'The demo account has a single shared key')
      const { secret, kept } = mintKey(pepper, { name: body.name, expiresAt: null, createdAt: clock.now() })
      const key = await store.keys.insert({ ...kept, accountId: account.id }, planOf(account).maxApiKeys)
      if (key === undefined)
        throw new ApiError('FORBIDDEN', 'The account already has as many active keys as its plan allows')
      return { id: key.id, name: key.name, apiKey: secret }
    },
  }),

  ...importEndpoints,

  endpoint({
    ...operator,
    method: 'DELETE',
    path: '/admin/entries/:id',
    summary: 'Take an entry down',
    description:
      'Removes the entry from all lists, counts, clusters and signals, for good: no source and no import adds it again.',
    params: IdPath,
    returns: 'object',
    data: Type.Object({ id: id(), removed: Type.Boolean() }),
    async handle({ params }, { store, clock }) {
      const entryId = params.id.toLowerCase()
      const removed = (await store.entries.remove([entryId], clock.now())) > 0
      return orNotFound(removed ? { id: entryId, removed } : undefined, 'entry')
    },
  }),

  ...sourceEndpoints,

  endpoint({
    ...operator,
    method: 'POST',
    path: '/admin/reindex',
    summary: 'Start reindexing: derive the fields of all entries again, in the background',
    returns: 'object',
    data: ReindexView,
    async handle(_input, { reindex }) {
      reindex.start()
      return reindex.state
    },
  }),

  endpoint({
    ...operator,
    method: 'GET',
    path: '/admin/reindex',
    summary: 'Get the progress of reindexing',
    returns: 'object',
    data: ReindexView,
    handle: async (_input, { reindex }) => reindex.state,
  }),

  endpoint({
    ...operator,
    method: 'POST',
    path: '/admin/sample/clear',
    summary: 'Remove the sample data',
    description:
      'Removes entries, publishers, markets, prediction markets, SEC records and signals of the sample; own data, assets, topics, accounts and logs stay. Works for some seconds: repeat the request until isDone is true.',
    returns: 'object',
    data: Type.Object({
      isDone: Type.Boolean(),
      removed: Type.Object({
        entries: Type.Integer(),
        publishers: Type.Integer(),
        markets: Type.Integer(),
        predictionMarkets: Type.Integer(),
        secRecords: Type.Integer(),
        signals: Type.Integer(),
      }),
    }),
    handle(_input, { store, clock }) {
      const end = performance.now() + CLEARING_MS
      return clearSample(store, clock.now(), { mayGoOn: () => performance.now() < end })
    },
  }),

  endpoint({
    ...operator,
    method: 'GET',
    path: '/admin/audit',
    summary: 'Check that balances, lots, transfers and charge records agree',
    returns: 'object',
    data: Type.Object({
      isBalanced: Type.Boolean(),
      accounts: Type.Integer(),
      charges: Type.Integer(),
      problems: Type.Array(Type.String()),
    }),
    async handle(_input, { store, admission }) {
      await admission.requestWriter.drain()
      return store.audit.run()
    },
  }),
]

const existing = (account: Account | undefined) => orNotFound(account, 'account')

async function describe(account: Account, store: Store): Promise<Static<typeof AccountDetails>> {
  const subscription =
    account.subscriptionId === null ? undefined : await store.subscriptions.find(account.subscriptionId)
  return {
    ...toView(account),
    owed: await store.reversals.owed(account.id),
    subscription:
      subscription === undefined
        ? null
        : {
            id: subscription.id,
            planSlug: subscription.planSlug,
            status: subscription.status,
            currentPeriodEnd: isoTime(subscription.periodEnd),
          },
  }
}

function toView(account: Account): Static<typeof AccountView> {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    plan: planOf(account).slug,
    overrides: account.overrides,
    isActive: account.isActive,
    isDemo: account.isDemo,
    balance: account.balance,
    createdAt: isoTime(account.createdAt),
  }
}
