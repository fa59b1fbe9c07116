import type { Static } from 'typebox'
import type { Caller } from '../../admission/caller.ts'
import type { Billing } from '../../billing/billing.ts'
import { withCustomer } from '../../billing/customers.ts'
import { subscriptionInForce } from '../../billing/plan-rules.ts'
import { filtersOf } from '../../http/params.ts'
import type { Account } from '../../model/accounts.ts'
import { ApiError } from '../../model/errors.ts'
import { isoTime } from '../../model/time.ts'
import { PACKS } from '../../plans/packs.ts'
import { PLANS } from '../../plans/plans.ts'
import type { HistoryItem } from '../../store/accounts/history.ts'
import type { Subscription as KeptSubscription } from '../../store/billing/subscriptions.ts'
import { endpoint, type Services } from '../services.ts'
import {
  ChangedSubscription,
  CheckoutSession,
  CreditPack,
  HistoryQuery,
  HistoryRecord,
  NewCheckout,
  NewSubscription,
  PlanChangeRequest,
  PlanForSale,
  Portal,
  Subscription,
} from './schema.ts'

/** Everything under /billing is free (spec 4.5). */
const cost = { credits: 0 }

const RETRY_AFTER_SECONDS = 30

const acting = { access: 'key', cost, refusesDemo: true } as const

export const billingEndpoints = [
  endpoint({
    method: 'GET',
    path: '/billing/packages',
    access: 'key',
    summary: 'The credit packs for sale',
    cost,
    returns: 'list',
    data: CreditPack,
    handle: () => CREDIT_PACKS,
  }),

  endpoint({
    method: 'GET',
    path: '/billing/plans',
    access: 'key',
    summary: 'The plans for sale, and which of them the account has',
    description: 'As they are offered; what was agreed with an account otherwise is in its plan under /account.',
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
    summary: 'Everything that changed the balance, newest first',
    description:
      'Usage is summed up per UTC day and endpoint; with detail=true each charge is listed, calls with their request id. The credits of the whole history add up to the balance.',
    cost,
    query: HistoryQuery,
    returns: 'offset-list',
    data: HistoryRecord,
    async handle({ query, page, caller }, { store }) {
      const { detail = false, ...rest } = query
      const { id } = caller.account
      const { data, totalCount } = await store.history.page(id, filtersOf(rest), detail, page.limit, page.offset)
      return { data: data.map(toRecord), totalCount }
    },
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/checkout',
    summary: 'Buy a credit pack',
    description:
      "Send the buyer to checkoutUrl, the payment processor's page. Once the payment is confirmed the credits are added to the balance; they do not expire.",
    body: NewCheckout,
    returns: 'object',
    data: CheckoutSession,
    async handle({ caller, body }, services) {
      const pack = PACKS.find(({ id }) => id === body.packageId)
      if (pack === undefined) throw new Error(`the pack ${body.packageId} passed the schema`)
      return asked(billingOf(services).orders.buyPack(await currentAccount(caller, services), pack))
    },
  }),

  endpoint({
    method: 'GET',
    path: '/billing/subscription',
    access: 'key',
    cost,
    summary: "The subscription that the account's plan comes from, or the last one it had",
    returns: 'object',
    data: Subscription,
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
      'Send the buyer to checkoutUrl. Once the first month is paid the plan is in force and its monthly credits are added. While a checkout for the plan is open the same one is answered; another plan closes it.',
    body: NewSubscription,
    returns: 'object',
    data: CheckoutSession,
    handle: async ({ caller, body }, services) =>
      asked(billingOf(services).orders.subscribe(await currentAccount(caller, services), body.planSlug)),
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/subscription/change',
    summary: 'Change the plan of the subscription, or see what that would mean',
    description:
      'A dearer plan is in force at once: the difference for the rest of the period is paid and the difference of the monthly credits is added. A cheaper plan follows at the end of the period; until then it is pendingPlanSlug. The plan that the subscription has takes a pending change or a cancellation back; so does a dearer one.',
    body: PlanChangeRequest,
    returns: 'object',
    data: ChangedSubscription,
    async handle({ caller, body: { planSlug, preview = false } }, services) {
      const { planChanges } = billingOf(services)
      const account = await currentAccount(caller, services)
      const { subscription, change } = await asked(
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
    summary: 'Cancel the subscription at the end of its period',
    description:
      'Until then the plan stays in force, and POST /billing/subscription/change takes it back. While the first payment is on its way this is 400.',
    returns: 'object',
    data: Subscription,
    handle: async ({ caller }, services) =>
      toSubscription(await asked(billingOf(services).planChanges.cancel(await currentAccount(caller, services)))),
  }),

  endpoint({
    ...acting,
    method: 'POST',
    path: '/billing/portal',
    summary: "Open the payment processor's page for cards, bills and cancelling",
    returns: 'object',
    data: Portal,
    async handle({ caller }, services) {
      const { store } = services
      const { processor } = billingOf(services)
      const account = await currentAccount(caller, services)
      const portalUrl = await asked(
        withCustomer(account, { store, processor }, (customerId) => processor.createPortal(customerId)),
      )
      return { portalUrl }
    },
  }),
]

const CREDIT_PACKS: Static<typeof CreditPack>[] = PACKS.map(({ id, credits, priceUsdCents, discountPercent }) => ({
  id,
  name: `${credits.toLocaleString('en-US')} credits`,
  credits,
  priceUsd: priceUsdCents / 100,
  pricePerCreditUsd: priceUsdCents / (100 * credits),
  discountPercent,
}))

function toRecord(item: HistoryItem): Static<typeof HistoryRecord> {
  const { id, type, description, credits, balanceAfter, amountUsdCents, ...rest } = item
  const amountUsd = amountUsdCents === null ? null : amountUsdCents / 100
  return { id, type, description, credits, balanceAfter, amountUsd, ...rest, createdAt: isoTime(item.createdAt) }
}

function billingOf({ billing }: Services): Billing {
  if (billing === undefined) throw new ApiError('FORBIDDEN', 'Nothing is sold on this server')
  return billing
}

/** Whatever goes wrong at the payment processor is not the caller's fault, and may be over soon. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('INTERNAL_ERROR', 'The payment processor did not answer as it should; try again in a while', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}

/** As it is in the store: what the key was resolved to may be older. */
async function currentAccount(caller: Caller, { store }: Services): Promise<Account> {
  const account = await store.accounts.find(caller.account.id)
  if (account === undefined) throw new Error(`account ${caller.account.id} is gone`)
  return account
}

async function findSubscription(accountId: string, { store, clock }: Services): Promise<KeptSubscription | undefined> {
  const subscriptions = await store.subscriptions.list(accountId)
  return subscriptionInForce(subscriptions, clock.now()) ?? subscriptions[0]
}

function toSubscription(kept: KeptSubscription): Static<typeof Subscription> {
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
