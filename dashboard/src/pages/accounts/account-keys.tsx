import type { AccountApiKey } from 'mintick-client'
import type { AdminAccount, AdminAccountApiKey } from 'mintick-client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { NewSecret } from '../../ui/new-secret.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { ScopedButton } from '../../ui/scoped.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

const keyOfKeys = (id: string) => ['accounts', 'keys', id]

/** The API keys of an account. */
export function AccountKeys({ of: { id, isDemo, deletedAt } }: { of: AdminAccount }) {
  const keys = useQuery({
    queryKey: keyOfKeys(id),
    queryFn: ({ signal }) => admin.accounts.keys.list(id, {}, { signal }),
  })
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<AccountApiKey>()
  const isFixed = isDemo || deletedAt !== null
  return (
    <Card
      title="API keys"
      actions={
        <ScopedButton needs="support" disabled={isFixed} onClick={() => setCreating(true)}>
          Create a key
        </ScopedButton>
      }
    >
      <Loaded of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="This account has no keys." />
          ) : (
            <DataTable
              caption="API keys"
              rows={list}
              keyOf={(key) => key.id}
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                { title: 'Begins with', cell: ({ keyPrefix }) => <code>{keyPrefix}</code> },
                {
                  title: 'State',
                  cell: ({ isActive }) => (
                    <Badge tone={isActive ? 'good' : 'plain'}>{isActive ? 'active' : 'inactive'}</Badge>
                  ),
                },
                { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
                {
                  title: 'Last used',
                  cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} as="ago" />),
                },
                {
                  title: 'Actions',
                  cell: (key) =>
                    key.isActive && (
                      <ScopedButton
                        needs="support"
                        class="second small"
                        disabled={isFixed}
                        aria-label={`Revoke ${key.name}`}
                        onClick={() => setRevoked(key)}
                      >
                        Revoke
                      </ScopedButton>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {isCreating && <CreateKey id={id} onClose={() => setCreating(false)} />}
      {revoked !== undefined && <RevokeKey id={id} of={revoked} onClose={() => setRevoked(undefined)} />}
    </Card>
  )
}

function CreateKey({ id, onClose }: { id: string; onClose: () => void }) {
  const [created, setCreated] = useState<AdminAccountApiKey>()
  const create = useMutation(({ name = '' }: Record<string, string>) => admin.accounts.keys.create(id, { name }), {
    changes: [keyOfKeys(id)],
    onSuccess: setCreated,
  })
  if (created !== undefined) {
    return <NewSecret title={`The key “${created.name}”`} secret={created.apiKey} onClose={onClose} />
  }
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <Form onSubmit={create.run}>
        <Field label="Name" name="name" error={create.error}>
          {(props) => <input {...props} name="name" required maxLength={100} />}
        </Field>
        <FormButtons action="Create" isPending={create.isPending} error={create.error} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function RevokeKey({ id, of: key, onClose }: { id: string; of: AccountApiKey; onClose: () => void }) {
  const revoke = useMutation(() => admin.accounts.keys.delete(id, key.id), {
    changes: [keyOfKeys(id)],
    onSuccess: onClose,
  })
  return (
    <Confirm
      title={`Revoke ${key.name}`}
      action="Revoke"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.run()}
      onClose={onClose}
    >
      <p>Programs with this key are refused at once. It cannot be undone.</p>
    </Confirm>
  )
}
