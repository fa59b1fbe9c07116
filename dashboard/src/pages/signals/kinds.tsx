import { SIGNAL_KINDS } from 'mintick:reference'
import { mintick } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { formatNumber, formatPercent } from '../../ui/format.ts'
import { nameOf } from '../../ui/names.ts'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'

/** The kinds of signals, with what they say and how often they were right. The figures are free. */
export function Kinds() {
  const stats = useQuery({ queryKey: ['stats'], queryFn: ({ signal }) => mintick.stats.get({}, { signal }) })
  return (
    <Card class="slim">
      <details>
        <summary>
          <h2>Kinds of signals and how often they were right</h2>
        </summary>
        <Loaded of={stats}>
          {({ signalOutcomes }) => (
            <DataTable
              caption="Kinds of signals"
              rows={signalOutcomes}
              keyOf={({ kind }) => kind}
              columns={[
                { title: 'Kind', cell: ({ kind }) => nameOf(kind) },
                { title: 'What it says', cell: ({ kind }) => SIGNAL_KINDS[kind] ?? '' },
                { title: 'Evaluated', isNumber: true, cell: ({ evaluated }) => formatNumber(evaluated) },
                { title: 'Right', isNumber: true, cell: ({ hits }) => formatNumber(hits) },
                {
                  title: 'Hit rate',
                  isNumber: true,
                  cell: ({ hitRate }) => (hitRate === null ? '–' : formatPercent(hitRate)),
                },
              ]}
            />
          )}
        </Loaded>
        <p class="quiet small">
          A signal is evaluated once its horizon has passed and if its asset has prices. The{' '}
          <a href="/docs" target="_self">
            reference
          </a>{' '}
          has the rule of each kind.
        </p>
      </details>
    </Card>
  )
}
