import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { SandboxKeys } from '../../store/sandbox.ts'

/** The objects that are kept, by the name that Stripe gives them in `object`. */
export interface Kinds {
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
export type Kind = keyof Kinds
export type Kept = Kinds[Kind]

/** What the sandbox knows of an object and the API does not show. */
export interface Notes {
  /** Of a customer. */
  card?: 'works' | 'declined'
  /** Of a checkout session. */
  price?: string
  paymentMetadata?: Stripe.Metadata
  subscriptionMetadata?: Stripe.Metadata
  /** Of a checkout session that is paid by a transfer, and how it will end. */
  transfer?: 'arrives' | 'fails'
}

export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive'

/** Cannot be guessed: whoever knows the id of a session may pay with it. */
export function newId(prefix: string): string {
  return `${prefix}_sandbox_${randomBytes(16).toString('hex')}`
}

/** The id behind a field that may hold the object itself. */
export function idOf(value: string | { id: string } | null | undefined): string {
  if (value === null || value === undefined) throw new Error('an object has no id where it should')
  return typeof value === 'string' ? value : value.id
}

/** Stripe's decimals are texts on the wire; the SDK makes them numbers of its own. */
export const decimal = (value: number) => String(value) as unknown as Stripe.Decimal

export const listOfAll = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
})

/** What an object is listed by. */
export function keysOf(object: Kept): SandboxKeys {
  const keys = { customer: null, subscription: null, invoice: null, payment_intent: null, label: null }
  switch (object.object) {
    case 'price':
      return { ...keys, label: object.lookup_key }
    case 'event':
      return { ...keys, label: object.type }
    case 'invoice': {
      const subscription = object.parent?.subscription_details?.subscription
      return { ...keys, customer: idOf(object.customer), subscription: subscription ? idOf(subscription) : null }
    }
    case 'invoice_payment':
      return { ...keys, invoice: idOf(object.invoice), payment_intent: idOf(object.payment.payment_intent) }
    default: {
      const named = object as Partial<Record<keyof SandboxKeys, string | null>>
      return {
        ...keys,
        customer: named.customer ?? null,
        subscription: named.subscription ?? null,
        payment_intent: named.payment_intent ?? null,
      }
    }
  }
}
