import type { Account } from '../model/accounts.ts'
import type { Store } from '../store/store.ts'
import { type PaymentProcessor, UnknownCustomer } from './processor.ts'

/** Runs `work` with the account's customer id at the processor, creating the customer if needed. */
export async function withCustomer<T>(
  account: Account,
  { store, processor }: { store: Store; processor: PaymentProcessor },
  work: (customerId: string) => Promise<T>,
): Promise<T> {
  const create = async (previous: string | null) =>
    store.accounts.setCustomer(account.id, await processor.createCustomer(account), previous)
  const customerId = account.customerId ?? (await create(null))
  try {
    return await work(customerId)
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error
    return work(await create(customerId))
  }
}
