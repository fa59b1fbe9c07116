import type { AccountLog, AccountUsage } from 'mintick-client'
import { useState } from 'preact/hooks'
import { usePeriodUsage } from '../../api/account.ts'
import { useAddress } from '../../ui/address.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Errors } from './errors.tsx'
import { LogFilters } from './log-filters.tsx'
import { isLatest, type LogView, paramsOf, useLogs } from './log-query.ts'
import { RequestPanel, StatusBadge } from './request-panel.tsx'

/** The request log: a live tail with filters, and the errors by kind. */
export default function Logs() {
  const { values, linkTo } = useAddress()
  // The dashboard's own calls are left out by the id that the usage names.
  const usage = usePeriodUsage()
  const isErrors = values.view === 'errors'
  return (
    <Page title="Logs" lede="Every request of your keys, with its status and cost.">
      <Loaded of={usage} skeleton={<Skeleton lines={12} />}>
        {(data) => (
          <>
            <LogFilters usage={data} />
            <nav class="tabs" aria-label="Views">
              <a href={linkTo({ view: undefined, request: undefined })} aria-current={isErrors ? undefined : 'page'}>
                Requests
              </a>
              <a href={linkTo({ view: 'errors', request: undefined })} aria-current={isErrors ? 'page' : undefined}>
                Errors by kind
              </a>
            </nav>
            {isErrors ? <Errors view={values} usage={data} /> : <Requests view={values} usage={data} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Requests({ view, usage }: { view: LogView; usage: AccountUsage }) {
  const { linkTo, route } = useAddress()
  const [isPaused, setPaused] = useState(false)
  const mayFollow = isLatest(view)
  const isLive = mayFollow && !isPaused
  const logs = useLogs(view, usage, isLive)
  const opened = logs.data?.data.find(({ id }) => id === view.request)
  const names = new Map(usage.byKey.map(({ apiKeyId, name }) => [apiKeyId, name]))
  const nameOf = ({ apiKeyId, keyPrefix }: AccountLog) => names.get(apiKeyId) ?? `${keyPrefix}…`
  const closeTo = linkTo({ request: undefined })
  const isHidden = paramsOf(view, usage).excludeApiKeyId !== undefined
  return (
    <>
      <Card
        actions={
          <>
            <span class="quiet small" role="status">
              {logs.data !== undefined && `${formatNumber(logs.data.meta.totalCount)} requests`}
            </span>
            {mayFollow && (
              <button type="button" class="second small" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
                {isPaused ? 'Follow new requests' : 'Pause'}
              </button>
            )}
          </>
        }
        title={isLive ? <span class="live">Live</span> : 'Requests'}
      >
        <Loaded of={logs} skeleton={<Skeleton lines={12} />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty title={isHidden ? 'No request of your keys matches.' : 'No request matches.'}>
                <p>
                  {mayFollow ? 'New requests appear here as they are made.' : 'Try another time, or fewer filters.'}
                </p>
                {isHidden && <a href={linkTo({ dashboard: 'yes' })}>Show the calls of this dashboard</a>}
              </Empty>
            ) : (
              <div aria-busy={logs.isPlaceholderData}>
                <DataTable
                  caption="Requests, newest first"
                  rows={data}
                  keyOf={({ id }) => id}
                  onRow={({ id }) => route(linkTo({ request: id }))}
                  isSelected={({ id }) => id === view.request}
                  columns={[
                    {
                      title: 'Time',
                      cell: ({ id, createdAt }) => (
                        <a href={linkTo({ request: id })}>
                          <Time at={createdAt} as="second" />
                        </a>
                      ),
                    },
                    { title: 'Status', cell: (log) => <StatusBadge of={log} /> },
                    { title: 'Request', cell: (log) => <Asked of={log} /> },
                    { title: 'Credits', isNumber: true, cell: ({ creditsCharged }) => formatNumber(creditsCharged) },
                    { title: 'Key', cell: nameOf },
                    { title: 'Time taken', isNumber: true, cell: ({ durationMs }) => formatDuration(durationMs) },
                  ]}
                />
                <Pager name="requests" count={data.length} meta={meta} opens="request" />
              </div>
            )
          }
        </Loaded>
      </Card>
      {opened && <RequestPanel key={opened.id} of={opened} keyName={nameOf(opened)} closeTo={closeTo} />}
    </>
  )
}

function Asked({ of: { method, path, query } }: { of: AccountLog }) {
  return (
    <code class="asked">
      {method} {path.replace(/^\/api\/v1(?=\/)/, '')}
      {query !== null && <span class="quiet">?{query}</span>}
    </code>
  )
}
