import { pino } from 'pino'
import { openAccount } from '../src/admission/open-account.ts'
import { planRules } from '../src/billing/plan-rules.ts'
import { readConfig } from '../src/config.ts'
import { createMintick } from '../src/main.ts'
import type { Place } from './harness.ts'

export const NO_LIMITS = {
  requestsPerMinute: 1e9,
  requestsPerHour: 1e9,
  requestsPerDay: 1e9,
  burst: 1e9,
  realtimeConnections: 1e6,
}

/** Opens an account without rate limits at a running service, through the admin API. */
export async function openAccountOver(
  url: string,
  adminToken: string,
  credits = 1e9,
): Promise<{ id: string; key: string }> {
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${adminToken}` }
    const response = await fetch(`${url}/admin${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: { account: { id: string }; apiKey: string } }).data
  }
  const email = `unlimited-${process.pid}-${performance.now()}@test.example`
  const { account, apiKey } = await send('POST', '/accounts', { email, plan: 'custom', credits })
  await send('PATCH', `/accounts/${account.id}`, { overrides: NO_LIMITS })
  return { id: account.id, key: apiKey }
}

/** Opens an account without rate limits on the store of a place. No service may run on it. */
export async function openAccountIn({ env }: Place, credits: number): Promise<{ id: string; key: string }> {
  const mintick = await createMintick(readConfig(env), { log: pino({ level: 'silent' }) })
  const { store, clock, pepper } = mintick
  const opened = await openAccount(
    { email: 'unlimited@test.example', name: null, planSlug: 'custom', credits },
    { store, clock, pepper },
  )
  if (opened === undefined) throw new Error('the account was not opened')
  await store.accounts.update(opened.account.id, { overrides: NO_LIMITS }, planRules(clock.now()))
  await mintick.close()
  return { id: opened.account.id, key: opened.apiKey }
}
