import { createSession, expireSession, lineItemsOf, listSessions } from './checkout-sessions.ts'
import { payInvoice, voidInvoice } from './collecting.ts'
import { createCustomer } from './customers.ts'
import type { Desk, Page } from './desk.ts'
import { closeDispute, listDisputes } from './disputes.ts'
import { listEvents } from './events.ts'
import type { Includable } from './expand.ts'
import type { Fault } from './fault.ts'
import type { Form } from './form.ts'
import { listInvoicePayments, listInvoices, paymentsOf } from './invoices.ts'
import type { Kind } from './objects.ts'
import {
  email,
  flag,
  integer,
  listOf,
  metadata,
  object,
  oneOf,
  PAGE,
  readerOf,
  required,
  type Shape,
  text,
  textUpTo,
  url,
  type Values,
} from './params.ts'
import { createPortalSession } from './portal.ts'
import { createPrice, listPrices } from './prices.ts'
import { createRefund, listRefunds } from './refunds.ts'
import { createSchedule, releaseSchedule, updateSchedule } from './schedules.ts'
import { previewInvoice, updateSubscription } from './subscription-changes.ts'
import { cancelSubscription, listSubscriptions } from './subscriptions.ts'

type Answer = object | Fault

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for one part. */
  path: string
  run(desk: Desk, form: Form, id: string): Promise<{ answer: Answer; expand: string[] }>
}

const ITEM = object({ id: text, price: text, quantity: integer })
const PRORATION = oneOf('always_invoice', 'none', 'create_prorations')

/** Every call that the sandbox knows, with the parameters that it takes; others are refused. */
export const ROUTES: readonly Route[] = [
  route('POST', '/v1/customers', takes({ email, name: textUpTo(256), metadata }).by(createCustomer)),
  route('GET', '/v1/customers/:id', takes({}).by(retrieve('customer'))),

  list('/v1/prices', takes({ ...PAGE, lookup_keys: listOf(text), active: flag }).by(listPrices)),
  route(
    'POST',
    '/v1/prices',
    takes({
      currency: required(oneOf('usd')),
      unit_amount: required(integer),
      recurring: object({ interval: required(oneOf('month')) }),
      lookup_key: text,
      transfer_lookup_key: flag,
      product_data: required(object({ name: required(text) })),
      metadata,
    }).by(createPrice),
  ),
  route('GET', '/v1/prices/:id', takes({}).by(retrieve('price'))),

  list(
    '/v1/checkout/sessions',
    takes({ ...PAGE, payment_intent: text, customer: text, subscription: text }).by(listSessions),
  ),
  route(
    'POST',
    '/v1/checkout/sessions',
    takes({
      mode: required(oneOf('payment', 'subscription')),
      customer: required(text),
      line_items: required(listOf(object({ price: required(text), quantity: integer }))),
      success_url: required(url),
      cancel_url: url,
      client_reference_id: textUpTo(200),
      metadata,
      payment_intent_data: object({ metadata }),
      subscription_data: object({ metadata }),
      expires_at: integer,
    }).by(createSession),
  ),
  route('GET', '/v1/checkout/sessions/:id', takes({}).by(retrieve('checkout.session'))),
  route('POST', '/v1/checkout/sessions/:id/expire', takes({}).by(expireSession)),

  list('/v1/subscriptions', takes({ ...PAGE, customer: text, status: required(oneOf('all')) }).by(listSubscriptions)),
  route('GET', '/v1/subscriptions/:id', takes({}).by(retrieve('subscription'))),
  route(
    'POST',
    '/v1/subscriptions/:id',
    takes({
      items: listOf(ITEM),
      proration_behavior: PRORATION,
      payment_behavior: oneOf('error_if_incomplete', 'allow_incomplete'),
      proration_date: integer,
      cancel_at_period_end: flag,
      metadata,
    }).by(updateSubscription),
  ),
  route('DELETE', '/v1/subscriptions/:id', takes({}).by(cancelSubscription)),

  route('POST', '/v1/subscription_schedules', takes({ from_subscription: required(text) }).by(createSchedule)),
  route('GET', '/v1/subscription_schedules/:id', takes({}).by(retrieve('subscription_schedule'))),
  route(
    'POST',
    '/v1/subscription_schedules/:id',
    takes({
      phases: listOf(
        object({
          items: required(listOf(object({ price: required(text), quantity: integer }))),
          start_date: integer,
          end_date: integer,
          duration: object({ interval: required(oneOf('month')), interval_count: integer }),
          proration_behavior: PRORATION,
          metadata,
        }),
      ),
      end_behavior: oneOf('release'),
      proration_behavior: PRORATION,
      metadata,
    }).by(updateSchedule),
  ),
  route('POST', '/v1/subscription_schedules/:id/release', takes({}).by(releaseSchedule)),

  list('/v1/invoices', takes({ ...PAGE, subscription: text, customer: text }).by(listInvoices)),
  route(
    'POST',
    '/v1/invoices/create_preview',
    takes({
      customer: text,
      subscription: required(text),
      subscription_details: object({
        items: listOf(ITEM),
        proration_behavior: PRORATION,
        proration_date: integer,
      }),
    }).by(previewInvoice),
  ),
  route('GET', '/v1/invoices/:id', takes({}).by(retrieve('invoice'))),
  route('POST', '/v1/invoices/:id/pay', takes({}).by(payInvoice)),
  route('POST', '/v1/invoices/:id/void', takes({}).by(voidInvoice)),
  list(
    '/v1/invoice_payments',
    takes({
      ...PAGE,
      invoice: text,
      payment: object({ type: required(oneOf('payment_intent')), payment_intent: required(text) }),
    }).by(listInvoicePayments),
  ),

  route('GET', '/v1/payment_intents/:id', takes({}).by(retrieve('payment_intent'))),
  route('GET', '/v1/charges/:id', takes({}).by(retrieve('charge'))),

  list('/v1/refunds', takes({ ...PAGE, payment_intent: text }).by(listRefunds)),
  route('POST', '/v1/refunds', takes({ payment_intent: required(text), amount: integer, metadata }).by(createRefund)),
  route('GET', '/v1/refunds/:id', takes({}).by(retrieve('refund'))),

  list('/v1/disputes', takes({ ...PAGE, payment_intent: text }).by(listDisputes)),
  route('GET', '/v1/disputes/:id', takes({}).by(retrieve('dispute'))),
  route('POST', '/v1/disputes/:id/close', takes({}).by(closeDispute)),

  route(
    'POST',
    '/v1/billing_portal/sessions',
    takes({ customer: required(text), return_url: url }).by(createPortalSession),
  ),

  list(
    '/v1/events',
    takes({ ...PAGE, created: object({ gte: integer }), types: listOf(text), type: text }).by(listEvents),
  ),
  route('GET', '/v1/events/:id', takes({}).by(retrieve('event'))),
]

