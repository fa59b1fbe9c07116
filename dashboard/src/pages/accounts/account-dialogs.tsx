import type { AdminAccount, AdminAccountExport } from 'mintick-client/admin'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { admin } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { downloadText } from '../../ui/download.ts'
import { Field, Form } from '../../ui/form.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { ErrorNotice } from '../../ui/states.tsx'
import { nameOf } from './account-name.ts'

interface DialogProps {
  of: AdminAccount
  onClose: () => void
}

const CHANGES = { changes: [['accounts']] }

export function Suspend({ of: account, onClose }: DialogProps) {
  const suspend = useMutation(
    ({ reason }: Record<string, string>) =>
      admin.accounts.update(account.id, { isActive: false, ...(reason !== undefined && { reason }) }),
    { ...CHANGES, onSuccess: onClose },
  )
  return (
    <Dialog title={`Suspend ${nameOf(account)}`} onClose={onClose}>
      <p>All its keys are refused and its streams end, until you resume it. Nothing is lost.</p>
      <Form onSubmit={suspend.run}>
        <Field label="Reason" hint="For operators; callers are not told." name="reason" error={suspend.error}>
          {(props) => <input {...props} name="reason" maxLength={500} />}
        </Field>
        <FormButtons
          action="Suspend"
          isDangerous
          isPending={suspend.isPending}
          error={suspend.error}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  )
}

export function Resume({ of: account, onClose }: DialogProps) {
  const resume = useMutation(() => admin.accounts.update(account.id, { isActive: true }), {
    ...CHANGES,
    onSuccess: onClose,
  })
  return (
    <Confirm
      title={`Resume ${nameOf(account)}`}
      action="Resume"
      isHarmless
      isPending={resume.isPending}
      error={resume.error}
      onConfirm={() => resume.run()}
      onClose={onClose}
    >
      <p>Its keys work again.</p>
    </Confirm>
  )
}

/** Asks for the name of the account before it is deleted. */
export function DeleteAccount({ of: account, onClose }: DialogProps) {
  const { route } = useLocation()
  const [typed, setTyped] = useState('')
  const name = nameOf(account)
  const remove = useMutation(() => admin.accounts.delete(account.id), {
    ...CHANGES,
    onSuccess: () => route('/dashboard/accounts'),
  })
  return (
    <Dialog title={`Delete ${name}`} onClose={onClose}>
      <p>
        This cannot be undone. It removes the email address, the name, and paths and queries of the request log, revokes
        all keys and ends the streams. Export the account first if its owner wants the data.
      </p>
      <Form onSubmit={() => remove.run()}>
        <Field label={`Type “${name}” to confirm`}>
          {(props) => (
            <input
              {...props}
              autocomplete="off"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </Field>
        <FormButtons
          action="Delete for good"
          isDangerous
          isReady={typed.trim() === name}
          isPending={remove.isPending}
          error={remove.error}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  )
}

/** Saves everything that is stored about an account as a file. */
export function ExportButton({ of: account }: { of: AdminAccount }) {
  const [parts, setParts] = useState(0)
  const save = useMutation(async () => {
    const whole = await readExport(account.id, setParts)
    downloadText(`account-${account.id}.json`, 'application/json', JSON.stringify(whole, null, 2))
  })
  return (
    <>
      <button type="button" class="second" disabled={save.isPending} onClick={() => save.run()}>
        {save.isPending ? `Reading part ${parts}…` : 'Export'}
      </button>
      {save.error !== null && <ErrorNotice error={save.error} />}
    </>
  )
}

/** Reads all parts of an export and joins their lists. */
async function readExport(id: string, onPart: (part: number) => void): Promise<Omit<AdminAccountExport, 'next'>> {
  onPart(1)
  const { next: second, ...whole } = await admin.accounts.export(id)
  let next = second
  for (let part = 2; next !== null; part += 1) {
    onPart(part)
    const { account: _, next: following, ...lists } = await admin.accounts.export(id, { from: next })
    for (const [name, rows] of Object.entries(lists)) whole[name as keyof typeof lists].push(...rows)
    next = following
  }
  return whole
}
