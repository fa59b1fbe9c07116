import { CREATE_SESSION } from './checkout-session-object.ts'
import { createSession, expireSession, lineItemsOfSession } from './checkout-sessions.ts'
import { deleteCustomer } from './customer-deletion.ts'
import { CREATE_CUSTOMER, createCustomer, retrieveCustomer } from './customers.ts'
import { closeDispute } from './disputes.ts'
import type { RequestError } from './errors.ts'
import { LIST_EVENTS, listEvents } from './events.ts'
import type { IncludableFields } from './expand.ts'
import type { Form } from './form.ts'
import { payInvoice, voidInvoice } from './invoice-collection.ts'
import { LIST_INVOICE_PAYMENTS, listInvoicePayments, paymentsOfInvoice } from './invoices.ts'
import type { ObjectKind } from './objects.ts'
import { PAGE_PARAMS, type ParamShape, type ParamsOf, param, readParams, required } from './params.ts'
import { CREATE_PORTAL_SESSION, createPortalSession } from './portal-sessions.ts'
import { CREATE_PRICE, createPrice, LIST_PRICES, listPrices } from './prices.ts'
import { CREATE_REFUND, createRefund } from './refunds.ts'
import { CREATE_SCHEDULE, createSchedule, releaseSchedule, UPDATE_SCHEDULE, updateSchedule } from './schedules.ts'
import { PREVIEW_INVOICE, previewInvoice, UPDATE_SUBSCRIPTION, updateSubscription } from './subscription-changes.ts'
import { cancelSubscription } from './subscriptions.ts'
import type { ObjectPage, SandboxTransaction } from './transaction.ts'

type Result = object | RequestError

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:id` matches one segment. */
  path: string
  run(tx: SandboxTransaction, form: Form, id: string): Promise<{ result: Result; expand: string[] }>
}

/** All supported requests. Each refuses parameters that its shape does not have. */
const ROUTES: readonly Route[] = [
  create('/v1/customers', CREATE_CUSTOMER, createCustomer),
  route('GET', '/v1/customers/:id', {}, retrieveCustomer),
  route('DELETE', '/v1/customers/:id', {}, deleteCustomer),

  list('/v1/prices', LIST_PRICES, listPrices),
  create('/v1/prices', CREATE_PRICE, createPrice),
  retrieve('/v1/prices/:id', 'price'),

  listBy('/v1/checkout/sessions', 'checkout.session', {
    payment_intent: param.string,
    customer: param.string,
    subscription: param.string,
  }),
  create('/v1/checkout/sessions', CREATE_SESSION, createSession),
  retrieve('/v1/checkout/sessions/:id', 'checkout.session'),
  update('/v1/checkout/sessions/:id/expire', {}, expireSession),

  listBy('/v1/subscriptions', 'subscription', { customer: param.string, status: required(param.enum('all')) }),
  retrieve('/v1/subscriptions/:id', 'subscription'),
  update('/v1/subscriptions/:id', UPDATE_SUBSCRIPTION, updateSubscription),
  route('DELETE', '/v1/subscriptions/:id', {}, cancelSubscription),

  create('/v1/subscription_schedules', CREATE_SCHEDULE, createSchedule),
  retrieve('/v1/subscription_schedules/:id', 'subscription_schedule'),
  update('/v1/subscription_schedules/:id', UPDATE_SCHEDULE, updateSchedule),
  update('/v1/subscription_schedules/:id/release', {}, releaseSchedule),

  listBy('/v1/invoices', 'invoice', { subscription: param.string, customer: param.string }),
  create('/v1/invoices/create_preview', PREVIEW_INVOICE, previewInvoice),
  retrieve('/v1/invoices/:id', 'invoice'),
  update('/v1/invoices/:id/pay', {}, payInvoice),
  update('/v1/invoices/:id/void', {}, voidInvoice),
  list('/v1/invoice_payments', LIST_INVOICE_PAYMENTS, listInvoicePayments),

  retrieve('/v1/payment_intents/:id', 'payment_intent'),
  retrieve('/v1/charges/:id', 'charge'),

  listBy('/v1/refunds', 'refund', { payment_intent: param.string }),
  create('/v1/refunds', CREATE_REFUND, createRefund),
  retrieve('/v1/refunds/:id', 'refund'),

  listBy('/v1/disputes', 'dispute', { payment_intent: param.string }),
  retrieve('/v1/disputes/:id', 'dispute'),
  update('/v1/disputes/:id/close', {}, closeDispute),

  create('/v1/billing_portal/sessions', CREATE_PORTAL_SESSION, createPortalSession),

  list('/v1/events', LIST_EVENTS, listEvents),
  retrieve('/v1/events/:id', 'event'),
]

/** Fields that an object has only if `expand` names them. */
export const INCLUDABLE_FIELDS: IncludableFields = {
  'checkout.session.line_items': (tx, session) => lineItemsOfSession(tx, String(session.id)),
  'invoice.payments': (tx, invoice) => paymentsOfInvoice(tx, String(invoice.id)),
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

function route<S extends ParamShape>(
  method: Route['method'],
  path: string,
  shape: S,
  handle: (tx: SandboxTransaction, id: string, params: ParamsOf<S>) => Promise<Result>,
): Route {
  const readExpand = param.array(param.string)
  return {
    method,
    path,
    async run(tx, { expand, ...form }, id) {
      const paths = readExpand(expand, 'expand') ?? []
      return { result: await handle(tx, id, readParams(shape, form)), expand: paths }
    },
  }
}

function create<S extends ParamShape>(
  path: string,
  shape: S,
  handle: (tx: SandboxTransaction, params: ParamsOf<S>) => Promise<Result>,
): Route {
  return route('POST', path, shape, (tx, _, params) => handle(tx, params))
}

function update<S extends ParamShape>(
  path: string,
  shape: S,
  handle: (tx: SandboxTransaction, id: string, params: ParamsOf<S>) => Promise<Result>,
): Route {
  return route('POST', path, shape, handle)
}

function retrieve(path: string, kind: ObjectKind): Route {
  return route('GET', path, {}, (tx, id) => tx.get(kind, id))
}

function list<S extends ParamShape>(
  path: string,
  shape: S,
  find: (tx: SandboxTransaction, params: ParamsOf<S>) => Promise<ObjectPage<object>>,
): Route {
  return route('GET', path, shape, async (tx, _, params) => {
    const { data, hasMore } = await find(tx, params)
    return { object: 'list', data, has_more: hasMore, url: path }
  })
}

/** Lists objects by fields that storage can filter by. */
function listBy(path: string, kind: ObjectKind, filterShape: Record<string, typeof param.string>): Route {
  return list(path, { ...PAGE_PARAMS, ...filterShape }, (tx, { limit, starting_after, ...filter }) =>
    tx.list(kind, filter, { limit, starting_after }),
  )
}
