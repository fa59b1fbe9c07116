import type { AdminAccount } from 'mintick-client/admin'
import { useMemo, useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { formatCredits } from '../../ui/format.ts'
import { nameOf } from './account-name.ts'
import { FLAGS, type Overrides, PLAN_FIELDS, PLAN_SLUGS, type PlanSlug } from './plan-fields.ts'

interface DialogProps {
  of: AdminAccount
  onClose: () => void
}

/** Adds or removes credits, after a look at what that means. However often it is confirmed, it happens once. */
export function GrantCredits({ of: account, onClose }: DialogProps) {
  const [given, setGiven] = useState<{ credits: number; reason: string }>()
  const idempotencyKey = useMemo(newKey, [given])
  const grant = useMutation(
    (adjustment: { credits: number; reason: string }) =>
      admin.accounts.credits(account.id, adjustment, { idempotencyKey }),
    { changes: [['accounts']], onSuccess: onClose },
  )
  if (given !== undefined) {
    const { credits } = given
    return (
      <Confirm
        title={credits > 0 ? 'Grant credits' : 'Remove credits'}
        action={credits > 0 ? `Grant ${formatCredits(credits)}` : `Remove ${formatCredits(-credits)}`}
        isHarmless={credits > 0}
        isPending={grant.isPending}
        error={grant.error}
        onConfirm={() => grant.run(given)}
        onClose={onClose}
      >
        <p>
          The balance of <strong>{nameOf(account)}</strong> becomes {formatCredits(account.balance + credits)}. The
          billing history of the account shows: “{given.reason}”
        </p>
      </Confirm>
    )
  }
  return (
    <Dialog title="Grant credits" onClose={onClose}>
      <Form onSubmit={({ credits, reason = '' }) => setGiven({ credits: Number(credits), reason })}>
        <Field label="Credits" hint="A negative number removes credits.">
          {(props) => <input {...props} name="credits" type="number" step={1} required />}
        </Field>
        <Field label="Reason" hint="The owner of the account sees it in the billing history.">
          {(props) => <input {...props} name="reason" required maxLength={500} />}
        </Field>
        <FormButtons action="Continue" isPending={false} error={null} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

/** Returns a random key; browsers have crypto.randomUUID only on secure pages. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('')

/** Changes the plan, and the values agreed for this account. */
export function ChangePlan({ of: account, onClose }: DialogProps) {
  const { subscription, overrides } = account
  const change = useMutation(
    ({ plan, ...values }: Record<string, string>) =>
      admin.accounts.update(account.id, {
        ...(plan !== undefined && plan !== account.plan && { plan: plan as PlanSlug }),
        overrides: overridesIn(values),
      }),
    { changes: [['accounts']], onSuccess: onClose },
  )
  const plan = account.effectivePlan
  return (
    <Dialog title={`Plan of ${nameOf(account)}`} onClose={onClose}>
      <Form onSubmit={change.run}>
        <Field
          label="Plan"
          name="plan"
          hint={
            subscription === null ? undefined : 'The subscription sets it. Cancel the subscription to change it here.'
          }
          error={change.error}
        >
          {(props) => (
            <select {...props} name="plan" disabled={subscription !== null}>
              {PLAN_SLUGS.map((slug) => (
                <option key={slug} selected={slug === account.plan}>
                  {slug}
                </option>
              ))}
            </select>
          )}
        </Field>
        <h3>Agreed values</h3>
        <p class="quiet small">An empty field takes the value of the plan.</p>
        <div class="filters">
          {(Object.keys(PLAN_FIELDS) as (keyof Overrides)[]).map((field) => (
            <Field key={field} label={PLAN_FIELDS[field]} name={`overrides.${field}`} error={change.error}>
              {(props) =>
                FLAGS.has(field) ? (
                  <select {...props} name={field}>
                    <option value="">as in the plan</option>
                    <option value="true" selected={overrides[field] === true}>
                      yes
                    </option>
                    <option value="false" selected={overrides[field] === false}>
                      no
                    </option>
                  </select>
                ) : (
                  <input
                    {...props}
                    name={field}
                    type="number"
                    min={0}
                    step="any"
                    defaultValue={String(overrides[field] ?? '')}
                    placeholder={field in overrides ? '' : String(plan[field] ?? '')}
                  />
                )
              }
            </Field>
          ))}
        </div>
        <FormButtons action="Save" isPending={change.isPending} error={change.error} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function overridesIn(values: Record<string, string>): Overrides {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      FLAGS.has(field as keyof Overrides) ? value === 'true' : Number(value),
    ]),
  )
}
