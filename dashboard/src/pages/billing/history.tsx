import { keepPreviousData } from '@tanstack/query-core'
import type { BillingHistory, ListBillingHistoryParams } from 'mintick-client'
import { useState } from 'preact/hooks'
import { mintick } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { downloadText } from '../../ui/download.ts'
import { Field } from '../../ui/form.tsx'
import { formatNumber, formatUsd } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Empty, ErrorNotice, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { csvOf } from './csv.ts'

const PAGE_ROWS = 20
const TYPES = ['purchase', 'subscription', 'grant', 'usage', 'refund', 'adjustment', 'expiry'] as const
const FIELDS = [
  'createdAt',
  'type',
  'description',
  'credits',
  'balanceAfter',
  'amountUsd',
  'packageId',
  'planSlug',
  'sessionId',
  'id',
] as const

/** Every change of the balance, to read and to download. */
export function History() {
  const [type, setType] = useState<(typeof TYPES)[number]>()
  const [offset, setOffset] = useState(0)
  const params: ListBillingHistoryParams = { type, offset, limit: PAGE_ROWS }
  const history = useQuery({
    queryKey: ['billing', 'history', params],
    queryFn: async ({ signal }) => {
      const { data, meta } = await mintick.billing.history(params, { signal })
      return { data, meta }
    },
    placeholderData: keepPreviousData,
  })
  const [read, setRead] = useState(0)
  const download = useMutation(async () => {
    const rows: BillingHistory[] = []
    for await (const row of mintick.billing.history({ type, limit: 100 })) {
      rows.push(row)
      if (rows.length % 100 === 0) setRead(rows.length)
    }
    setRead(0)
    downloadText('billing-history.csv', 'text/csv', csvOf(FIELDS, rows))
  })
  return (
    <Card
      title="History"
      actions={
        <button type="button" class="second small" disabled={download.isPending} onClick={() => download.run()}>
          {download.isPending ? `Reading… ${formatNumber(read)}` : 'Download as CSV'}
        </button>
      }
    >
      {download.error !== null && <ErrorNotice error={download.error} />}
      <div class="filters">
        <Field label="Kind">
          {(props) => (
            <select
              {...props}
              value={type ?? ''}
              onChange={({ currentTarget }) => {
                setType(TYPES.find((one) => one === currentTarget.value))
                setOffset(0)
              }}
            >
              <option value="">all</option>
              {TYPES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Loaded of={history}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title="Nothing has changed your balance yet." />
          ) : (
            <div aria-busy={history.isPlaceholderData}>
              <DataTable
                caption="Changes of the balance, newest first"
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} /> },
                  { title: 'Kind', cell: ({ type }) => <Badge>{type}</Badge> },
                  { title: 'What', cell: ({ description }) => description },
                  {
                    title: 'Paid',
                    isNumber: true,
                    cell: ({ amountUsd }) => (amountUsd === null ? '' : formatUsd(amountUsd)),
                  },
                  { title: 'Credits', isNumber: true, cell: ({ credits }) => signed(credits) },
                  { title: 'Balance', isNumber: true, cell: ({ balanceAfter }) => formatNumber(balanceAfter) },
                ]}
              />
              <nav class="pager" aria-label="Pages of the history">
                <button
                  type="button"
                  class="second small"
                  disabled={meta.prevOffset === null}
                  onClick={() => setOffset(meta.prevOffset ?? 0)}
                >
                  Newer
                </button>
                <span class="quiet small">
                  {formatNumber(meta.offset + 1)} to {formatNumber(meta.offset + data.length)} of{' '}
                  {formatNumber(meta.totalCount)}
                </span>
                <button
                  type="button"
                  class="second small"
                  disabled={meta.nextOffset === null}
                  onClick={() => setOffset(meta.nextOffset ?? 0)}
                >
                  Older
                </button>
              </nav>
            </div>
          )
        }
      </Loaded>
    </Card>
  )
}

function signed(credits: number) {
  return (
    <span
      class={credits < 0 ? undefined : 'good-text'}
    >{`${credits < 0 ? '−' : '+'}${formatNumber(Math.abs(credits))}`}</span>
  )
}
