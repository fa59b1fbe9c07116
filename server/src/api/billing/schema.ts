import Type from 'typebox'
import * as param from '../../http/params.ts'
import { TRANSFER_KINDS } from '../../model/accounts.ts'
import { flag, id, integer, nullable, number, text, time } from '../../model/schema.ts'
import { PACKS } from '../../plans/packs.ts'
import { PAID_PLAN_SLUGS } from '../../plans/plans.ts'
import { PlanView } from '../account/schema.ts'

export const CreditPackView = Type.Object(
  {
    id: text('Id to buy it with, such as credits_1000'),
    name: text('Name for people'),
    credits: integer('Credits that are added to the balance and do not expire'),
    priceUsd: number('Price in US dollars'),
    pricePerCreditUsd: number('priceUsd / credits'),
    discountPercent: number('Discount against the smallest pack: 10 is 10%'),
  },
  { description: 'A credit pack for sale' },
)

export const PlanForSale = Type.Object(
  { ...PlanView.properties, isCurrent: flag('Whether the account has this plan') },
  { description: 'A standard plan' },
)

export const HistoryView = Type.Object(
  {
    id: id('Id of the item'),
    type: Type.Enum(TRANSFER_KINDS, {
      description: 'grant: signup and monthly credits; adjustment: by the operator; expiry: unused monthly credits',
    }),
    description: text('What changed the balance; for usage the endpoint and the day'),
    credits: integer('Negative if the balance decreased'),
    balanceAfter: Type.Integer({
      minimum: 0,
      description: 'Balance after the change. Charges posted together have the same value',
    }),
    amountUsd: nullable(number('Amount paid; negative for a refund. Null if no money moved')),
    packageId: nullable(text('Credit pack that was bought; null for other changes')),
    planSlug: nullable(text('Plan that was paid for; null for other changes')),
    sessionId: nullable(text('Checkout of the credit pack; null for other changes')),
    requestId: nullable(id('Request that was charged; null except for usage with detail=true')),
    createdAt: time('Time of the change; for daily usage, of the last charge'),
  },
  { description: 'A change of the balance' },
)

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
export const CheckoutSession = Type.Object(
  {
    checkoutUrl: Type.String({ format: 'uri', description: 'Page of the payment processor' }),
    sessionId: text('Id of the checkout; the billing history repeats it once a credit pack is paid'),
  },
  { description: 'A checkout to be paid' },
)

export const NewCheckout = Type.Object(
  {
    packageId: Type.Enum(
      PACKS.map((pack) => pack.id),
      { description: 'Credit pack to buy' },
    ),
  },
  { description: 'The purchase' },
)

export const SubscriptionView = Type.Object(
  {
    id: text('Id at the payment processor'),
    planSlug: text('Plan that it pays for'),
    status: text(
      'Status at the payment processor, such as active, past_due (a payment failed, but the plan stays in effect) or canceled',
    ),
    currentPeriodStart: time('Start of the paid month'),
    currentPeriodEnd: time('End of the paid month, when the next one is charged'),
    cancelAtPeriodEnd: flag('Whether it ends with the period instead'),
    pendingPlanSlug: nullable(text('Plan that takes effect at the end of the period; null if it stays the same')),
    createdAt: time('When it was started'),
  },
  { description: 'A subscription to a plan' },
)

const planSlug = Type.Enum(PAID_PLAN_SLUGS, { description: 'Plan to subscribe to' })

export const NewSubscription = Type.Object({ planSlug }, { description: 'The subscription to start' })

export const PlanChangeRequest = Type.Object(
  { planSlug, preview: Type.Optional(flag('Only describe the change, without making it')) },
  { description: 'The change of plan' },
)

export const ChangedSubscription = Type.Object(
  {
    ...SubscriptionView.properties,
    change: Type.Object(
      {
        planSlug: text('The requested plan'),
        isPreview: flag('Whether the change was only described'),
        effectiveAt: time('Now for a more expensive plan, the end of the period for a cheaper one'),
        amountDueUsd: number('Due now: the price difference for the rest of the period'),
        credits: integer('Added now: the difference in monthly credits'),
      },
      { description: 'The change of plan' },
    ),
  },
  { description: 'A subscription with the change of its plan' },
)

export const Portal = Type.Object(
  { portalUrl: Type.String({ format: 'uri', description: 'Page of the payment processor' }) },
  { description: 'A link to the portal' },
)
