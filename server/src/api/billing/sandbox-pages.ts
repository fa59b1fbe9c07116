import Type from 'typebox'
import type { Outcome } from '../../billing/sandbox/pages/page.ts'
import type { Sandbox } from '../../billing/sandbox/sandbox.ts'
import { HTML_ANSWER, type HtmlAnswer } from '../../http/html-page.ts'
import { ApiError } from '../../model/errors.ts'
import { endpoint, type Services } from '../services.ts'

const page = { access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const
const ById = Type.Object({ id: Type.String() })
const Action = Type.Object({ id: Type.String(), action: Type.String() })
const choice = () => Type.Optional(Type.String({ maxLength: 200 }))

/** The pages that a payment processor would host, while the sandbox stands in for one. */
export const sandboxPages = [
  endpoint({
    ...page,
    method: 'GET',
    path: '/sandbox/checkout/:id',
    summary: 'Pay in the sandbox',
    params: ById,
    handle: async ({ params }, services) => toPage(await sandboxOf(services).checkoutPage(params.id)),
  }),
  endpoint({
    ...page,
    method: 'POST',
    path: '/sandbox/checkout/:id/:action',
    summary: 'What the buyer does',
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
    params: ById,
    handle: async ({ params }, services) => toPage(await sandboxOf(services).portalPage(params.id)),
  }),
  endpoint({
    ...page,
    method: 'POST',
    path: '/sandbox/portal/:id/:action',
    summary: 'What the customer, the shop or the bank does',
    params: Action,
    body: Type.Object({ id: choice() }),
    handle: async ({ params, body }, services) =>
      toPage(await sandboxOf(services).portalAction(params.id, params.action, body)),
  }),
]

function sandboxOf({ sandbox }: Services): Sandbox {
  if (sandbox === undefined) throw new ApiError('NOT_FOUND', 'There is no payment sandbox on this server')
  return sandbox
}

function toPage(outcome: Outcome): HtmlAnswer {
  if ('location' in outcome) return outcome
  return { html: outcome.html, status: outcome.isFound ? 200 : 404 }
}
