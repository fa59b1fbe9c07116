import { useState } from 'preact/hooks'
import { type ApiCall, queryOf } from './api-call.ts'
import { runsAtOnce } from './preferences.ts'
import { queries, useQuery } from './query.ts'

/**
 * Reads data with a call that costs credits, once the reader has asked for it with `run`. An answer is kept: to come back
 * to a view costs nothing.
 */
export function usePaidQuery<T>(call: ApiCall, read: (signal: AbortSignal) => PromiseLike<T>) {
  const queryKey = ['paid', call.path, queryOf(call)]
  const name = queryKey.join(' ')
  const [asked, setAsked] = useState<string>()
  const isAsked = asked === name || runsAtOnce.value === 'yes' || queries.getQueryData(queryKey) !== undefined
  const query = useQuery<T>({
    queryKey,
    queryFn: async ({ signal }) => read(signal),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 1_800_000,
  })
  return {
    call,
    query,
    isAsked,
    /** Makes the call, also again. */
    run: () => {
      if (isAsked) void query.refetch()
      else setAsked(name)
    },
  }
}
