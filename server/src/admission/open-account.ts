import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Account, LotKind } from '../model/accounts.ts'
import { periodAt } from '../plans/period.ts'
import { PLANS, type PlanSlug } from '../plans/plans.ts'
import type { Store } from '../store/store.ts'
import { DEMO_KEY, keptKey, mintKey } from './key.ts'

interface OpenAccount {
  email: string | null
  name: string | null
  planSlug: PlanSlug
  /** Exact opening balance, instead of the plan's signup and monthly credits. */
  credits?: number | undefined
}

interface Services {
  store: Store
  clock: Clock
  pepper: string
}

/** Opens an account with its first key. Returns undefined if the email is taken. */
export async function openAccount(
  { email, name, planSlug, credits }: OpenAccount,
  { store, clock, pepper }: Services,
): Promise<{ account: Account; apiKey: string } | undefined> {
  const now = clock.now()
  const { secret, kept } = mintKey(pepper, { name: 'First key', expiresAt: null, createdAt: now })
  const account = await store.accounts.open(
    newAccount(now, { id: randomUUID(), email, name, planSlug, isDemo: false }),
    kept,
    credits === undefined ? planGrants(planSlug) : [grant('adjustment', credits, 'Opening balance')],
  )
  return account && { account, apiKey: secret }
}

const DEMO_ACCOUNT_ID = '00000000-0000-4000-8000-00000000de30'

/** Opens the shared demo account if needed and returns its id. Its pool is filled hourly. */
export async function openDemoAccount({ store, clock, pepper }: Services): Promise<string> {
  if ((await store.accounts.find(DEMO_ACCOUNT_ID)) !== undefined) return DEMO_ACCOUNT_ID
  const now = clock.now()
  await store.accounts.open(
    newAccount(now, { id: DEMO_ACCOUNT_ID, email: null, name: 'Demo', planSlug: 'free', isDemo: true }),
    keptKey(DEMO_KEY, pepper, { name: 'Demo', expiresAt: null, createdAt: now }),
    [],
  )
  return DEMO_ACCOUNT_ID
}

export function newAccount(now: number, account: Pick<Account, 'id' | 'email' | 'name' | 'planSlug' | 'isDemo'>) {
  return { ...account, overrides: {}, periodAnchor: now, nextPeriodAt: periodAt(now, now).end, createdAt: now }
}

/** Returns the signup and monthly credits of a plan. */
export function planGrants(planSlug: PlanSlug) {
  const { name, signupCredits, monthlyCredits } = PLANS[planSlug]
  return [
    grant('signup', signupCredits ?? 0, 'Signup credits'),
    grant('monthly', monthlyCredits ?? 0, `Monthly credits of the ${name} plan`),
  ].filter(({ credits }) => credits > 0)
}

function grant(lot: LotKind, credits: number, description: string) {
  return { lot, credits, description }
}
