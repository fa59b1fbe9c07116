import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { mintKey } from '../../admission/key.ts'
import { openAccount } from '../../admission/open-account.ts'
import { planRules } from '../../billing/plan-rules.ts'
import { recorded } from '../../http/audit-summary.ts'
import type { AnyEndpoint } from '../../http/endpoint.ts'
import * as param from '../../http/params.ts'
import { type Account, LOT_KINDS } from '../../model/accounts.ts'
import { ApiError, CommitUnknown } from '../../model/errors.ts'
import { flag, id, integer, nullable, secret, text, time } from '../../model/schema.ts'
import { isoTime, isoTimeOrNull } from '../../model/time.ts'
import { PLAN_FIELDS, PLAN_SLUGS, type Plan, planOf } from '../../plans/plans.ts'
import type { AccountFilters } from '../../store/accounts/accounts.ts'
import type { Store } from '../../store/store.ts'
import { listKeys, revokeKey } from '../account/keys.ts'
import { writeLog } from '../account/request-log.ts'
import { ApiKeyRecord, CreatedApiKey, NewApiKey, PlanView, RequestLogQuery, RequestLogView } from '../account/schema.ts'
import { SubscriptionView } from '../billing/schema.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'
import { operator } from './operator.ts'

const MAX_CREDITS = 1_000_000_000_000
const DEMO_KEY_STAYS = 'The demo account has a single shared key; suspend the account to refuse it'

const atLeast = (minimum: number, field: keyof Plan) =>
  Type.Optional(Type.Integer({ minimum, maximum: 1_000_000_000, description: PLAN_FIELDS[field] }))
const override = (field: keyof Plan) => Type.Optional(flag(PLAN_FIELDS[field]))

const Overrides = Type.Object(
  {
    priceUsd: Type.Optional(Type.Number({ minimum: 0, description: PLAN_FIELDS.priceUsd })),
    requestsPerMinute: atLeast(1, 'requestsPerMinute'),
    requestsPerHour: atLeast(1, 'requestsPerHour'),
    requestsPerDay: atLeast(1, 'requestsPerDay'),
    burst: atLeast(1, 'burst'),
    signupCredits: atLeast(0, 'signupCredits'),
    monthlyCredits: atLeast(0, 'monthlyCredits'),
    // Not 0: a request that is not free costs at least 1 credit (spec 8.2.3).
    creditMultiplier: Type.Optional(
      Type.Number({ minimum: 0.0001, maximum: 100, description: PLAN_FIELDS.creditMultiplier }),
    ),
    secData: override('secData'),
    realtimeConnections: atLeast(0, 'realtimeConnections'),
    bulkExport: override('bulkExport'),
    prioritySupport: override('prioritySupport'),
    customKeyExpiration: override('customKeyExpiration'),
    maxApiKeys: atLeast(1, 'maxApiKeys'),
  },
  { additionalProperties: false, description: 'Values that replace those of the plan for this account' },
)

const AccountView = Type.Object(
  {
    id: id('Id of the account'),
    email: nullable(text('Email address, unique among accounts; null if none was given')),
    name: nullable(text('Name of the customer; null if none was given')),
    plan: text('Slug of its plan'),
    overrides: Overrides,
    isActive: flag('false if it is suspended or deleted: its keys are refused'),
    suspendedReason: nullable(text('Why it is suspended; null if it is not, or if no reason was given')),
    isDemo: flag('Whether it is the shared demo account'),
    balance: integer('Credits that are left'),
    createdAt: time('When it was opened'),
    deletedAt: nullable(time('When it was deleted; null if it was not')),
  },
  { description: 'An account' },
)

const AccountDetails = Type.Object(
  {
    ...AccountView.properties,
    effectivePlan: PlanView,
    lots: Type.Array(
      Type.Object({
        kind: Type.Enum(LOT_KINDS, { description: 'Where the credits come from' }),
        granted: integer('Credits at first'),
        remaining: integer('Credits that are left of it'),
        createdAt: time('When they were granted'),
        expiresAt: nullable(time('When the rest expires; null if it does not')),
      }),
      { description: 'The balance by origin, in the order in which it is used' },
    ),
    owed: integer('Used credits of refunded and disputed payments, to be repaid'),
    subscription: nullable(
      Type.Object(
        {
          id: SubscriptionView.properties.id,
          planSlug: SubscriptionView.properties.planSlug,
          status: SubscriptionView.properties.status,
          currentPeriodEnd: SubscriptionView.properties.currentPeriodEnd,
        },
        { description: 'The subscription that determines the plan; null if there is none' },
      ),
    ),
  },
  { description: 'An account with its subscription' },
)

