import Type from 'typebox'
import * as param from '../../http/params.ts'
import { TRANSFER_KINDS } from '../../model/accounts.ts'
import { id, nullable, time } from '../../model/schema.ts'
import { PACKS } from '../../plans/packs.ts'
import { PAID_PLAN_SLUGS } from '../../plans/plans.ts'
import { CHECKOUT_STATUSES } from '../../store/billing/checkouts.ts'
import { PlanView } from '../account/schema.ts'

export const CreditPackView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  credits: Type.Integer(),
  priceUsd: Type.Number(),
  pricePerCreditUsd: Type.Number(),
  discountPercent: Type.Number(),
})

export const PlanForSale = Type.Object({ ...PlanView.properties, isCurrent: Type.Boolean() })

export const HistoryView = Type.Object({
  id: id(),
  type: Type.Enum(TRANSFER_KINDS),
  description: Type.String(),
  credits: Type.Integer({ description: 'Negative if the balance decreased' }),
  balanceAfter: Type.Integer({ minimum: 0, description: 'Charges posted together have the same value' }),
  amountUsd: nullable(Type.Number({ description: 'Amount paid; negative for a refund' })),
  packageId: nullable(Type.String()),
  planSlug: nullable(Type.String()),
  sessionId: nullable(Type.String()),
  requestId: nullable(id()),
  createdAt: time('For daily usage, the time of the last charge'),
})

export const HistoryQuery = Type.Object({
  limit: param.limit(),
  offset: param.offset(),
  sortBy: param.sortBy('createdAt:desc'),
  detail: param.ownKey(param.flag('List each charge instead of sums per UTC day and endpoint')),
  type: param.ownKey(param.enumList(TRANSFER_KINDS, 'Type of change')),
  createdAfter: param.ownKey(param.instant('Posted at this time or later')),
  createdBefore: param.ownKey(param.instant('Posted at this time or earlier')),
})

/** Spec 2.5. */
export const CheckoutSession = Type.Object({
  checkoutUrl: Type.String({ format: 'uri', description: 'Page of the payment processor' }),
  sessionId: Type.String(),
})

export const SessionPath = Type.Object({
  sessionId: Type.String({ description: 'sessionId of the response that opened the checkout' }),
})

export const CheckoutView = Type.Object({
  sessionId: Type.String({ description: 'Id of the checkout at the payment processor' }),
  status: Type.Enum(CHECKOUT_STATUSES, { description: 'State of the checkout' }),
  packageId: nullable(Type.String({ description: 'Credit pack that is bought' })),
  planSlug: nullable(Type.String({ description: 'Plan that is subscribed to' })),
  checkoutUrl: nullable(
    Type.String({ format: 'uri', description: 'Page of the payment processor. Null unless the checkout is open' }),
  ),
  createdAt: time('When the checkout was opened'),
})

export const NewCheckout = Type.Object({ packageId: Type.Enum(PACKS.map((pack) => pack.id)) })

export const SubscriptionView = Type.Object({
  id: Type.String(),
  planSlug: Type.String(),
  status: Type.String({
    description:
      'Status at the payment processor, such as active, past_due (a payment failed, but the plan stays in effect) or canceled',
  }),
  currentPeriodStart: time(),
  currentPeriodEnd: time(),
  cancelAtPeriodEnd: Type.Boolean(),
  pendingPlanSlug: nullable(Type.String({ description: 'Plan that takes effect at the end of the period' })),
  createdAt: time(),
})

const planSlug = Type.Enum(PAID_PLAN_SLUGS)

export const NewSubscription = Type.Object({ planSlug })

export const PlanChangeRequest = Type.Object({
  planSlug,
  preview: Type.Optional(Type.Boolean({ description: 'Only describe the change, without making it' })),
})

export const ChangedSubscription = Type.Object({
  ...SubscriptionView.properties,
  change: Type.Object({
    planSlug: Type.String(),
    isPreview: Type.Boolean(),
    effectiveAt: time('Now for a more expensive plan, the end of the period for a cheaper one'),
    amountDueUsd: Type.Number({ description: 'Due now: the price difference for the rest of the period' }),
    credits: Type.Integer({ description: 'Added now: the difference in monthly credits' }),
  }),
})

export const Portal = Type.Object({ portalUrl: Type.String({ format: 'uri' }) })
