import type Stripe from 'stripe'
import { missingObject } from './errors.ts'
import { newId } from './objects.ts'
import { type ParamsOf, param } from './params.ts'
import type { SandboxTransaction } from './transaction.ts'

export const CREATE_CUSTOMER = { email: param.email, name: param.stringUpTo(256), metadata: param.metadata }

export async function createCustomer(
  tx: SandboxTransaction,
  params: ParamsOf<typeof CREATE_CUSTOMER>,
): Promise<Stripe.Customer> {
  const id = newId('cus')
  return tx.add<Stripe.Customer>(
    {
      id,
      object: 'customer',
      address: null,
      balance: 0,
      created: tx.now,
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

/** Throws if there is no such customer or it is deleted; `param` is the parameter that holds the id, if it is not in the URL. */
export async function getCustomer(tx: SandboxTransaction, id: string, param?: string): Promise<Stripe.Customer> {
  const customer = await tx.get('customer', id, param)
  if (tx.notes(customer).isDeleted) throw missingObject('customer', id, param)
  return customer
}

/** Returns a customer, or of a deleted one only its id. */
export async function retrieveCustomer(
  tx: SandboxTransaction,
  id: string,
): Promise<Stripe.Customer | Stripe.DeletedCustomer> {
  const customer = await tx.get('customer', id)
  return tx.notes(customer).isDeleted ? { id, object: 'customer', deleted: true } : customer
}

/** Decides whether the customer's next card payments succeed. */
export async function setCard(tx: SandboxTransaction, customer: string, card: 'works' | 'declined'): Promise<void> {
  tx.setNotes(await tx.get('customer', customer), { card })
}

export async function doesCardWork(tx: SandboxTransaction, customer: string): Promise<boolean> {
  return tx.notes(await tx.get('customer', customer)).card !== 'declined'
}