/** Accounts with their plans, credits and keys. */
export const accountEndpoints: readonly AnyEndpoint<Services>[] = [
  endpoint({
    ...operator('support'),
    method: 'POST',
    path: '/admin/accounts',
    summary: 'Create an account with its first API key',
    description: 'credits sets the opening balance and replaces signup and monthly credits.',
    body: Type.Object(
      {
        email: Type.String({
          minLength: 3,
          maxLength: 254,
          pattern: '^[^\\s@]+@[^\\s@]+$',
          description: 'Email address of the customer; each may have one account',
        }),
        name: Type.Optional(nullable(Type.String({ maxLength: 200, description: 'Name of the customer' }))),
        plan: Type.Optional(Type.Enum(PLAN_SLUGS, { description: 'Slug of its plan, by default free' })),
        credits: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: MAX_CREDITS,
            description: 'Opening balance, by default the signup and monthly credits of the plan',
          }),
        ),
      },
      { description: 'The account to open' },
    ),
    returns: 'object',
    data: Type.Object(
      { account: AccountView, apiKey: secret('Its first API key in full, shown only once') },
      { description: 'The new account with its key' },
    ),
    async handle({ body, operator }, services) {
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
      operator.concerns(opened.account.id)
      return { account: toView(opened.account), apiKey: opened.apiKey }
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/accounts',
    summary: 'List accounts, newest first',
    query: Type.Object({
      limit: param.limit(),
      offset: param.offset(),
      email: param.slug('Email address of the account; case-insensitive'),
      emailPrefix: param.slug('Beginning of the email address; case-insensitive'),
      search: param.search('Part of the email address or the name; the letters A to Z match in either case'),
    }),
    returns: 'offset-list',
    data: AccountView,
    async handle({ query, page }, { store }) {
      const filters: AccountFilters = param.filtersOf(query)
      const { data, totalCount } = await store.accounts.page(page.limit, page.offset, filters)
      return { data: data.map(toView), totalCount }
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/accounts/:id',
    summary: 'Get an account',
    params: idPath('Id of the account'),
    returns: 'object',
    data: AccountDetails,
    handle: async ({ params }, { store }) => describe(existing(await store.accounts.find(params.id)), store),
  }),

  endpoint({
    ...operator('support'),
    method: 'PATCH',
    path: '/admin/accounts/:id',
    summary: 'Change the plan or its overrides, or suspend the account',
    description:
      'overrides replaces all overrides of the account. Changes apply to the next request and to open streams; the monthly credits of the plan are granted when the next billing month begins. If the plan allows fewer keys, the oldest stay active. The plan cannot be changed while a subscription determines it.',
    params: idPath('Id of the account'),
    body: Type.Object(
      {
        plan: Type.Optional(Type.Enum(PLAN_SLUGS, { description: 'Slug of the new plan' })),
        overrides: Type.Optional(Overrides),
        isActive: Type.Optional(flag('false suspends the account, true enables it again')),
        reason: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 500,
            description: 'With isActive false: why it is suspended. For operators; callers are not told',
          }),
        ),
      },
      { description: 'The changes; fields that are left out stay as they are' },
    ),
    returns: 'object',
    data: AccountView,
    async handle({ params, body }, { store, clock, admission }) {
      const { plan, reason, ...change } = body
      const { subscriptionId } = undeleted(await store.accounts.find(params.id))
      if (reason !== undefined && change.isActive !== false) {
        throw ApiError.invalid([{ field: 'reason', message: 'needs isActive false' }])
      }
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
        {
          ...change,
          ...(plan !== undefined && { planSlug: plan }),
          ...(reason !== undefined && { suspendedReason: reason }),
        },
        planRules(clock.now()),
      )
      const account = existing(changed)
      await admission.announce(account.id)
      await admission.reloadBalance(account.id)
      return toView(account)
    },
  }),

  endpoint({
    ...operator('support'),
    method: 'POST',
    path: '/admin/accounts/:id/credits',
    summary: 'Add credits to an account, or remove them with a negative number',
    params: idPath('Id of the account'),
    body: Type.Object(
      {
        credits: Type.Integer({
          minimum: -MAX_CREDITS,
          maximum: MAX_CREDITS,
          description: 'Credits to add, or to remove if negative; not 0, and no more than the balance is removed',
        }),
        reason: recorded(
          Type.String({
            minLength: 1,
            maxLength: 500,
            description: 'Shown in the billing history of the account, and kept in the audit trail',
          }),
        ),
      },
      { description: 'The adjustment' },
    ),
    returns: 'object',
    data: AccountView,
    async handle({ params, body }, { store, clock, admission }) {
      const { id: accountId } = undeleted(await store.accounts.find(params.id))
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
      try {
        await admission.reloadBalance(accountId)
        return toView(existing(await store.accounts.find(accountId)))
      } catch {
        // The credits are posted: a repetition with the same Idempotency-Key must not post them again.
        throw new CommitUnknown()
      }
    },
  }),

  endpoint({
    ...operator('support'),
    method: 'POST',
    path: '/admin/accounts/:id/api-keys',
    summary: 'Create another API key for an account, for example if it lost its key',
    params: idPath('Id of the account'),
    body: Type.Object({ name: NewApiKey.properties.name }, { description: 'The key to create' }),
    returns: 'object',
    data: Type.Object(
      {
        id: CreatedApiKey.properties.id,
        name: CreatedApiKey.properties.name,
        apiKey: CreatedApiKey.properties.apiKey,
      },
      { description: 'The new key' },
    ),
    async handle({ params, body }, { store, clock, pepper }) {
      const account = undeleted(await store.accounts.find(params.id))
      if (account.isDemo) throw new ApiError('FORBIDDEN', DEMO_KEY_STAYS)
      const { secret, kept } = mintKey(pepper, { name: body.name, expiresAt: null, createdAt: clock.now() })
      const key = await store.keys.insert({ ...kept, accountId: account.id }, planOf(account).maxApiKeys)
      if (key === undefined)
        throw new ApiError('FORBIDDEN', 'The account already has as many active keys as its plan allows')
      return { id: key.id, name: key.name, apiKey: secret }
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/accounts/:id/api-keys',
    summary: 'List the API keys of an account',
    params: idPath('Id of the account'),
    returns: 'list',
    data: ApiKeyRecord,
    async handle({ params }, services) {
      return listKeys({ account: existing(await services.store.accounts.find(params.id)) }, services)
    },
  }),

  endpoint({
    ...operator('support'),
    method: 'DELETE',
    path: '/admin/accounts/:id/api-keys/:keyId',
    summary: 'Revoke an API key of an account immediately',
    params: Type.Object({ id: text('Id of the account'), keyId: text('Id of the API key') }),
    returns: 'object',
    data: ApiKeyRecord,
    async handle({ params }, services) {
      const account = existing(await services.store.accounts.find(params.id))
      if (account.isDemo) throw new ApiError('FORBIDDEN', DEMO_KEY_STAYS)
      return revokeKey({ account }, params.keyId, services)
    },
  }),

  endpoint({
    ...operator('read'),
    method: 'GET',
    path: '/admin/accounts/:id/logs',
    summary: 'List the requests of an account, newest first',
    params: idPath('Id of the account'),
    query: RequestLogQuery,
    returns: 'offset-list',
    data: RequestLogView,
    async handle({ params, query, page }, { store }) {
      const { id: accountId } = existing(await store.accounts.find(params.id))
      return writeLog(await store.requestLog.page(accountId, param.filtersOf(query), page.limit, page.offset))
    },
  }),
]

const existing = (account: Account | undefined) => orNotFound(account, 'account')

/** Returns the account if it may change. */
function undeleted(account: Account | undefined): Account {
  const found = existing(account)
  if (found.deletedAt !== null) throw new ApiError('BAD_REQUEST', 'This account was deleted')
  return found
}

async function describe(account: Account, store: Store): Promise<Static<typeof AccountDetails>> {
  const subscription =
    account.subscriptionId === null ? undefined : await store.subscriptions.find(account.subscriptionId)
  const lots = await store.ledger.listLots(account.id)
  return {
    ...toView(account),
    effectivePlan: planOf(account),
    lots: lots.map(({ createdAt, expiresAt, ...lot }) => ({
      ...lot,
      createdAt: isoTime(createdAt),
      expiresAt: isoTimeOrNull(expiresAt),
    })),
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
    suspendedReason: account.suspendedReason,
    isDemo: account.isDemo,
    balance: account.balance,
    createdAt: isoTime(account.createdAt),
    deletedAt: isoTimeOrNull(account.deletedAt),
  }
}
