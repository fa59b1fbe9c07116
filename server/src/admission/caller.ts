import type { Account, ApiKey } from '../model/accounts.ts'
import type { Plan } from '../plans/plans.ts'

/** Key with its account and plan (spec 5.3). */
export interface Caller {
  key: ApiKey
  account: Account
  plan: Plan
  /** Address of the client; known for streams, which end when their key no longer allows it. */
  address?: string | undefined
}
