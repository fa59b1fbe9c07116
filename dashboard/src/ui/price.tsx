import { type ApiCall, queryOf } from '../api/api-call.ts'
import { mintick } from '../api/clients.ts'
import { useQuery } from '../api/query.ts'
import { formatCredits } from './format.ts'

/** Asks the service what a call would cost, and whether it would pass. The answer is free. */
export function usePrice(call: ApiCall) {
  const path = `${call.path}${queryOf(call)}`
  return useQuery({
    queryKey: ['cost', path],
    queryFn: ({ signal }) => mintick.account.cost({ path }, { signal }),
    staleTime: 300_000,
  })
}

/** Shows what a call would cost. */
export function Price({ call }: { call: ApiCall }) {
  const { data } = usePrice(call)
  if (data === undefined) return <span class="price">…</span>
  if (data.cost?.perMinute !== undefined)
    return <span class="price">{formatCredits(data.cost.perMinute)} a minute</span>
  return <span class="price">{data.credits === null ? 'not available' : formatCredits(data.credits)}</span>
}
