import type { AdminAccountItem, CreatedAdminAccount } from 'mintick-client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { useAddress } from '../../ui/address.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { formatNumber } from '../../ui/format.ts'
import { NewSecret } from '../../ui/new-secret.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ScopedButton, ScopeNote } from '../../ui/scoped.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { PLAN_SLUGS, type PlanSlug } from './plan-fields.ts'

const PER_PAGE = 50

/** The accounts of all callers. */
export default function Accounts() {
  const { values, linkTo, route } = useAddress()
  const { search, offset } = values
  const [isCreating, setCreating] = useState(false)
  const accounts = useQuery({
    queryKey: ['accounts', search, offset],
    queryFn: ({ signal }) => admin.accounts.list({ search, offset: Number(offset ?? 0), limit: PER_PAGE }, { signal }),
  })
  return (
    <Page
      title="Accounts"
      lede="Everyone who calls the API, with their plan and balance."
      actions={
        <ScopedButton needs="support" class="first" onClick={() => setCreating(true)}>
          Create an account
        </ScopedButton>
      }
    >
      <ScopeNote needs="support" to="create accounts" />
      <Card>
        <Form class="find" onSubmit={({ search: typed }) => route(linkTo({ search: typed, offset: undefined }))}>
          <Field label="Email address or name">
            {(props) => <input {...props} key={search} name="search" type="search" defaultValue={search ?? ''} />}
          </Field>
          <button type="submit" class="second">
            Find
          </button>
        </Form>
        <Loaded of={accounts} skeleton={<Skeleton lines={8} />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty title="No account matches.">
                {search !== undefined && (
                  <a href={linkTo({ search: undefined, offset: undefined })}>Show all accounts</a>
                )}
              </Empty>
            ) : (
              <>
                <DataTable
                  caption="Accounts, newest first"
                  rows={data}
                  keyOf={({ id }) => id}
                  onRow={({ id }) => route(`/dashboard/accounts/${id}`)}
                  columns={[
                    { title: 'Account', cell: (account) => <AccountLink of={account} /> },
                    { title: 'Plan', cell: ({ plan }) => plan },
                    { title: 'Balance', isNumber: true, cell: ({ balance }) => formatNumber(balance) },
                    { title: 'State', cell: (account) => <AccountState of={account} /> },
                    { title: 'Opened', cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
                  ]}
                />
                <Pager name="accounts" count={data.length} meta={meta} />
              </>
            )
          }
        </Loaded>
      </Card>
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
    </Page>
  )
}

function AccountLink({ of: { id, email, name } }: { of: AdminAccountItem }) {
  return (
    <div>
      <a href={`/dashboard/accounts/${id}`} onClick={(event) => event.stopPropagation()}>
        {email ?? name ?? id}
      </a>
      {email !== null && name !== null && <span class="quiet small"> {name}</span>}
    </div>
  )
}

export function AccountState({ of: account }: { of: Pick<AdminAccountItem, 'deletedAt' | 'isActive' | 'isDemo'> }) {
  if (account.deletedAt !== null) return <Badge>deleted</Badge>
  if (!account.isActive) return <Badge tone="bad">suspended</Badge>
  return <Badge tone="good">{account.isDemo ? 'active, demo' : 'active'}</Badge>
}

function CreateAccount({ onClose }: { onClose: () => void }) {
  const { route } = useAddress()
  const [created, setCreated] = useState<CreatedAdminAccount>()
  const create = useMutation(
    ({ email = '', name, plan, credits }: Record<string, string>) =>
      admin.accounts.create({
        email,
        ...(name !== undefined && { name }),
        plan: plan as PlanSlug,
        ...(credits !== undefined && { credits: Number(credits) }),
      }),
    { changes: [['accounts']], onSuccess: setCreated },
  )
  if (created !== undefined) {
    const close = () => {
      onClose()
      route(`/dashboard/accounts/${created.account.id}`)
    }
    return <NewSecret title={`The key of ${created.account.email}`} secret={created.apiKey} onClose={close} />
  }
  return (
    <Dialog title="Create an account" onClose={onClose}>
      <Form onSubmit={create.run}>
        <Field label="Email address" name="email" error={create.error}>
          {(props) => <input {...props} name="email" type="email" required maxLength={254} />}
        </Field>
        <Field label="Name" name="name" error={create.error}>
          {(props) => <input {...props} name="name" maxLength={200} />}
        </Field>
        <Field label="Plan" name="plan" error={create.error}>
          {(props) => (
            <select {...props} name="plan">
              {PLAN_SLUGS.map((slug) => (
                <option key={slug}>{slug}</option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Opening credits"
          name="credits"
          hint="Leave it empty for the credits of the plan."
          error={create.error}
        >
          {(props) => <input {...props} name="credits" type="number" min={0} step={1} />}
        </Field>
        <FormButtons action="Create" isPending={create.isPending} error={create.error} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
