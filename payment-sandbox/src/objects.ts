import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { IndexedFields } from './storage.ts'

/** The stored objects by the name that Stripe gives them in `object`. */
export interface ObjectsByKind {
  customer: Stripe.Customer
  product: Stripe.Product
  price: Stripe.Price
  'checkout.session': Stripe.Checkout.Session
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  subscription: Stripe.Subscription
  subscription_schedule: Stripe.SubscriptionSchedule
  invoice: Stripe.Invoice
  invoice_payment: Stripe.InvoicePayment
  'billing_portal.session': Stripe.BillingPortal.Session
  event: Stripe.Event
}
export type ObjectKind = keyof ObjectsByKind
export type SandboxObject = ObjectsByKind[ObjectKind]

/** State of an object that the API does not show. */
export interface Notes {
  /** Of a customer. */
  card?: 'works' | 'declined'
  isDeleted?: boolean
  /** Of a checkout session. */
  price?: string
  paymentMetadata?: Stripe.Metadata
  subscriptionMetadata?: Stripe.Metadata
  /** The outcome that the bank transfer of a checkout session will have. */
  transfer?: 'arrives' | 'fails'
}

export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive'

/** Creates an id that cannot be guessed: knowing the id of a session is enough to open its page. */
export function newId(prefix: string): string {
  return `${prefix}_sandbox_${randomBytes(16).toString('hex')}`
}

/** Returns the id in a field that holds an id or an object. */
export function objectId(value: string | { id: string } | null | undefined): string {
  if (value === null || value === undefined) throw new Error('a required reference to an object is empty')
  return typeof value === 'string' ? value : value.id
}

/** Stripe sends decimals as strings; the SDK parses them. */
export const toDecimal = (value: number) => String(value) as unknown as Stripe.Decimal

export const completeList = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
})

export function indexedFields(object: SandboxObject): IndexedFields {
  const none = { customer: null, subscription: null, invoice: null, payment_intent: null, label: null }
  switch (object.object) {
    case 'price':
      return { ...none, label: object.lookup_key }
    case 'event':
      return { ...none, label: object.type }
    case 'invoice': {
      const subscription = object.parent?.subscription_details?.subscription
      return {
        ...none,
        customer: objectId(object.customer),
        subscription: subscription ? objectId(subscription) : null,
      }
    }
    case 'invoice_payment':
      return { ...none, invoice: objectId(object.invoice), payment_intent: objectId(object.payment.payment_intent) }
    default: {
      const { customer, subscription, payment_intent } = object as Partial<IndexedFields>
      return {
        ...none,
        customer: customer ?? null,
        subscription: subscription ?? null,
        payment_intent: payment_intent ?? null,
      }
    }
  }
}
