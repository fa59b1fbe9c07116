import { type ApiCall, queryOf } from './api-call.ts'
import { runsAtOnce } from './preferences.ts'
import { queries, useQuery } from './query.ts'
import { type AnswerOf, send } from './send.ts'

const KEPT_MS = 1_800_000

function optionsOf<Method extends string>(call: ApiCall<Method>) {
  return {
    queryKey: ['paid', call.path, queryOf(call)],
    queryFn: ({ signal }: { signal: AbortSignal }) => send(call, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  }
}

/** Makes a call that costs credits, also again. */
export function runPaid(call: ApiCall): void {
  queries.fetchQuery({ ...optionsOf(call), staleTime: 0 }).catch(() => undefined)
}

/** Makes a call that costs credits unless its answer is still kept. */
export function showPaid(call: ApiCall): void {
  queries.fetchQuery(optionsOf(call)).catch(() => undefined)
}

/**
 * Reads data with a call that costs credits, once the reader has asked for it with `run`. An answer is kept: to come back
 * to a view costs nothing.
 */
export function usePaidQuery<Method extends string>(call: ApiCall<Method>, { isReady = true } = {}) {
  const query = useQuery<AnswerOf<Method>>({
    ...optionsOf(call),
    enabled: isReady && runsAtOnce.value === 'yes',
    // A refused call is repeated only when the reader asks for it.
    retryOnMount: false,
  })
  return {
    call,
    query,
    /** Whether the call was made, whatever came of it. */
    isAsked: query.isFetching || query.isFetched,
    run: () => runPaid(call),
  }
}

export type PaidQuery = Pick<ReturnType<typeof usePaidQuery>, 'call' | 'isAsked' | 'run'> & {
  query: { isFetching: boolean }
}
