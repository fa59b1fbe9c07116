import type { AccountUsage } from 'mintick-client'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { daysSince, sumsBy } from '../../api/account.ts'
import type { DayUsage } from '../../charts/usage.ts'
import { addressOf } from '../../ui/address.ts'
import { Chart } from '../../ui/chart.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Day } from '../../ui/time.tsx'

/** Requests and errors per day. A day of the chart, or of the table below it, opens its logs. */
export function UsageChart({ usage }: { usage: AccountUsage }) {
  const { route } = useLocation()
  const days = useMemo(() => daysOf(usage), [usage])
  return (
    <>
      <Chart
        load={() => import('../../charts/usage.ts')}
        data={days}
        label="Requests and errors per day"
        caption="Days of UTC. Choose a day to see its requests."
        onPoint={(index) => {
          const { day, requests } = days[index ?? -1] ?? {}
          if (day !== undefined && requests !== 0) route(logsOf(day))
        }}
      />
      <details>
        <summary>The days as a table</summary>
        <DataTable
          caption="Requests and errors per day"
          rows={days.filter(({ requests }) => requests > 0).reverse()}
          keyOf={({ day }) => day}
          columns={[
            {
              title: 'Day',
              cell: ({ day }) => (
                <a href={logsOf(day)}>
                  <Day day={day} />
                </a>
              ),
            },
            { title: 'Requests', isNumber: true, cell: ({ requests }) => formatNumber(requests) },
            { title: 'Errors', isNumber: true, cell: ({ failed }) => formatNumber(failed) },
          ]}
        />
      </details>
    </>
  )
}

function daysOf(usage: AccountUsage): DayUsage[] {
  const sums = sumsBy(usage, 'date')
  return daysSince(usage.period.start).map((day) => {
    const { requests = 0, failed = 0 } = sums.get(day) ?? {}
    return { day, requests, failed }
  })
}

const logsOf = (day: string) =>
  addressOf('/dashboard/logs', { from: `${day}T00:00:00.000Z`, to: `${day}T23:59:59.999Z` })
