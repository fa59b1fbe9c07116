import { mintick } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { formatNumber } from '../../ui/format.ts'
import { Card, Page, Stat } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'

/** The first page: what the account has, uses and may use. */
export default function Overview() {
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => mintick.account.get({}, { signal }) })
  return (
    <Page title="Overview">
      <Card title="Balance">
        <Loaded of={account}>
          {({ credits, plan }) => (
            <dl class="stats">
              <Stat name="Plan" value={plan.name} />
              <Stat name="Balance" value={formatNumber(credits.balance)} />
              <Stat name="Used this period" value={formatNumber(credits.usedThisPeriod)} />
            </dl>
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
