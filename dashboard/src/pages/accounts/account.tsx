import type { AdminAccount } from 'mintick-client/admin'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { admin } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import { Badge, Card, Page, Stat } from '../../ui/page.tsx'
import { ScopedButton, ScopeNote } from '../../ui/scoped.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteAccount, ExportButton, Resume, Suspend } from './account-dialogs.tsx'
import { AccountKeys } from './account-keys.tsx'
import { nameOf } from './account-name.ts'
import { AccountState } from './accounts.tsx'
import { ChangePlan, GrantCredits } from './credit-dialogs.tsx'
import { FLAGS, type Overrides, PLAN_FIELDS } from './plan-fields.ts'

const RECENT_REQUESTS = 20
const LOT_NAMES: Record<AdminAccount['lots'][number]['kind'], string> = {
  monthly: 'Monthly credits',
  signup: 'Sign-up credits',
  pack: 'Bought credits',
  adjustment: 'Granted by an operator',
  demo: 'Demo pool',
}

type Opened = 'plan' | 'credits' | 'suspend' | 'resume' | 'delete'

/** One account: plan, credits, keys and requests, and what operators can do with it. */
export default function AccountPage() {
  const { id = '' } = useRoute().params
  const account = useQuery({
    queryKey: ['accounts', 'one', id],
    queryFn: ({ signal }) => admin.accounts.get(id, {}, { signal }),
  })
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const { data } = account
  const isFixed = data === undefined || data.deletedAt !== null
  const button = (name: Opened, text: string) => (
    <ScopedButton needs={name === 'delete' ? 'owner' : 'support'} disabled={isFixed} onClick={() => setOpened(name)}>
      {text}
    </ScopedButton>
  )
  return (
    <Page
      title={data === undefined ? 'Account' : nameOf(data)}
      lede={<a href="/dashboard/accounts">All accounts</a>}
      actions={data?.isActive ? button('suspend', 'Suspend') : button('resume', 'Resume')}
    >
      <ScopeNote needs="support" to="change accounts" />
      <Loaded of={account} skeleton={<Skeleton lines={10} />}>
        {(shown) => (
          <>
            <Summary of={shown} />
            <div class="columns">
              <PlanCard of={shown} button={button('plan', 'Change')} />
              <CreditsCard of={shown} button={button('credits', 'Grant credits')} />
            </div>
            <AccountKeys of={shown} />
            <Requests id={id} />
            <Card title="Leaving">
              <p class="quiet">
                The export has everything that is stored about the account. Deleting removes what identifies its owner
                and keeps the sums of its credits.
              </p>
              <div class="actions">
                <ExportButton of={shown} />
                {button('delete', 'Delete the account')}
              </div>
            </Card>
            {opened === 'plan' && <ChangePlan of={shown} onClose={close} />}
            {opened === 'credits' && <GrantCredits of={shown} onClose={close} />}
            {opened === 'suspend' && <Suspend of={shown} onClose={close} />}
            {opened === 'resume' && <Resume of={shown} onClose={close} />}
            {opened === 'delete' && <DeleteAccount of={shown} onClose={close} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ of: account }: { of: AdminAccount }) {
  return (
    <Card>
      <dl class="stats">
        <Stat name="State" value={<AccountState of={account} />} note={account.suspendedReason ?? undefined} />
        <Stat name="Email address" value={<span class="stat-text">{account.email ?? '–'}</span>} />
        <Stat name="Opened" value={<Time at={account.createdAt} as="date" />} />
        <Stat name="Id" value={<code class="stat-text small">{account.id}</code>} />
      </dl>
    </Card>
  )
}

function PlanCard({ of: account, button }: { of: AdminAccount; button: ComponentChildren }) {
  const { effectivePlan, overrides, subscription } = account
  const agreed = Object.keys(overrides).length
  return (
    <Card title={`Plan: ${effectivePlan.name}`} actions={button}>
      {subscription !== null && (
        <p>
          Paid by a subscription, <Badge>{subscription.status}</Badge>, until{' '}
          <Time at={subscription.currentPeriodEnd} as="date" />.
        </p>
      )}
      <details>
        <summary>
          {agreed === 0 ? 'The values of the plan' : `Values, ${agreed} of them agreed for this account`}
        </summary>
        <DataTable
          caption="Values of the plan"
          rows={Object.keys(PLAN_FIELDS) as (keyof Overrides)[]}
          keyOf={(field) => field}
          columns={[
            { title: 'Value', cell: (field) => PLAN_FIELDS[field] },
            {
              title: 'Applies',
              isNumber: true,
              cell: (field) => (
                <span>
                  {valueText(field, effectivePlan[field])} {field in overrides && <Badge tone="accent">agreed</Badge>}
                </span>
              ),
            },
          ]}
        />
      </details>
    </Card>
  )
}

function valueText(field: keyof Overrides, value: number | boolean | null): string {
  if (value === null) return 'to be agreed'
  if (FLAGS.has(field)) return value ? 'yes' : 'no'
  return formatNumber(Number(value))
}

function CreditsCard({ of: { balance, lots, owed }, button }: { of: AdminAccount; button: ComponentChildren }) {
  return (
    <Card title={`Balance: ${formatNumber(balance)} credits`} actions={button}>
      {owed > 0 && <p class="notice warn">{formatNumber(owed)} used credits of refunded payments are owed.</p>}
      {lots.length === 0 ? (
        <Empty title="No credits are left." />
      ) : (
        <DataTable
          caption="Credits by origin, in the order of use"
          rows={lots.map((lot, index) => ({ ...lot, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { title: 'Origin', cell: ({ kind }) => LOT_NAMES[kind] },
            { title: 'Left', isNumber: true, cell: ({ remaining }) => formatNumber(remaining) },
            { title: 'Of', isNumber: true, cell: ({ granted }) => formatNumber(granted) },
            {
              title: 'Expires',
              cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} as="date" />),
            },
          ]}
        />
      )}
    </Card>
  )
}

function Requests({ id }: { id: string }) {
  const logs = useQuery({
    queryKey: ['accounts', 'logs', id],
    queryFn: ({ signal }) => admin.accounts.logs(id, { limit: RECENT_REQUESTS }, { signal }),
  })
  return (
    <Card
      title="Recent requests"
      actions={
        <button type="button" class="second small" onClick={() => void logs.refetch()}>
          Refresh
        </button>
      }
    >
      <Loaded of={logs}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="This account has made no requests yet." />
          ) : (
            <DataTable
              caption="Recent requests, newest first"
              rows={data}
              keyOf={(request) => request.id}
              columns={[
                { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} as="second" /> },
                {
                  title: 'Status',
                  cell: ({ statusCode }) => <Badge tone={statusCode < 400 ? 'good' : 'bad'}>{statusCode}</Badge>,
                },
                {
                  title: 'Request',
                  cell: ({ method, path, query }) => (
                    <code class="wrapped">
                      {method} {path}
                      {query !== null && <span class="quiet">?{query}</span>}
                    </code>
                  ),
                },
                { title: 'Key', cell: ({ keyPrefix }) => <code>{keyPrefix}</code> },
                { title: 'Credits', isNumber: true, cell: ({ creditsCharged }) => formatNumber(creditsCharged) },
                {
                  title: 'Time taken',
                  isNumber: true,
                  cell: ({ durationMs }) => formatDuration(durationMs),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
