import type Stripe from 'stripe'
import { DAY_SECONDS } from './clock.ts'
import { getCustomer } from './customers.ts'
import { newId } from './objects.ts'
import { type ParamsOf, param, required } from './params.ts'
import type { SandboxTransaction } from './transaction.ts'

export const CREATE_PORTAL_SESSION = { customer: required(param.string), return_url: param.url }

export async function createPortalSession(
  tx: SandboxTransaction,
  params: ParamsOf<typeof CREATE_PORTAL_SESSION>,
): Promise<Stripe.BillingPortal.Session> {
  const customer = await getCustomer(tx, params.customer, 'customer')
  const id = newId('bps')
  return tx.add<Stripe.BillingPortal.Session>({
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: tx.now,
    customer: customer.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${tx.pagesUrl}/portal/${id}`,
  })
}

/** Returns the session if it is less than a day old. */
export async function findPortalSession(
  tx: SandboxTransaction,
  id: string,
): Promise<Stripe.BillingPortal.Session | undefined> {
  const session = await tx.find('billing_portal.session', id)
  return session !== undefined && tx.now < session.created + DAY_SECONDS ? session : undefined
}
