import { ENDPOINTS } from 'mintick:reference'
import type { AccountCost } from 'mintick-client'
import { type ApiCall, queryOf } from '../api/api-call.ts'
import { mintick } from '../api/clients.ts'
import { queries, useQuery } from '../api/query.ts'
import { formatCredits } from './format.ts'

const FRESH_MS = 300_000

export interface Costs {
  /** Undefined if the plan does not include one of the calls: without filters, nothing else is refused without a price. */
  credits: number | undefined
  perMinute: number
  /** The error with which the first refused call would be answered. */
  error: NonNullable<AccountCost['error']> | undefined
}

/**
 * Asks the service what calls would cost, and whether they would pass. The answer is free but counts towards the rate limits, so it is
 * asked for once per endpoint: only one parameter changes the price.
 */
export function usePrice(calls: readonly ApiCall[]) {
  const priced = calls.map(withoutFilters)
  return useQuery<Costs>({
    queryKey: ['costs', ...priced.map(keyOf)],
    queryFn: async () => sumOf(await Promise.all(priced.map(costOf))),
    staleTime: FRESH_MS,
  })
}

function withoutFilters({ params = {}, ...call }: ApiCall): ApiCall {
  const dearer = ENDPOINTS[call.path]?.dearer
  const value = dearer === undefined ? undefined : params[dearer]
  return { ...call, params: dearer === undefined ? {} : { [dearer]: value ? 'x' : undefined } }
}

/** Names a price: records of one kind have the same. */
const keyOf = (call: ApiCall) => `${call.method}${queryOf(call)}`

function costOf(call: ApiCall): Promise<AccountCost> {
  return queries.fetchQuery({
    queryKey: ['cost', keyOf(call)],
    queryFn: ({ signal }) => mintick.account.cost({ path: `${call.path}${queryOf(call)}` }, { signal }),
    staleTime: FRESH_MS,
  })
}

const sumOf = (costs: readonly AccountCost[]): Costs => ({
  credits: costs.some(({ credits }) => credits === null)
    ? undefined
    : costs.reduce((sum, { credits }) => sum + (credits ?? 0), 0),
  perMinute: costs.reduce((sum, { cost }) => sum + (cost?.perMinute ?? 0), 0),
  error: costs.find(({ error }) => error !== null)?.error ?? undefined,
})

/** Shows what calls would cost together. */
export function Price({ of }: { of: readonly ApiCall[] }) {
  const { data } = usePrice(of)
  if (data === undefined) return <span class="price">…</span>
  if (data.credits === undefined) return <span class="price">not in your plan</span>
  if (data.perMinute > 0) return <span class="price">{formatCredits(data.perMinute)} a minute</span>
  return <span class="price">{formatCredits(data.credits)}</span>
}
