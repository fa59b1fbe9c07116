import Type from 'typebox'
import { HTML_ANSWER, type HtmlAnswer, htmlPage } from '../../http/html-page.ts'
import * as param from '../../http/params.ts'
import { creditsText } from '../../model/credits-text.ts'
import { ApiError } from '../../model/errors.ts'
import { html } from '../../model/html.ts'
import { isPlanSlug, PLANS } from '../../plans/plans.ts'
import { endpoint, type Services } from '../services.ts'

export const SUCCESS_PATH = '/checkout/success'
export const CANCELLED_PATH = '/checkout/cancelled'
export const DONE_PATH = '/checkout/done'

const page = { method: 'GET', access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const

/** Pages to which buyers return from the payment processor. */
export const returnPages = [
  endpoint({
    ...page,
    path: SUCCESS_PATH,
    summary: 'After a payment',
    query: Type.Object({ session_id: param.text('Id of the checkout session') }),
    handle: ({ query }, services) => successPage(query.session_id ?? '', services),
  }),
  endpoint({
    ...page,
    path: CANCELLED_PATH,
    summary: 'After a cancelled payment',
    handle: () => ({
      html: htmlPage(
        'Nothing was bought',
        html`<p>You left the payment page, and nothing was charged. You can close this page.</p>
${wayBack()}`,
      ),
    }),
  }),
  endpoint({
    ...page,
    path: DONE_PATH,
    summary: 'After the portal',
    handle: () => ({
      html: htmlPage(
        'All set',
        html`<p>You can close this page.</p>
${wayBack()}`,
      ),
    }),
  }),
]

/** Checks the payment now: the buyer may arrive before the webhook does. */
async function successPage(sessionId: string, { billing, store }: Services): Promise<HtmlAnswer> {
  const checkout = await store.checkouts.findBySession(sessionId)
  // Unknown sessions are not passed on to the processor.
  if (billing === undefined || checkout === undefined) throw new ApiError('NOT_FOUND', 'No such payment')
  const session = checkout.status === 'paid' ? checkout : await billing.fulfilment.syncCheckout(sessionId)
  switch (session?.status) {
    case 'paid':
      return {
        html: htmlPage(
          'Thank you',
          html`${checkout.planSlug === null ? await packText(sessionId, store) : planText(checkout.planSlug)}
${wayBack(sessionId)}`,
        ),
      }
    case 'processing':
      return {
        html: htmlPage(
          'Your payment is on its way',
          html`<p>Your purchase is added to your account once the payment arrives. You can close this page.</p>
${wayBack(sessionId)}`,
        ),
      }
    case 'failed':
      return {
        html: htmlPage(
          'The payment failed',
          html`<p>Nothing was bought. You can close this page and try again.</p>
${wayBack(sessionId)}`,
        ),
      }
    default:
      return { html: htmlPage('Nothing was paid yet', html`<p>Go back to the payment, or close this page.</p>`) }
  }
}

async function packText(sessionId: string, store: Services['store']) {
  const purchase = await store.purchases.find(sessionId)
  if (purchase === undefined) throw new Error(`session ${sessionId} is paid but not fulfilled`)
  const balance = await store.ledger.balance(purchase.accountId)
  return html`<p>${creditsText(purchase.credits)} were added to your account.</p>
<p>Its balance is now <strong>${creditsText(balance)}</strong>. You can close this page.</p>`
}

function planText(slug: string) {
  const name = isPlanSlug(slug) ? PLANS[slug].name : slug
  return html`<p>The <strong>${name}</strong> plan is paid and its credits were added. You can close this page.</p>`
}

/** Leads to the dashboard, which tells the outcome of the checkout: the buyer may have come from there. */
function wayBack(sessionId?: string) {
  const query = sessionId === undefined ? '' : `?checkout=${encodeURIComponent(sessionId)}`
  return html`<p><a href="/dashboard/billing${query}">Go to your dashboard</a></p>`
}
