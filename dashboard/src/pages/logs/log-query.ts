import { keepPreviousData } from '@tanstack/query-core'
import type { AccountUsage, ListAccountLogsParams } from 'mintick-client'
import { useRef } from 'preact/hooks'
import { dashboardKeyId } from '../../api/account.ts'
import { mintick } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'

const PAGE_ROWS = 50
const [SOON_MS, LATE_MS] = [3_000, 20_000]
/** After a refusal, such as by the rate limit. */
const REFUSED_MS = 60_000

/** The view of the log, as in the address of the page. */
export interface LogView {
  key?: string
  status?: string
  /** A path, or an endpoint such as GET /entries/:id. */
  path?: string
  from?: string
  to?: string
  /** Whether the dashboard's own calls are shown. */
  dashboard?: string
  offset?: string
  /** Id of the request whose details are shown. */
  request?: string
  view?: string
}

/** Statuses that the service answers with; the log has no 429. */
export const STATUSES = {
  succeeded: [101, 200, 304],
  errors: [400, 401, 402, 403, 404, 500, 503],
} as const

/** Returns the filters of a view as parameters. */
export function paramsOf(
  { key, status, path, from, to, dashboard }: LogView,
  usage: AccountUsage,
): ListAccountLogsParams {
  const own = dashboard === 'yes' || key !== undefined ? undefined : dashboardKeyId(usage)
  const isEndpoint = path !== undefined && /^[A-Z]+ \//.test(path)
  return {
    apiKeyId: key,
    excludeApiKeyId: own,
    statusCode: status === undefined ? undefined : (STATUSES[status as keyof typeof STATUSES] ?? [Number(status)]),
    route: isEndpoint ? path : undefined,
    path: path === undefined || isEndpoint ? undefined : fullPath(path),
    createdAfter: from,
    createdBefore: to,
  }
}

const fullPath = (path: string) =>
  path.startsWith('/api/') ? path : `/api/v1${path.startsWith('/') ? '' : '/'}${path}`

/** Returns whether new requests belong at the top of the view. */
export const isLatest = ({ offset, to }: LogView) =>
  offset === undefined && (to === undefined || Date.parse(to) > Date.now())

/**
 * Reads a page of the log. A live one is read again and again: soon while requests arrive, later while none do, and not while
 * nobody looks.
 */
export function useLogs(view: LogView, usage: AccountUsage, isLive: boolean) {
  const params = { ...paramsOf(view, usage), limit: PAGE_ROWS, offset: Number(view.offset ?? 0) }
  const tail = useRef({ newest: '', waitMs: SOON_MS })
  return useQuery({
    queryKey: ['logs', 'page', params],
    queryFn: async ({ signal }) => {
      const { data, meta } = await mintick.account.logs(params, { signal })
      const newest = data[0]?.id ?? ''
      const hasNew = newest !== tail.current.newest
      tail.current = { newest, waitMs: hasNew ? SOON_MS : Math.min(tail.current.waitMs * 1.5, LATE_MS) }
      return { data, meta }
    },
    refetchInterval: ({ state }) => isLive && (state.error === null ? tail.current.waitMs : REFUSED_MS),
    refetchOnWindowFocus: isLive,
    staleTime: 1_000,
    placeholderData: keepPreviousData,
  })
}
