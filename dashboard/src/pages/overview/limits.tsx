import { useState } from 'preact/hooks'
import { sumsBy, useAccount, useKeys, usePeriodUsage } from '../../api/account.ts'
import { mintick } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { Field } from '../../ui/form.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card, Meter } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'

const HOUR_MS = 3_600_000

/** The limits of the plan, and how much of each is left. Every key has its own rate limits. */
export function Limits() {
  const account = useAccount()
  return (
    <Card title="Limits">
      <Loaded of={account}>
        {({ apiKeys, realtimeConnections, plan }) => (
          <>
            <Meter name="API keys" used={apiKeys.active} limit={apiKeys.max} />
            {realtimeConnections.max > 0 && (
              <Meter name="Open streams" used={realtimeConnections.open} limit={realtimeConnections.max} />
            )}
            <Rates plan={plan} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

interface RatesProps {
  plan: { burst: number; requestsPerMinute: number; requestsPerHour: number; requestsPerDay: number }
}

function Rates({ plan }: RatesProps) {
  const keys = useKeys()
  const usage = usePeriodUsage()
  const [chosen, setChosen] = useState<string>()
  const used = usage.data === undefined ? undefined : sumsBy(usage.data, 'apiKeyId')
  const active = (keys.data ?? [])
    .filter(({ isActive }) => isActive)
    .sort((one, other) => (used?.get(other.id)?.requests ?? 0) - (used?.get(one.id)?.requests ?? 0))
  const key = active.find(({ id }) => id === chosen) ?? active[0]
  return (
    <>
      {active.length > 1 && (
        <Field label="Requests of the key">
          {(props) => (
            <select {...props} value={key?.id} onChange={(event) => setChosen(event.currentTarget.value)}>
              {active.map(({ id, name, keyPrefix }) => (
                <option key={id} value={id}>
                  {name} ({keyPrefix}…)
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {key !== undefined && used !== undefined && (
        <>
          <Requests name="In 60 minutes" apiKeyId={key.id} hours={1} limit={plan.requestsPerHour} />
          <Requests name="In 24 hours" apiKeyId={key.id} hours={24} limit={plan.requestsPerDay} />
        </>
      )}
      <p class="quiet small">
        Each key may make {formatNumber(plan.burst)} requests at once, and {formatNumber(plan.requestsPerMinute)} a
        minute in the long run.
      </p>
    </>
  )
}

/** Counts the requests of a key by its log: refused ones count towards neither. */
function Requests({ name, apiKeyId, hours, limit }: { name: string; apiKeyId: string; hours: number; limit: number }) {
  const { data } = useQuery({
    queryKey: ['logs', 'count', apiKeyId, hours],
    queryFn: async ({ signal }) => {
      const createdAfter = new Date(Date.now() - hours * HOUR_MS)
      const { meta } = await mintick.account.logs({ apiKeyId, createdAfter, limit: 1 }, { signal })
      return meta.totalCount
    },
  })
  return data === undefined ? null : <Meter name={name} used={data} limit={limit} />
}
