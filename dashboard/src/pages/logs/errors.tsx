import type { AccountLog, AccountUsage } from 'mintick-client'
import { mintick } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { useAddress } from '../../ui/address.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { type LogView, paramsOf, STATUSES } from './log-query.ts'
import { StatusBadge } from './request-panel.tsx'

const GROUPED_ROWS = 100

interface ErrorGroup {
  /** The newest of the group. */
  latest: AccountLog
  count: number
}

/** The newest errors, grouped by kind and endpoint. */
export function Errors({ view, usage }: { view: LogView; usage: AccountUsage }) {
  const { linkTo } = useAddress()
  const params = { ...paramsOf(view, usage), limit: GROUPED_ROWS }
  const statusCode = STATUSES.errors.filter(
    (code) => params.statusCode === undefined || [params.statusCode].flat().includes(code),
  )
  const errors = useQuery({
    queryKey: ['logs', 'errors', params],
    queryFn: async ({ signal }) => {
      const { data, meta } = await mintick.account.logs({ ...params, statusCode }, { signal })
      return { groups: groupsOf(data), totalCount: meta.totalCount, count: data.length }
    },
    enabled: statusCode.length > 0,
  })
  const { rateLimited } = usage.requests
  return (
    <Card title="Errors by kind and endpoint">
      {rateLimited > 0 && (
        <p class="notice">
          {formatNumber(rateLimited)} requests of this month were refused by the rate limit (429). The log does not list
          them.
        </p>
      )}
      {statusCode.length === 0 ? (
        <Empty title="Requests with this status are no errors." />
      ) : (
        <Loaded of={errors}>
          {({ groups, totalCount, count }) =>
            groups.length === 0 ? (
              <Empty title="There are no errors here." />
            ) : (
              <>
                <DataTable
                  caption="Errors by kind and endpoint"
                  rows={groups}
                  keyOf={({ latest }) => latest.id}
                  columns={[
                    { title: 'Error', cell: ({ latest }) => <StatusBadge of={latest} /> },
                    {
                      title: 'Endpoint',
                      cell: ({ latest }) => <code>{latest.route ?? `${latest.method} ${latest.path}`}</code>,
                    },
                    { title: 'Last', cell: ({ latest }) => <Time at={latest.createdAt} /> },
                    {
                      title: 'Requests',
                      isNumber: true,
                      cell: ({ latest, count }) => (
                        <a
                          href={linkTo({
                            view: undefined,
                            status: String(latest.statusCode),
                            path: latest.route ?? latest.path,
                          })}
                        >
                          {formatNumber(count)}
                        </a>
                      ),
                    },
                  ]}
                />
                {totalCount > count && (
                  <p class="quiet small">
                    Of the newest {formatNumber(count)} of {formatNumber(totalCount)} errors. A shorter time shows the
                    others.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      )}
    </Card>
  )
}

function groupsOf(errors: readonly AccountLog[]): ErrorGroup[] {
  const groups = Map.groupBy(errors, ({ statusCode, errorCode, route, path }) =>
    JSON.stringify([statusCode, errorCode, route ?? path]),
  )
  return [...groups.values()]
    .flatMap((members) => (members[0] === undefined ? [] : [{ latest: members[0], count: members.length }]))
    .sort((one, other) => other.count - one.count)
}
