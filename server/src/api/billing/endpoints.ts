import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import type { Billing } from '../../billing/billing.ts'
import { withCustomer } from '../../billing/customers.ts'
import { subscriptionInForce } from '../../billing/plan-rules.ts'
import { filtersOf } from '../../http/params.ts'
import type { Account } from '../../model/accounts.ts'
import { creditsText } from '../../model/credits-text.ts'
import { ApiError } from '../../model/errors.ts'
import { pageWriter } from '../../model/paging.ts'
import { isoTime } from '../../model/time.ts'
import { PACKS } from '../../plans/packs.ts'
import { PLANS } from '../../plans/plans.ts'
import type { HistoryItem } from '../../store/accounts/history.ts'
import type { Subscription } from '../../store/billing/subscriptions.ts'
import { endpoint, type Services } from '../services.ts'
import {
  ChangedSubscription,
  CheckoutSession,
  CheckoutView,
  CreditPackView,
  HistoryQuery,
  HistoryView,
  NewCheckout,
  NewSubscription,
  PlanChangeRequest,
  PlanForSale,
  Portal,
  SessionPath,
  SubscriptionView,
} from './schema.ts'

/** Everything under /billing is free (spec 4.5). */
const cost = { credits: 0 }

const RETRY_AFTER_SECONDS = 30

const NO_SUBSCRIPTION = { 404: 'The account has no subscription.' }

const acting = { access: 'key', cost, refusesDemo: true } as const

