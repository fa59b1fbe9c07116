import Type from 'typebox'
import { HTML_ANSWER, type HtmlAnswer, htmlPage } from '../../http/html-page.ts'
import * as param from '../../http/params.ts'
import { ApiError } from '../../model/errors.ts'
import { html } from '../../model/html.ts'
import { isPlanSlug, PLANS } from '../../plans/plans.ts'
import { endpoint, type Services } from '../services.ts'

export const SUCCESS_PATH = '/checkout/success'
export const CANCELLED_PATH = '/checkout/cancelled'
export const DONE_PATH = '/checkout/done'

const page = { method: 'GET', access: 'open', cost: { credits: 0 }, returns: 'html', data: HTML_ANSWER } as const

/** Where buyers come back to from the pages of the payment processor. */
export const returnPages = [
  endpoint({
    ...page,
    path: SUCCESS_PATH,
    summary: 'After a payment',
    query: Type.Object({ session_id: param.text('The session that was paid') }),
    handle: ({ query }, services) => successPage(query.session_id ?? '', services),
  }),
  endpoint({
    ...page,
    path: CANCELLED_PATH,
    summary: 'After a payment was not made',
    handle: () => ({
      html: htmlPage(
        'Nothing was bought',
        html`<p>You left the payment, and nothing was charged. You can close this page.</p>`,
      ),
    }),
  }),
  endpoint({
    ...page,
    path: DONE_PATH,
    summary: 'After the portal',
    handle: () => ({ html: htmlPage('All set', html`<p>You can close this page.</p>`) }),
  }),
]

/** Whoever comes here may be faster than the message about the payment, so it is looked at right now. */
async function successPage(sessionId: string, { billing, store }: Services): Promise<HtmlAnswer> {
  const begun = await store.checkouts.findBySession(sessionId)
  // Only sessions of our own are asked for at the processor.
  if (billing === undefined || begun === undefined) throw new ApiError('NOT_FOUND', 'There is no such payment')
  const session = begun.status === 'paid' ? begun : await billing.fulfilment.syncCheckout(sessionId)
  switch (session?.status) {
    case 'paid':
      return {
        html: htmlPage(
          'Thank you',
          begun.planSlug === null ? await soldPack(sessionId, store) : soldPlan(begun.planSlug),
        ),
      }
    case 'processing':
      return {
        html: htmlPage(
          'Your payment is on its way',
          html`<p>Once it has arrived, what you bought is added to your account. You can close this page.</p>`,
        ),
      }
    case 'failed':
      return {
        html: htmlPage('The payment failed', html`<p>Nothing was bought. You can close this page and try again.</p>`),
      }
    default:
      return { html: htmlPage('Nothing was paid yet', html`<p>Go back to the payment, or close this page.</p>`) }
  }
}

async function soldPack(sessionId: string, store: Services['store']) {
  const purchase = await store.purchases.find(sessionId)
  if (purchase === undefined) throw new Error(`session ${sessionId} is paid but was not fulfilled`)
  const balance = await store.ledger.balance(purchase.accountId)
  return html`<p>${count(purchase.credits)} credits were added to your account.</p>
<p>Its balance is now <strong>${count(balance)} credits</strong>. You can close this page.</p>`
}

function soldPlan(slug: string) {
  const name = isPlanSlug(slug) ? PLANS[slug].name : slug
  return html`<p>The <strong>${name}</strong> plan is paid, and its credits were added. You can close this page.</p>`
}

const count = (credits: number) => credits.toLocaleString('en-US')
