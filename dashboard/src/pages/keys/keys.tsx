import type { AccountApiKey } from 'mintick-client'
import { useState } from 'preact/hooks'
import { sumsBy, useAccount, useKeys, usePeriodUsage } from '../../api/account.ts'
import { mintick } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { formatCredits, formatNumber } from '../../ui/format.ts'
import { Badge, Card, focusTitle, Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateKey, EditKey, RotateKey } from './key-dialogs.tsx'
import { KEY_CHANGES } from './key-form.tsx'

type Opened = { action: 'edit' | 'rotate' | 'revoke'; key: AccountApiKey } | { action: 'create' }

/** The API keys of the account: create, restrict, rotate, revoke. */
export default function Keys() {
  const account = useAccount()
  const keys = useKeys()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const { apiKeys, plan } = account.data ?? {}
  const isFull = apiKeys !== undefined && apiKeys.active >= apiKeys.max
  return (
    <Page
      title="API keys"
      lede={
        apiKeys &&
        `${formatNumber(apiKeys.active)} of ${formatNumber(apiKeys.max)} keys of the ${plan?.name} plan are active.`
      }
      actions={
        <button
          type="button"
          class="first"
          disabled={plan === undefined || isFull}
          onClick={() => setOpened({ action: 'create' })}
        >
          Create a key
        </button>
      }
    >
      {isFull && (
        <p class="notice">
          Your plan allows no more keys. Revoke one, or <a href="/dashboard/billing">choose a larger plan</a>.
        </p>
      )}
      <Loaded of={keys}>
        {(all) => {
          const ended = all.filter((key) => !key.isActive && key.inactiveReason === undefined)
          const usable = all.filter((key) => !ended.includes(key))
          return (
            <>
              <Card>
                {usable.length === 0 ? (
                  <Empty title="You have no active key.">
                    <p>A key lets your programs call the API. Create one to begin.</p>
                  </Empty>
                ) : (
                  <KeyTable caption="Active keys" keys={usable} onAction={setOpened} />
                )}
              </Card>
              {ended.length > 0 && (
                <details class="card">
                  <summary>Revoked and expired keys ({formatNumber(ended.length)})</summary>
                  <KeyTable caption="Revoked and expired keys" keys={ended} />
                </details>
              )}
            </>
          )
        }}
      </Loaded>
      {opened?.action === 'create' && plan !== undefined && (
        <CreateKey mayExpire={plan.customKeyExpiration} onClose={close} />
      )}
      {opened?.action === 'edit' && <EditKey of={opened.key} onClose={close} />}
      {opened?.action === 'rotate' && <RotateKey of={opened.key} onClose={close} />}
      {opened?.action === 'revoke' && <RevokeKey of={opened.key} onClose={close} />}
    </Page>
  )
}

interface KeyTableProps {
  caption: string
  keys: readonly AccountApiKey[]
  onAction?: (opened: Opened) => void
}

function KeyTable({ caption, keys, onAction }: KeyTableProps) {
  const usage = usePeriodUsage()
  const sums = usage.data && sumsBy(usage.data, 'apiKeyId')
  return (
    <DataTable
      caption={caption}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: (key) => (
            <>
              <strong>{key.name}</strong> <Marks of={key} />
            </>
          ),
        },
        { title: 'Key', cell: ({ keyPrefix }) => <code>{keyPrefix}…</code> },
        {
          title: 'Last used',
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? <span class="quiet">never</span> : <Time at={lastUsedAt} as="ago" />,
        },
        {
          title: 'Expires',
          cell: ({ expiresAt }) =>
            expiresAt === null ? <span class="quiet">never</span> : <Time at={expiresAt} as="date" />,
        },
        {
          title: 'This month',
          isNumber: true,
          cell: ({ id }) => {
            if (sums === undefined) return '…'
            const { requests, credits } = sums.get(id) ?? { requests: 0, credits: 0 }
            return (
              <a href={`/dashboard/logs?key=${id}`} title={`${formatNumber(requests)} requests`}>
                {formatCredits(credits)}
              </a>
            )
          },
        },
        ...(onAction === undefined
          ? []
          : [{ title: 'Actions', cell: (key: AccountApiKey) => <Actions of={key} onAction={onAction} /> }]),
      ]}
    />
  )
}

function Marks({
  of: { isActive, inactiveReason, scopes, allowedAddresses, oldSecretExpiresAt },
}: {
  of: AccountApiKey
}) {
  return (
    <span class="marks">
      {inactiveReason === 'plan_limit' && (
        <Badge tone="warn">
          <span title="The plan allows fewer keys. It works again with a larger plan.">paused by the plan</span>
        </Badge>
      )}
      {!isActive && inactiveReason === undefined && <Badge>ended</Badge>}
      {scopes !== undefined && <Badge tone="accent">{scopes.join(', ')} only</Badge>}
      {allowedAddresses !== undefined && (
        <Badge tone="accent">
          <span title={allowedAddresses.join(', ')}>
            {allowedAddresses.length === 1
              ? `from ${allowedAddresses[0]}`
              : `from ${formatNumber(allowedAddresses.length)} networks`}
          </span>
        </Badge>
      )}
      {oldSecretExpiresAt !== undefined && (
        <Badge tone="warn">
          old secret works until <Time at={oldSecretExpiresAt} />
        </Badge>
      )}
    </span>
  )
}

function Actions({ of: key, onAction }: { of: AccountApiKey; onAction: (opened: Opened) => void }) {
  const button = (action: 'edit' | 'rotate' | 'revoke', text: string) => (
    <button
      type="button"
      class="second small"
      aria-label={`${text} ${key.name}`}
      onClick={() => onAction({ action, key })}
    >
      {text}
    </button>
  )
  return (
    <span class="actions">
      {button('edit', 'Edit')}
      {key.isActive && button('rotate', 'Rotate')}
      {button('revoke', 'Revoke')}
    </span>
  )
}

function RevokeKey({ of: { id, name, keyPrefix }, onClose }: { of: AccountApiKey; onClose: () => void }) {
  const revoke = useMutation(() => mintick.account.keys.delete(id), {
    changes: KEY_CHANGES,
    onSuccess: onClose,
    onSettled: focusTitle,
  })
  return (
    <Confirm
      title={`Revoke ${name}?`}
      action="Revoke the key"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.run()}
      onClose={onClose}
    >
      <p>
        Programs that use <code>{keyPrefix}…</code> are refused at once, and its streams end. This cannot be undone.
      </p>
    </Confirm>
  )
}