/** Fields that are there only when they are asked for. */
export const INCLUDABLE: Includable = {
  'checkout.session.line_items': (desk, session) => lineItemsOf(desk, String(session.id)),
  'invoice.payments': (desk, invoice) => paymentsOf(desk, String(invoice.id)),
}

type Work<T> = (desk: Desk, form: Form, id: string) => Promise<T>

/** Reads the parameters for the function that is named by `by`. */
function takes<S extends Shape>(shape: S) {
  const read = readerOf(shape)
  return {
    by:
      <T>(work: (desk: Desk, params: Values<S>, id: string) => Promise<T>): Work<T> =>
      (desk, form, id) =>
        work(desk, read(form), id),
  }
}

function route(method: Route['method'], path: string, work: Work<Answer>): Route {
  const readExpand = listOf(text)
  return {
    method,
    path,
    async run(desk, { expand, ...form }, id) {
      const paths = readExpand(expand, 'expand') ?? []
      return { answer: await work(desk, form, id), expand: paths }
    },
  }
}

function list(path: string, work: Work<Page<object>>): Route {
  return route('GET', path, async (desk, form, id) => {
    const { data, hasMore } = await work(desk, form, id)
    return { object: 'list', data, has_more: hasMore, url: path }
  })
}

function retrieve(kind: Kind) {
  return (desk: Desk, _: object, id: string): Promise<object> => desk.get(kind, id)
}

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  const parts = path.split('/')
  for (const one of ROUTES) {
    const wanted = one.path.split('/')
    if (one.method !== method || wanted.length !== parts.length) continue
    if (!wanted.every((part, index) => part === ':id' || part === parts[index])) continue
    return { route: one, id: parts[wanted.indexOf(':id')] ?? '' }
  }
  return undefined
}
