import type Stripe from 'stripe'
import { getCustomer } from './customers.ts'
import type { SandboxObject } from './objects.ts'
import { endSubscription } from './subscriptions.ts'
import type { SandboxTransaction } from './transaction.ts'

/** Deletes a customer and ends its subscriptions. Unlike Stripe's, its payments and events no longer show who paid. */
export async function deleteCustomer(tx: SandboxTransaction, id: string): Promise<Stripe.DeletedCustomer> {
  const customer = await getCustomer(tx, id)
  for (const subscription of await tx.listAll('subscription', { customer: id })) {
    if (subscription.status !== 'canceled') await endSubscription(tx, subscription, 'cancellation_requested')
  }
  tx.setNotes(customer, { isDeleted: true })
  for (const object of await tx.listNaming(id)) anonymise(object)
  await tx.removeResponsesNaming(id)
  return { id, object: 'customer', deleted: true }
}

function anonymise(object: SandboxObject): void {
  switch (object.object) {
    case 'customer':
      Object.assign(object, { email: null, name: null })
      break
    case 'checkout.session':
      if (object.customer_details !== null) Object.assign(object.customer_details, { email: null, name: null })
      break
    case 'invoice':
      Object.assign(object, { customer_email: null, customer_name: null })
      break
    case 'event':
      anonymise(object.data.object as SandboxObject)
  }
}
