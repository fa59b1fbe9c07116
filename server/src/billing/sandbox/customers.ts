import type Stripe from 'stripe'
import type { Desk } from './desk.ts'
import { newId } from './objects.ts'

export async function createCustomer(
  desk: Desk,
  params: { email: string | undefined; name: string | undefined; metadata: Stripe.Metadata | undefined },
): Promise<Stripe.Customer> {
  const id = newId('cus')
  return desk.add<Stripe.Customer>(
    {
      id,
      object: 'customer',
      address: null,
      balance: 0,
      created: desk.now,
      currency: null,
      customer_account: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: params.email ?? null,
      invoice_prefix: id.slice(-8).toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: params.metadata ?? {},
      name: params.name ?? null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    },
    { card: 'works' },
  )
}

/** Whether the card of the customer works from now on: what the holder of a card finds out when it is charged. */
export async function setCard(desk: Desk, customer: string, card: 'works' | 'declined'): Promise<void> {
  desk.note(await desk.get('customer', customer), { card })
}

export async function doesCardWork(desk: Desk, customer: string): Promise<boolean> {
  return desk.notes(await desk.get('customer', customer)).card !== 'declined'
}
