import type { Account, ApiKey } from '../model/accounts.ts'
import type { Plan } from '../plans/plans.ts'

/** Who is calling: what a key resolves to (spec 5.3). */
export interface Caller {
  key: ApiKey
  account: Account
  plan: Plan
}
