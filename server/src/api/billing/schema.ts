import Type from 'typebox'
import * as param from '../../http/params.ts'
import { TRANSFER_KINDS } from '../../model/accounts.ts'
import { id, nullable, time } from '../../model/schema.ts'
import { PACKS } from '../../plans/packs.ts'
import { PAID_PLAN_SLUGS } from '../../plans/plans.ts'
import { Plan } from '../account/schema.ts'

export const CreditPack = Type.Object({
  id: Type.String(),
  name: Type.String(),
  credits: Type.Integer(),
  priceUsd: Type.Number(),
  pricePerCreditUsd: Type.Number(),
  discountPercent: Type.Number(),
})

export const PlanForSale = Type.Object({ ...Plan.properties, isCurrent: Type.Boolean() })

export const HistoryRecord = Type.Object({
  id: id(),
  type: Type.Enum(TRANSFER_KINDS),
  description: Type.String(),
  credits: Type.Integer({ description: 'Below zero where the balance became less' }),
  balanceAfter: Type.Integer({ minimum: 0, description: 'Charges that were posted together have the same' }),
  amountUsd: nullable(Type.Number({ description: 'What was paid; below zero what was paid back' })),
  packageId: nullable(Type.String()),
  planSlug: nullable(Type.String()),
  sessionId: nullable(Type.String()),
  requestId: nullable(id()),
  createdAt: time('For usage of a day the time of its last charge'),
})

export const HistoryQuery = Type.Object({
  limit: param.limit(),
  offset: param.offset(),
  sortBy: param.sortBy('createdAt:desc'),
  detail: param.ownKey(param.flag('Each charge instead of the sums per UTC day and endpoint')),
  type: param.ownKey(param.enumList(TRANSFER_KINDS, 'What changed the balance')),
  createdAfter: param.ownKey(param.instant('Posted at this time or later')),
  createdBefore: param.ownKey(param.instant('Posted at this time or earlier')),
})

/** Spec 2.5. */
export const CheckoutSession = Type.Object({
  checkoutUrl: Type.String({ format: 'uri', description: "The payment processor's page" }),
  sessionId: Type.String(),
})

export const NewCheckout = Type.Object({ packageId: Type.Enum(PACKS.map((pack) => pack.id)) })

export const Subscription = Type.Object({
  id: Type.String(),
  planSlug: Type.String(),
  status: Type.String({
    description:
      'As the payment processor has it: active; past_due after a payment has failed, while the plan stays in force; canceled …',
  }),
  currentPeriodStart: time(),
  currentPeriodEnd: time(),
  cancelAtPeriodEnd: Type.Boolean(),
  pendingPlanSlug: nullable(Type.String({ description: 'The plan that follows at the end of the period' })),
  createdAt: time(),
})

const planSlug = Type.Enum(PAID_PLAN_SLUGS)

export const NewSubscription = Type.Object({ planSlug })

export const PlanChangeRequest = Type.Object({
  planSlug,
  preview: Type.Optional(Type.Boolean({ description: 'Only say what would happen' })),
})

export const ChangedSubscription = Type.Object({
  ...Subscription.properties,
  change: Type.Object({
    planSlug: Type.String(),
    isPreview: Type.Boolean(),
    effectiveAt: time('Now for a dearer plan, the end of the period for a cheaper one'),
    amountDueUsd: Type.Number({ description: 'To pay at once: the difference for the rest of the period' }),
    credits: Type.Integer({ description: 'Added at once: the difference of the monthly credits' }),
  }),
})

export const Portal = Type.Object({ portalUrl: Type.String({ format: 'uri' }) })
