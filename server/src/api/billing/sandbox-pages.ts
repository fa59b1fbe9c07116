import type { ActionResult, PaymentSandbox } from 'payment-sandbox'
import Type from 'typebox'
import { HTML_ANSWER, type HtmlAnswer } from '../../http/html-page.ts'
import { ApiError } from '../../model/errors.ts'
import { idPath } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'

export const SANDBOX_PATH = '/sandbox'

const page = { access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const
const Action = Type.Object({ id: Type.String(), action: Type.String() })
const choice = () => Type.Optional(Type.String({ maxLength: 200 }))

/** The pages that Stripe hosts for its customers; the sandbox renders them. */
export const sandboxPages = [
  endpoint({
    ...page,
    method: 'GET',
    path: `${SANDBOX_PATH}/checkout/:id`,
    summary: 'Pay in the sandbox',
    params: idPath('Id of the checkout'),
    handle: async ({ params }, services) => toPage(await sandboxOf(services).checkoutPage(params.id)),
  }),
  endpoint({
    ...page,
    method: 'POST',
    path: `${SANDBOX_PATH}/checkout/:id/:action`,
    summary: 'Pay, pay later, or cancel in the sandbox',
    params: Action,
    body: Type.Object({ renewals: choice(), transfer: choice() }),
    handle: async ({ params, body }, services) =>
      toPage(await sandboxOf(services).checkoutAction(params.id, params.action, body)),
  }),
  endpoint({
    ...page,
    method: 'GET',
    path: `${SANDBOX_PATH}/portal/:id`,
    summary: 'Manage card, payments and subscription in the sandbox',
    params: idPath('Id of the portal'),
    handle: async ({ params }, services) => toPage(await sandboxOf(services).portalPage(params.id)),
  }),
  endpoint({
    ...page,
    method: 'POST',
    path: `${SANDBOX_PATH}/portal/:id/:action`,
    summary: 'Act as the customer, the merchant or the bank in the sandbox',
    params: Action,
    body: Type.Object({ id: choice() }),
    handle: async ({ params, body }, services) =>
      toPage(await sandboxOf(services).portalAction(params.id, params.action, body)),
  }),
]

function sandboxOf({ sandbox }: Services): PaymentSandbox {
  if (sandbox === undefined) throw new ApiError('NOT_FOUND', 'The payment sandbox is off on this server')
  return sandbox
}

function toPage(result: ActionResult): HtmlAnswer {
  if ('location' in result) return result
  return { html: result.html, status: result.isFound ? 200 : 404 }
}
