import type Stripe from 'stripe'
import type { Desk } from '../desk.ts'
import { payLater, payNow } from '../paying.ts'
import { nameOf } from '../prices.ts'
import { dollars } from '../wording.ts'
import { type Html, html, layout, notice, type Outcome, type Page } from './page.ts'

export async function checkoutPage(desk: Desk, id: string, problem?: string): Promise<Page> {
  const session = await desk.find('checkout.session', id)
  if (session === undefined) {
    return notice('No such checkout', 'This address belongs to no checkout of this sandbox.', undefined, false)
  }
  if (session.status === 'expired') {
    const back =
      session.cancel_url === null ? undefined : html`<p><a href="${session.cancel_url}">Back to the shop</a></p>`
    return notice('This checkout has expired', 'Nothing was paid. Start again where you came from.', back)
  }
  if (session.status === 'complete') {
    const text =
      session.payment_status === 'paid'
        ? 'It is paid. You can close this page.'
        : 'A transfer was ordered for it, and the money has not arrived.'
    return notice('This checkout is complete', text, html`<p><a href="${successUrl(session)}">Back to the shop</a></p>`)
  }
  return { html: await openPage(desk, session, problem), isFound: true }
}

export async function checkoutAction(
  desk: Desk,
  id: string,
  action: string,
  fields: Record<string, string>,
): Promise<Outcome> {
  const session = await desk.find('checkout.session', id)
  if (session === undefined || session.status === 'expired') return checkoutPage(desk, id)
  switch (action) {
    case 'pay':
      await payNow(desk, session, fields.renewals === 'fail' ? 'declined' : 'works')
      return { location: successUrl(session) }
    case 'pay-later':
      await payLater(desk, session, fields.transfer === 'fails' ? 'fails' : 'arrives')
      return { location: successUrl(session) }
    case 'cancel':
      return session.cancel_url === null ? checkoutPage(desk, id) : { location: session.cancel_url }
    case 'decline':
      return checkoutPage(desk, id, 'Your card was declined. Nothing was paid.')
    default:
      return notice('No such action', 'This page cannot do that.', undefined, false)
  }
}

const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)

async function openPage(desk: Desk, session: Stripe.Checkout.Session, problem: string | undefined): Promise<string> {
  const price = await desk.get('price', desk.notes(session).price ?? '')
  const name = await nameOf(desk, price)
  const isPlan = session.mode === 'subscription'
  const body = html`<h1>Checkout</h1>
${problem === undefined ? undefined : html`<p class="bad" role="alert">${problem}</p>`}
<section>
<h2>${name}</h2>
<p class="price">${dollars(session.amount_total ?? 0)}${isPlan ? html` <span class="soft">per month</span>` : undefined}</p>
<p class="soft">${session.customer_details?.email ?? ''}</p>
</section>
<section>
${form(desk, session, 'pay', html`${isPlan ? renewals : undefined}<button class="main">Pay ${dollars(session.amount_total ?? 0)}</button>`)}
</section>
<section class="wide">
<h2>Pay later</h2>
<p class="soft">A bank transfer: the order is placed now, and the money arrives a few minutes later, or does not.</p>
${form(desk, session, 'pay-later', html`<input type="hidden" name="transfer" value="arrives"><button>Pay later</button>`)}
${form(desk, session, 'pay-later', html`<input type="hidden" name="transfer" value="fails"><button>Pay later, and the transfer fails</button>`)}
</section>
<section class="wide">
<h2>Do not pay</h2>
${form(desk, session, 'decline', html`<button>Decline: pay with a card that is refused</button>`)}
${session.cancel_url === null ? undefined : form(desk, session, 'cancel', html`<button>Cancel and go back</button>`)}
</section>`
  return layout('Checkout', body)
}

const renewals = html`<fieldset><legend>When the plan renews</legend>
<label><input type="radio" name="renewals" value="work" checked> the card works</label>
<label><input type="radio" name="renewals" value="fail"> the card is declined</label>
</fieldset>`

function form(desk: Desk, session: Stripe.Checkout.Session, action: string, inner: Html): Html {
  const { pathname } = new URL(`${desk.publicUrl}/sandbox/checkout/${session.id}/${action}`)
  return html`<form class="wide" method="post" action="${pathname}">${inner}</form>`
}
