import type { Stats } from 'mintick-client'
import { admin } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { formatNumber, formatPercent } from '../../ui/format.ts'
import { Card, Page, Stat } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'

type Outcomes = Stats['signalOutcomes'][number]

/** How often signals of each kind were right. */
export default function SignalQuality() {
  const stats = useQuery({ queryKey: ['stats'], queryFn: ({ signal }) => admin.stats.get({}, { signal }) })
  return (
    <Page
      title="Signal quality"
      lede="A signal is right if the price moved as it said by the end of its horizon. Signals without a direction or without prices are not evaluated."
    >
      <Loaded of={stats}>
        {({ signals, signalOutcomes }) => (
          <>
            <Totals signals={signals} of={signalOutcomes} />
            <Card title="By kind">
              {signalOutcomes.length === 0 ? (
                <Empty title="No signal has been evaluated yet." />
              ) : (
                <DataTable
                  caption="Hit rates by kind of signal"
                  rows={signalOutcomes}
                  keyOf={({ kind }) => kind}
                  columns={[
                    { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
                    { title: 'Evaluated', isNumber: true, cell: ({ evaluated }) => formatNumber(evaluated) },
                    { title: 'Right', isNumber: true, cell: ({ hits }) => formatNumber(hits) },
                    { title: 'Hit rate', isNumber: true, cell: ({ hitRate }) => <Rate of={hitRate} /> },
                  ]}
                />
              )}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Totals({ signals, of: outcomes }: { signals: number; of: readonly Outcomes[] }) {
  const evaluated = outcomes.reduce((sum, { evaluated: own }) => sum + own, 0)
  const hits = outcomes.reduce((sum, { hits: own }) => sum + own, 0)
  return (
    <Card>
      <dl class="stats">
        <Stat name="Signals" value={formatNumber(signals)} />
        <Stat name="Evaluated" value={formatNumber(evaluated)} />
        <Stat name="Hit rate of all" value={evaluated === 0 ? '–' : formatPercent(hits / evaluated)} />
      </dl>
    </Card>
  )
}

function Rate({ of: rate }: { of: number | null }) {
  if (rate === null) return <>–</>
  return (
    <span class="rate">
      <meter min={0} max={1} value={rate} aria-hidden="true" />
      {formatPercent(rate)}
    </span>
  )
}
