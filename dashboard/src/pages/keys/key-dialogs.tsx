import type { AccountApiKey, CreatedAccountApiKey } from 'mintick-client'
import { useState } from 'preact/hooks'
import { mintick } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { NewSecret } from '../../ui/new-secret.tsx'
import { Time } from '../../ui/time.tsx'
import { KEY_CHANGES, NameField, RestrictionFields, restrictionsIn } from './key-form.tsx'

const OVERLAPS = [
  { hours: 0, text: 'Not at all: it stops at once' },
  { hours: 1, text: 'For an hour' },
  { hours: 24, text: 'For a day' },
  { hours: 168, text: 'For a week' },
]
const USUAL_OVERLAP = 24

type Values = Record<string, string>

export function CreateKey({ mayExpire, onClose }: { mayExpire: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedAccountApiKey>()
  const create = useMutation(
    ({ name = '', expiresAt, ...values }: Values) =>
      mintick.account.keys.create({
        name,
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
        ...restrictionsIn(values),
      }),
    { changes: KEY_CHANGES, onSuccess: setCreated },
  )
  if (created !== undefined) return <NewSecret title="Your new key" secret={created.apiKey} onClose={onClose} />
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <Form onSubmit={create.run}>
        <NameField error={create.error} />
        <Field
          label="Expires"
          name="expiresAt"
          hint={
            mayExpire ? (
              'Leave it empty for a key that does not expire.'
            ) : (
              <>
                Keys with an expiry need the Professional plan. <a href="/dashboard/billing">See the plans</a>
              </>
            )
          }
          error={create.error}
        >
          {(props) => <input {...props} name="expiresAt" type="datetime-local" disabled={!mayExpire} />}
        </Field>
        <RestrictionFields error={create.error} />
        <FormButtons action="Create" isPending={create.isPending} error={create.error} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

export function EditKey({ of: key, onClose }: { of: AccountApiKey; onClose: () => void }) {
  const edit = useMutation(
    ({ name = '', ...values }: Values) => mintick.account.keys.update(key.id, { name, ...restrictionsIn(values) }),
    { changes: KEY_CHANGES, onSuccess: onClose },
  )
  return (
    <Dialog title={`Edit ${key.name}`} onClose={onClose}>
      <Form onSubmit={edit.run}>
        <NameField name={key.name} error={edit.error} />
        <RestrictionFields of={key} error={edit.error} />
        <FormButtons action="Save" isPending={edit.isPending} error={edit.error} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

export function RotateKey({ of: key, onClose }: { of: AccountApiKey; onClose: () => void }) {
  const [rotated, setRotated] = useState<CreatedAccountApiKey>()
  const rotate = useMutation(
    ({ overlapHours }: Values) => mintick.account.keys.rotate(key.id, { overlapHours: Number(overlapHours) }),
    { changes: KEY_CHANGES, onSuccess: setRotated },
  )
  if (rotated !== undefined) {
    return (
      <NewSecret title={`The new secret of ${key.name}`} secret={rotated.apiKey} onClose={onClose}>
        {rotated.oldSecretExpiresAt !== undefined && (
          <p class="quiet">
            The old secret works until <Time at={rotated.oldSecretExpiresAt} />.
          </p>
        )}
      </NewSecret>
    )
  }
  return (
    <Dialog title={`Rotate ${key.name}`} onClose={onClose}>
      <p>The key gets a new secret. It keeps its name, its limits and its usage.</p>
      <Form onSubmit={rotate.run}>
        <Field label="How long the old secret still works">
          {(props) => (
            <select {...props} name="overlapHours">
              {OVERLAPS.map(({ hours, text }) => (
                <option key={hours} value={hours} selected={hours === USUAL_OVERLAP}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <FormButtons action="Rotate" isPending={rotate.isPending} error={rotate.error} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
