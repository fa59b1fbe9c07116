import type { Static } from 'typebox'
import { filtersOf } from '../../http/params.ts'
import { isoTime } from '../../model/time.ts'
import { PACKS } from '../../plans/packs.ts'
import { PLANS } from '../../plans/plans.ts'
import type { HistoryItem } from '../../store/accounts/history.ts'
import { endpoint } from '../services.ts'
import { CreditPack, HistoryQuery, HistoryRecord, PlanForSale } from './schema.ts'

/** Everything under /billing is free (spec 4.5). */
const cost = { credits: 0 }

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
      const { detail = false, ...filters } = filtersOf(query)
      const { id } = caller.account
      const { data, totalCount } = await store.history.page(id, filters, detail, page.limit, page.offset)
      return { data: data.map(toRecord), totalCount }
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

function toRecord({ createdAt, amountUsdCents, ...item }: HistoryItem): Static<typeof HistoryRecord> {
  return {
    ...item,
    amountUsd: amountUsdCents === null ? null : amountUsdCents / 100,
    createdAt: isoTime(createdAt),
  }
}
