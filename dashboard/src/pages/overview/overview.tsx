import { Fragment } from 'preact'
import { addUp, sumsBy, useAccount, useDailyUsage, usePeriodUsage } from '../../api/account.ts'
import { currentUser } from '../../api/session.ts'
import { addressOf } from '../../ui/address.ts'
import { formatCredits, formatNumber, formatPercent } from '../../ui/format.ts'
import { Card, Page, Stat } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { FirstCall } from './first-call.tsx'
import { Limits } from './limits.tsx'
import { UsageChart } from './usage-chart.tsx'

const CHART_DAYS = 30
const LISTED_ENDPOINTS = 8

/** The first page: what the account has, uses and may use. */
export default function Overview() {
  const daily = useDailyUsage(CHART_DAYS)
  const isNew = daily.data !== undefined && sumsBy(daily.data, 'date').size === 0
  return (
    <Page title="Overview">
      <PasswordNotice />
      {isNew && <FirstCall isNew />}
      <div class="columns">
        <Balance />
        <Period />
      </div>
      <Card title={`Requests of your keys, last ${CHART_DAYS} days`} class="usage">
        <Loaded of={daily} skeleton={<Skeleton lines={6} />}>
          {(usage) => <UsageChart usage={usage} />}
        </Loaded>
      </Card>
      <div class="columns">
        <Limits />
        <Endpoints />
      </div>
      {daily.data !== undefined && !isNew && <FirstCall />}
    </Page>
  )
}

/** Reminds people who cannot sign in again without another link. */
function PasswordNotice() {
  const { email, hasPassword, isManaged } = currentUser()
  if (isManaged || (email !== null && hasPassword)) return null
  return (
    <p class="notice">
      You signed in with a one-time link.{' '}
      <a href="/dashboard/profile">{email === null ? 'Set an address and a password' : 'Set a password'}</a> to be able
      to sign in again.
    </p>
  )
}

function Balance() {
  const account = useAccount()
  return (
    <Card title="Balance" actions={<a href="/dashboard/billing">Billing</a>}>
      <Loaded of={account}>
        {({ credits, plan }) => (
          <>
            <dl class="stats">
              <Stat name="Credits" value={formatNumber(credits.balance)} note={`${plan.name} plan`} />
            </dl>
            <dl class="facts">
              <dt>Monthly</dt>
              <dd>
                {formatNumber(credits.monthlyRemaining)}
                {credits.monthlyRemaining > 0 && (
                  <span class="quiet small">
                    {' '}
                    until <Time at={credits.periodEnd} as="date" />
                  </span>
                )}
              </dd>
              <dt>Granted</dt>
              <dd>{formatNumber(credits.grantedRemaining)}</dd>
              <dt>Bought</dt>
              <dd>{formatNumber(credits.purchasedRemaining)}</dd>
              {credits.owed !== undefined && (
                <>
                  <dt>Owed</dt>
                  <dd>
                    {formatNumber(credits.owed)}
                    <span class="quiet small"> of a refund; the next pack repays it</span>
                  </dd>
                </>
              )}
              {credits.nextGrantAt !== null && (
                <>
                  <dt>Next credits</dt>
                  <dd>
                    <Time at={credits.nextGrantAt} as="date" />
                  </dd>
                </>
              )}
            </dl>
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Period() {
  const usage = usePeriodUsage()
  return (
    <Card title="This billing month" actions={<a href="/dashboard/logs">Logs</a>}>
      <Loaded of={usage}>
        {(data) => {
          const { requests, failed } = addUp([...sumsBy(data, 'apiKeyId').values()])
          const share = requests === 0 ? 0 : failed / requests
          return (
            <>
              <dl class="stats">
                <Stat name="Credits used" value={formatNumber(data.credits.used)} />
                <Stat name="Requests" value={formatNumber(requests)} note="of your keys" />
                <Stat name="Errors" value={formatNumber(failed)} note={formatPercent(share)} />
              </dl>
              <p class="quiet small period">
                <Time at={data.period.start} as="date" /> to <Time at={data.period.end} as="date" />
                {data.requests.rateLimited > 0 &&
                  `. ${formatNumber(data.requests.rateLimited)} more were refused by the rate limit.`}
                {data.stream.minutes > 0 && `. ${formatNumber(data.stream.minutes)} minutes of streams.`}
              </p>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Endpoints() {
  const usage = usePeriodUsage()
  return (
    <Card title="Where the credits go">
      <Loaded of={usage}>
        {(data) => {
          const endpoints = data.byEndpoint
            .filter(({ credits }) => credits > 0)
            .sort((one, other) => other.credits - one.credits)
            .slice(0, LISTED_ENDPOINTS)
          if (endpoints.length === 0) return <p class="quiet">No call has cost credits this month.</p>
          return (
            <dl class="facts">
              {endpoints.map(({ endpoint, requests, credits }) => (
                <Fragment key={endpoint}>
                  <dt>
                    <a href={addressOf('/dashboard/logs', { path: endpoint, dashboard: 'yes' })}>
                      <code>{endpoint}</code>
                    </a>
                  </dt>
                  <dd>
                    {formatCredits(credits)}
                    <span class="quiet small">
                      {' '}
                      in {formatNumber(requests)} {requests === 1 ? 'call' : 'calls'}
                    </span>
                  </dd>
                </Fragment>
              ))}
            </dl>
          )
        }}
      </Loaded>
    </Card>
  )
}
