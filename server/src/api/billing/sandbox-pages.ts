import Type from 'typebox'
import type { Outcome } from '../../billing/sandbox/pages/page.ts'
import type { Sandbox } from '../../billing/sandbox/sandbox.ts'
import { HTML_ANSWER, type HtmlAnswer } from '../../http/html-page.ts'
import { ApiError } from '../../model/errors.ts'
import { IdPath } from '../or-not-found.ts'
import { endpoint, type Services } from '../services.ts'

const page = { access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const
const Action = Type.Object({ id: Type.String(), action: Type.String() })
const choice = () => Type.Optional(Type.String({ maxLength: 200 }))

/** The pages of the payment sandbox, which a real payment processor would host. */
export const sandboxPages = [
  endpoint({
    ...page,
    method: 'GET',
    path: '/sandbox/checkout/:id',
    summary: 'Pay in the sandbox',
    params: IdPath,
    handle: async ({ params }, services) => toPage(await sandboxOf(services).checkoutPage(params.id)),
  }),
  endpoint({
    ...page,
    method: 'POST',
    path: '/sandbox/checkout/:id/:action',
    summary: 'Buyer action on the checkout page',
    params: Action,
    body: Type.Object({ renewals: choice(), transfer: choice() }),
    handle: async ({ params, body }, services) =>
      toPage(await sandboxOf(services).checkoutAction(params.id, params.action, body)),
  }),
  endpoint({
    ...page,
    method: 'GET',
    path: '/sandbox/portal/:id',
    summary: 'Cards, payments and the subscription in the sandbox',
    params: IdPath,
    handle: async ({ params }, services) => toPage(await sandboxOf(services).portalPage(params.id)),
  }),
  endpoint({
    ...page,
    method: 'POST',
    path: '/sandbox/portal/:id/:action',
    summary: 'Customer, shop or bank action on the portal page',
    params: Action,
    body: Type.Object({ id: choice() }),
    handle: async ({ params, body }, services) =>
      toPage(await sandboxOf(services).portalAction(params.id, params.action, body)),
  }),
]

function sandboxOf({ sandbox }: Services): Sandbox {
  if (sandbox === undefined) throw new ApiError('NOT_FOUND', 'The payment sandbox is off on this server')
  return sandbox
}

function toPage(outcome: Outcome): HtmlAnswer {
  if ('location' in outcome) return outcome
  return { html: outcome.html, status: outcome.isFound ? 200 : 404 }
}
