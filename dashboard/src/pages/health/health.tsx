import type { AdminHealth } from 'mintick-client/admin'
import { admin } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { formatBytes, formatNumber, formatSeconds } from '../../ui/format.ts'
import { Badge, Card, Page, Stat } from '../../ui/page.tsx'
import { ScopeNote } from '../../ui/scoped.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { LedgerAudit, Reindex, SampleData } from './upkeep.tsx'

const REFRESH_MS = 10_000
/** By the names of the databases; PostgreSQL has one for both. */
const SIZES: Record<string, string> = { mintick: 'Size of the data', ledger: 'Size of the ledger' }
const ENGINES = { sqlite: 'Embedded (SQLite)', postgres: 'PostgreSQL' }

/** Whether the service is well, the work that waits, and upkeep. */
export default function Health() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => admin.health.get({}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Page title="Health" lede="The instance that answers, the store that all instances share, and upkeep.">
      <ScopeNote needs="owner" to="reindex or clear the sample data" />
      <Loaded of={health} skeleton={<Skeleton lines={8} />}>
        {(data) => (
          <>
            <Readiness of={data} />
            <StoreCard of={data} />
            <div class="columns">
              <LedgerAudit />
              <Reindex />
              {data.store?.hasSample && <SampleData />}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Readiness({ of: { isReady, problems, version, startedAt, uptimeSeconds } }: { of: AdminHealth }) {
  return (
    <Card>
      {!isReady && (
        <div class="notice bad" role="alert">
          <p>Requests that cost credits would fail:</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <dl class="stats">
        <Stat name="State" value={<Badge tone={isReady ? 'good' : 'bad'}>{isReady ? 'ready' : 'not ready'}</Badge>} />
        <Stat name="Version" value={version} />
        <Stat name="Runs for" value={formatSeconds(uptimeSeconds)} note={<Time at={startedAt} />} />
      </dl>
    </Card>
  )
}

function StoreCard({ of: { engine, store } }: { of: AdminHealth }) {
  return (
    <Card title="Store">
      {store === null ? (
        <p class="notice bad">The store does not answer.</p>
      ) : (
        <dl class="stats">
          <Stat name="Engine" value={<span class="stat-text">{ENGINES[engine]}</span>} />
          {Object.entries(store.bytes).map(([database, bytes]) => (
            <Stat key={database} name={SIZES[database] ?? database} value={formatBytes(bytes)} />
          ))}
          <Stat name="Entries to index" value={formatNumber(store.entriesToIndex)} />
          <Stat name="Sources due" value={formatNumber(store.sourcesDue)} />
          <Stat name="Messages to send" value={formatNumber(store.alertsToSend)} />
          <Stat
            name="Payment events to process"
            value={formatNumber(store.paymentEventsToProcess)}
            note={
              store.paymentEventsToProcess > 0 ? (
                <a href="/dashboard/payments?state=Waiting">Look at them</a>
              ) : undefined
            }
          />
        </dl>
      )}
    </Card>
  )
}