export const billingEndpoints = [
  endpoint({
    method: 'GET',
    path: '/billing/packages',
    access: 'key',
    summary: 'List the credit packs for sale',
    cost,
    returns: 'list',
    data: CreditPackView,
    handle: () => CREDIT_PACKS,
  }),

  endpoint({
    method: 'GET',
    path: '/billing/plans',
    access: 'key',
    summary: 'List the plans for sale and mark the plan of the account',
    description: 'Shows the standard plans; /account shows the plan with the overrides of the account.',
    cost,
    returns: 'list',
    data: PlanForSale,
    handle: ({ caller }) =>
      Object.values(PLANS).map((plan) => ({ ...plan, isCurrent: plan.slug === caller.plan.slug })),
  }),

  endpoint({
    method: 'GET',
    path: '/billing/history',
    access: 'key',
    summary: 'List all changes of the balance, newest first',
    description:
      'Usage is summed per UTC day and endpoint; detail=true lists each charge, with its request id, as long as the request log has the request. The credits of the whole history without detail add up to the balance.',
    cost,
    query: HistoryQuery,
    returns: 'offset-list',
    data: HistoryView,
    async handle({ query, page, caller }, { store }) {
      const { detail = false, ...rest } = query
      const { id } = caller.account
      return writeHistory(await store.history.page(id, filtersOf(rest), detail, page.limit, page.offset))
    },
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/checkout',
    summary: 'Buy a credit pack',
    description:
      'Send the buyer to checkoutUrl, a page of the payment processor. The credits are added once the payment is confirmed, and do not expire.',
    body: NewCheckout,
    returns: 'object',
    data: CheckoutSession,
    async handle({ caller, body }, services) {
      const pack = PACKS.find(({ id }) => id === body.packageId)
      if (pack === undefined) throw new Error(`the schema accepted the unknown pack ${body.packageId}`)
      return fromProcessor(billingOf(services).orders.buyPack(await currentAccount(caller, services), pack))
    },
  }),

  endpoint({
    ...acting,
    method: 'GET',
    path: '/billing/checkout/:sessionId',
    summary: 'Get the state of a checkout, for a pack or a plan',
    description:
      'A checkout is open until the buyer has paid, processing while the payment is being confirmed, then paid or failed. An unused one expires. The credits or the plan of a paid checkout are in effect.',
    params: SessionPath,
    returns: 'object',
    data: CheckoutView,
    async handle({ caller, params: { sessionId } }, { store }) {
      const checkout = await store.checkouts.findBySession(sessionId)
      if (checkout?.accountId !== caller.account.id) throw new ApiError('NOT_FOUND', 'No checkout has this session id')
      const { status, packageId, planSlug, url, createdAt } = checkout
      const checkoutUrl = status === 'open' ? url : null
      return { sessionId, status, packageId, planSlug, checkoutUrl, createdAt: isoTime(createdAt) }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/billing/subscription',
    access: 'key',
    cost,
    summary: "Get the account's current or most recent subscription",
    errors: NO_SUBSCRIPTION,
    returns: 'object',
    data: SubscriptionView,
    async handle({ caller }, services) {
      const subscription = await findSubscription(caller.account.id, services)
      if (subscription === undefined) throw new ApiError('NOT_FOUND', 'This account has no subscription')
      return toSubscription(subscription)
    },
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/subscription',
    summary: 'Subscribe to a plan',
    description:
      'Send the buyer to checkoutUrl. Once the first month is paid, the plan takes effect and its monthly credits are added. While a checkout for the same plan is open, the request returns that checkout; a request for another plan closes it.',
    body: NewSubscription,
    returns: 'object',
    data: CheckoutSession,
    handle: async ({ caller, body }, services) =>
      fromProcessor(billingOf(services).orders.subscribe(await currentAccount(caller, services), body.planSlug)),
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/subscription/change',
    errors: NO_SUBSCRIPTION,
    summary: 'Change the plan of the subscription, or preview the change',
    description:
      'A more expensive plan takes effect immediately: the buyer pays the difference for the rest of the period, and the difference in monthly credits is added. A cheaper plan takes effect at the end of the period; until then it is pendingPlanSlug. Choosing the current plan or a more expensive one reverts a pending change or cancellation.',
    body: PlanChangeRequest,
    returns: 'object',
    data: ChangedSubscription,
    async handle({ caller, body: { planSlug, preview = false } }, services) {
      const { planChanges } = billingOf(services)
      const account = await currentAccount(caller, services)
      const { subscription, change } = await fromProcessor(
        preview ? planChanges.preview(account, planSlug) : planChanges.change(account, planSlug),
      )
      return {
        ...toSubscription(subscription),
        change: {
          planSlug,
          isPreview: preview,
          effectiveAt: isoTime(change.effectiveAt),
          amountDueUsd: change.amountDueUsdCents / 100,
          credits: change.credits,
        },
      }
    },
  }),

  endpoint({
    ...acting,
    method: 'DELETE',
    path: '/billing/subscription',
    errors: NO_SUBSCRIPTION,
    summary: 'Cancel the subscription at the end of its period',
    description:
      'Until then the plan stays in effect, and POST /billing/subscription/change reverts the cancellation. Returns 400 while the first payment is in progress.',
    returns: 'object',
    data: SubscriptionView,
    handle: async ({ caller }, services) =>
      toSubscription(
        await fromProcessor(billingOf(services).planChanges.cancel(await currentAccount(caller, services))),
      ),
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/portal',
    summary: "Create a link to the payment processor's portal for cards, invoices and cancellation",
    returns: 'object',
    data: Portal,
    async handle({ caller }, services) {
      const { store } = services
      const { processor } = billingOf(services)
      const account = await currentAccount(caller, services)
      const portalUrl = await fromProcessor(
        withCustomer(account, { store, processor }, (customerId) => processor.createPortal(customerId)),
      )
      return { portalUrl }
    },
  }),
]

const CREDIT_PACKS: Static<typeof CreditPackView>[] = PACKS.map(({ id, credits, priceUsdCents, discountPercent }) => ({
  id,
  name: creditsText(credits),
  credits,
  priceUsd: priceUsdCents / 100,
  pricePerCreditUsd: priceUsdCents / (100 * credits),
  discountPercent,
}))

// The store caches the items.
const writeHistory = pageWriter(toRecord)

function toRecord(item: HistoryItem): Static<typeof HistoryView> {
  const { id, type, description, credits, balanceAfter, amountUsdCents, ...rest } = item
  const amountUsd = amountUsdCents === null ? null : amountUsdCents / 100
  return { id, type, description, credits, balanceAfter, amountUsd, ...rest, createdAt: isoTime(item.createdAt) }
}

function billingOf({ billing }: Services): Billing {
  if (billing === undefined) throw new ApiError('FORBIDDEN', 'Payments are off on this server')
  return billing
}

/**
 * Turns errors of the payment processor into a 500 with Retry-After: they are not the caller's fault and often
 * temporary.
 */
async function fromProcessor<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('INTERNAL_ERROR', 'The payment processor failed; try again later', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

/** Returns the account from the store: the caller's copy is cached and may be outdated. */
async function currentAccount(caller: Caller, { store }: Services): Promise<Account> {
  const account = await store.accounts.find(caller.account.id)
  if (account === undefined) throw new Error(`account ${caller.account.id} does not exist`)
  return account
}

async function findSubscription(accountId: string, { store, clock }: Services): Promise<Subscription | undefined> {
  const subscriptions = await store.subscriptions.list(accountId)
  return subscriptionInForce(subscriptions, clock.now()) ?? subscriptions[0]
}

function toSubscription(kept: Subscription): Static<typeof SubscriptionView> {
  return {
    id: kept.id,
    planSlug: kept.planSlug,
    status: kept.status,
    currentPeriodStart: isoTime(kept.periodStart),
    currentPeriodEnd: isoTime(kept.periodEnd),
    cancelAtPeriodEnd: kept.cancelAtPeriodEnd,
    pendingPlanSlug: kept.pendingPlanSlug,
    createdAt: isoTime(kept.createdAt),
  }
}
