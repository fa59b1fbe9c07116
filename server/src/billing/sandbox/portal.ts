import type Stripe from 'stripe'
import type { Desk } from './desk.ts'
import { newId } from './objects.ts'

const OPEN_SECONDS = 24 * 60 * 60

export async function createPortalSession(
  desk: Desk,
  params: { customer: string; return_url: string | undefined },
): Promise<Stripe.BillingPortal.Session> {
  const customer = await desk.get('customer', params.customer, 'customer')
  const id = newId('bps')
  return desk.add<Stripe.BillingPortal.Session>({
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: desk.now,
    customer: customer.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${desk.publicUrl}/sandbox/portal/${id}`,
  })
}

/** The session, for as long as it may be used. */
export async function findPortalSession(desk: Desk, id: string): Promise<Stripe.BillingPortal.Session | undefined> {
  const session = await desk.find('billing_portal.session', id)
  return session !== undefined && desk.now < session.created + OPEN_SECONDS ? session : undefined
}
