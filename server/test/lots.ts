import type { LotKind } from '../src/model/accounts.ts'
import type { Store } from '../src/store/store.ts'

/** Returns the credits that an account has left, by their origin. */
export async function creditsByKind({ ledger }: Pick<Store, 'ledger'>, accountId: string) {
  const sums: Partial<Record<LotKind, number>> = {}
  for (const { kind, remaining } of await ledger.listLots(accountId)) sums[kind] = (sums[kind] ?? 0) + remaining
  return sums
}
