import {
  MutationObserver,
  type MutationObserverOptions,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { ApiError } from 'mintick-client'
import { useEffect, useMemo, useState } from 'preact/hooks'

export const queries = new QueryClient({
  defaultOptions: {
    // The client repeats what may be repeated; a 401 is repeated here, with a new token.
    queries: {
      // A call without a connection fails, and says so, instead of waiting for one.
      networkMode: 'always',
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retryDelay: 0,
      retry: (count, error) => count < 1 && error instanceof ApiError && error.status === 401,
    },
  },
})
queries.mount()

type Options<T> = Omit<QueryObserverOptions<T, Error>, 'queryKey'> & { queryKey: QueryKey }

/** Reads data into a component, which is rendered again when the data changes. */
export function useQuery<T>(options: Options<T>): QueryObserverResult<T, Error> {
  const [observer] = useState(() => new QueryObserver<T, Error>(queries, options))
  const [, setResult] = useState<unknown>()
  useEffect(() => observer.subscribe(setResult), [observer])
  useEffect(() => observer.setOptions(options))
  return observer.getOptimisticResult(queries.defaultQueryOptions(options))
}

/** Makes a change; afterwards the queries whose keys start with one of `changes` are read again. */
export function useMutation<T, V = void>(
  run: (value: V) => Promise<T>,
  {
    changes = [],
    ...options
  }: { changes?: QueryKey[] } & Omit<MutationObserverOptions<T, Error, V>, 'mutationFn'> = {},
) {
  const observer = useMemo(() => new MutationObserver<T, Error, V>(queries, {}), [])
  const [result, setResult] = useState(() => observer.getCurrentResult())
  useEffect(() => observer.subscribe(setResult), [observer])
  observer.setOptions({
    ...options,
    mutationFn: run,
    async onSettled(...args) {
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })))
      await options.onSettled?.(...args)
    },
  })
  return {
    ...result,
    /** Starts the change; a failure is in `error`. */
    run: (value: V) => {
      observer.mutate(value).catch(() => undefined)
    },
  }
}
