import type Stripe from 'stripe'
import { payByCard, payByTransfer } from '../checkout-payments.ts'
import { formatDollars } from '../format.ts'
import { productName } from '../prices.ts'
import type { SandboxTransaction } from '../transaction.ts'
import { type ActionResult, type HostedPage, renderNotice, renderPage } from './layout.ts'
import { type Markup, markup } from './markup.ts'

export async function checkoutPage(tx: SandboxTransaction, id: string, problem?: string): Promise<HostedPage> {
  const session = await tx.find('checkout.session', id)
  if (session === undefined) {
    return renderNotice('No such checkout', 'The sandbox has no checkout with this address.', undefined, false)
  }
  if (session.status === 'expired') {
    const back =
      session.cancel_url === null ? undefined : markup`<p><a href="${session.cancel_url}">Back to the shop</a></p>`
    return renderNotice('This checkout has expired', 'Nothing was paid. Go back to the shop to start again.', back)
  }
  if (session.status === 'complete') {
    const text =
      session.payment_status === 'paid'
        ? 'It is paid. You can close this page.'
        : 'It is paid by bank transfer, and the money has not arrived.'
    return renderNotice(
      'This checkout is complete',
      text,
      markup`<p><a href="${successUrl(session)}">Back to the shop</a></p>`,
    )
  }
  return { html: await openPage(tx, session, problem), isFound: true }
}

export async function checkoutAction(
  tx: SandboxTransaction,
  id: string,
  action: string,
  fields: Record<string, string>,
): Promise<ActionResult> {
  const session = await tx.find('checkout.session', id)
  if (session === undefined || session.status === 'expired') return checkoutPage(tx, id)
  switch (action) {
    case 'pay':
      await payByCard(tx, session, fields.renewals === 'fail' ? 'declined' : 'works')
      return { location: successUrl(session) }
    case 'pay-later':
      await payByTransfer(tx, session, fields.transfer === 'fails' ? 'fails' : 'arrives')
      return { location: successUrl(session) }
    case 'cancel':
      return session.cancel_url === null ? checkoutPage(tx, id) : { location: session.cancel_url }
    case 'decline':
      return checkoutPage(tx, id, 'Your card was declined. Nothing was paid.')
    default:
      return renderNotice('No such action', 'This page cannot do that.', undefined, false)
  }
}

const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)

async function openPage(
  tx: SandboxTransaction,
  session: Stripe.Checkout.Session,
  problem: string | undefined,
): Promise<string> {
  const price = await tx.get('price', tx.notes(session).price ?? '')
  const name = await productName(tx, price)
  const isPlan = session.mode === 'subscription'
  const body = markup`<h1>Checkout</h1>
${problem === undefined ? undefined : markup`<p class="bad" role="alert">${problem}</p>`}
<section>
<h2>${name}</h2>
<p class="price">${formatDollars(session.amount_total ?? 0)}${isPlan ? markup` <span class="soft">per month</span>` : undefined}</p>
<p class="soft">${session.customer_details?.email ?? ''}</p>
</section>
<section>
${form(tx, session, 'pay', markup`${isPlan ? renewals : undefined}<button class="main">Pay ${formatDollars(session.amount_total ?? 0)}</button>`)}
</section>
<section class="wide">
<h2>Pay later</h2>
<p class="soft">Pay by bank transfer: the order is placed now, and the money arrives a few minutes later or not at all.</p>
${form(tx, session, 'pay-later', markup`<input type="hidden" name="transfer" value="arrives"><button>Pay later</button>`)}
${form(tx, session, 'pay-later', markup`<input type="hidden" name="transfer" value="fails"><button>Pay later, and the transfer fails</button>`)}
</section>
<section class="wide">
<h2>Do not pay</h2>
${form(tx, session, 'decline', markup`<button>Decline: pay with a card that is refused</button>`)}
${session.cancel_url === null ? undefined : form(tx, session, 'cancel', markup`<button>Cancel and go back</button>`)}
</section>`
  return renderPage('Checkout', body)
}

const renewals = markup`<fieldset><legend>When the plan renews</legend>
<label><input type="radio" name="renewals" value="work" checked> the card works</label>
<label><input type="radio" name="renewals" value="fail"> the card is declined</label>
</fieldset>`

function form(tx: SandboxTransaction, session: Stripe.Checkout.Session, action: string, inner: Markup): Markup {
  const { pathname } = new URL(`${tx.pagesUrl}/checkout/${session.id}/${action}`)
  return markup`<form class="wide" method="post" action="${pathname}">${inner}</form>`
}
