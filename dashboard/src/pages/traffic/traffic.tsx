import type { AdminTraffic } from 'mintick-client/admin'
import { useMemo, useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import type { Line, Lines } from '../../charts/lines.ts'
import { useAddress } from '../../ui/address.ts'
import { Chart } from '../../ui/chart.tsx'
import { Choices } from '../../ui/choices.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { formatBytes, formatCompact, formatDuration, formatNumber, formatPercent } from '../../ui/format.ts'
import { Card, Page, Stat } from '../../ui/page.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

type Minute = AdminTraffic['minutes'][number]

const REFRESH_MS = 30_000
const SPANS: Record<string, number> = { '1 hour': 60, '6 hours': 360, '24 hours': 1_440 }
const FIRST_ROUTES = 12
const [USUAL = ''] = Object.keys(SPANS)

interface View {
  title: string
  format: (value: number) => string
  isWhole?: boolean
  lines: { name: string; colour: string; of: (minute: Minute) => number | null }[]
}

/** A minute that is not over is counted as if it went on like this. */
const perMinute = (count: (minute: Minute) => number) => (minute: Minute) =>
  minute.seconds === 0 ? 0 : (count(minute) / minute.seconds) * 60

const VIEWS: View[] = [
  {
    title: 'Requests per minute',
    format: formatCompact,
    isWhole: true,
    lines: [
      { name: 'All', colour: '--accent', of: perMinute(({ requests }) => requests) },
      { name: 'Refused (4xx)', colour: '--warn', of: perMinute(({ clientErrors }) => clientErrors) },
      { name: 'Failed (5xx)', colour: '--bad', of: perMinute(({ serverErrors }) => serverErrors) },
    ],
  },
  {
    title: 'Response time',
    format: formatDuration,
    lines: [
      { name: 'Half within', colour: '--accent', of: ({ p50Ms }) => p50Ms },
      { name: '99 % within', colour: '--warn', of: ({ p99Ms }) => p99Ms },
    ],
  },
  {
    title: 'Credits charged per minute',
    format: formatCompact,
    isWhole: true,
    lines: [{ name: 'Credits', colour: '--accent', of: perMinute(({ credits }) => credits) }],
  },
  {
    title: 'Open streams',
    format: formatCompact,
    isWhole: true,
    lines: [{ name: 'Streams', colour: '--accent', of: ({ streams }) => streams }],
  },
  {
    title: 'Delay of the event loop, 99 %',
    format: formatDuration,
    lines: [{ name: 'Delay', colour: '--accent', of: ({ eventLoopDelayMs }) => eventLoopDelayMs }],
  },
  {
    title: 'Memory',
    format: formatBytes,
    lines: [{ name: 'Resident', colour: '--accent', of: ({ memoryBytes }) => memoryBytes }],
  },
]

/** The traffic of the instance that answers. */
export default function TrafficPage() {
  const { values, linkTo, route } = useAddress()
  const span = SPANS[values.span ?? ''] === undefined ? USUAL : (values.span ?? USUAL)
  const traffic = useQuery({
    queryKey: ['traffic'],
    queryFn: ({ signal }) => admin.traffic.get({}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Page
      title="Traffic"
      lede="Figures by minute, which each instance keeps in memory for a day, and not beyond a restart. Behind a load balancer you see one instance; Prometheus collects all of them from /metrics."
      actions={
        <Choices
          label="Range"
          values={Object.keys(SPANS)}
          chosen={span}
          onChoose={(chosen) => route(linkTo({ span: chosen === USUAL ? undefined : chosen }))}
        />
      }
    >
      <Loaded of={traffic} skeleton={<Skeleton lines={12} />}>
        {(data) => (
          <>
            <Instance of={data} />
            <Charts minutes={data.minutes} span={SPANS[span] ?? 60} />
            <Routes of={data.routes} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Instance({ of: { instance, routes } }: { of: AdminTraffic }) {
  const total = (count: (route: AdminTraffic['routes'][number]) => number) =>
    routes.reduce((sum, route) => sum + count(route), 0)
  const requests = total((route) => route.requests)
  const failed = total(({ serverErrors }) => serverErrors)
  return (
    <Card>
      <dl class="stats">
        <Stat name="Instance" value={<span class="stat-text">{instance.host}</span>} note={`process ${instance.pid}`} />
        <Stat
          name="Started"
          value={<Time at={instance.startedAt} as="ago" />}
          note={<Time at={instance.startedAt} />}
        />
        <Stat name="Requests since then" value={formatNumber(requests)} />
        <Stat
          name="Failed since then"
          value={formatNumber(failed)}
          note={requests > 0 ? formatPercent(failed / requests) : undefined}
        />
      </dl>
    </Card>
  )
}

function Charts({ minutes, span }: { minutes: readonly Minute[]; span: number }) {
  const shown = minutes.slice(-span)
  // The last minute has just begun, and says little.
  const whole = shown.length > 2 ? shown.slice(0, -1) : shown
  if (whole.length < 2) return <Empty title="The charts begin a minute after the start of the instance." />
  return (
    <div class="columns traffic">
      {VIEWS.map((view) => (
        <TrafficChart key={view.title} view={view} minutes={whole} />
      ))}
    </div>
  )
}

function TrafficChart({
  view: { title, format, lines, isWhole = false },
  minutes,
}: {
  view: View
  minutes: readonly Minute[]
}) {
  const ends = `${minutes[0]?.at} ${minutes.at(-1)?.at}`
  // Past minutes do not change.
  const data = useMemo((): Lines => {
    const drawn = lines.map(({ name, colour, of }): Line => ({ name, colour, values: minutes.map(of) }))
    return { times: minutes.map(({ at }) => Date.parse(at) / 1_000), lines: drawn, format, isWhole }
  }, [ends])
  const most = data.lines.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    return `${name}: ${known.length === 0 ? 'none' : `at most ${format(Math.max(...known))}`}`
  })
  return (
    <Card title={title}>
      <Chart
        load={() => import('../../charts/lines.ts')}
        data={data}
        label={`${title} in ${minutes.length} minutes. ${most.join('; ')}`}
      />
    </Card>
  )
}

function Routes({ of: routes }: { of: AdminTraffic['routes'] }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <Card title="By endpoint, since the start">
      {routes.length === 0 ? (
        <Empty title="No request has been answered yet." />
      ) : (
        <DataTable
          caption="Requests by endpoint, since the start"
          rows={isWhole ? routes : routes.slice(0, FIRST_ROUTES)}
          keyOf={({ route }) => route}
          columns={[
            { title: 'Endpoint', cell: ({ route }) => <code class="wrapped">{route}</code> },
            { title: 'Requests', isNumber: true, cell: ({ requests }) => formatNumber(requests) },
            { title: 'Refused', isNumber: true, cell: ({ clientErrors }) => formatNumber(clientErrors) },
            { title: 'Failed', isNumber: true, cell: ({ serverErrors }) => formatNumber(serverErrors) },
            {
              title: 'Half within',
              isNumber: true,
              cell: ({ p50Ms }) => (p50Ms === null ? '–' : formatDuration(p50Ms)),
            },
            {
              title: '99 % within',
              isNumber: true,
              cell: ({ p99Ms }) => (p99Ms === null ? '–' : formatDuration(p99Ms)),
            },
          ]}
        />
      )}
      {!isWhole && routes.length > FIRST_ROUTES && (
        <button type="button" class="second small" onClick={() => setWhole(true)}>
          Show all {routes.length}
        </button>
      )}
    </Card>
  )
}
