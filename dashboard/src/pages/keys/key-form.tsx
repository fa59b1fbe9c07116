import type { AccountApiKey } from 'mintick-client'
import { Field } from '../../ui/form.tsx'

/** The queries that a change of a key changes. */
export const KEY_CHANGES = [['keys'], ['account']]

const SCOPES = [
  { scope: 'data', about: 'read market data' },
  { scope: 'account', about: 'read usage and logs, and manage keys' },
  { scope: 'billing', about: 'buy packs and change the plan' },
] as const

type Restrictions = Pick<AccountApiKey, 'scopes' | 'allowedAddresses'>

/** The fields that restrict a key to parts of the API and to addresses. */
export function RestrictionFields({ of = {}, error }: { of?: Restrictions; error: Error | null }) {
  const { scopes, allowedAddresses } = of
  return (
    <details open={scopes !== undefined || allowedAddresses !== undefined}>
      <summary>Restrict</summary>
      <fieldset>
        <legend>The key may</legend>
        {SCOPES.map(({ scope, about }) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              name={`scope-${scope}`}
              value="yes"
              defaultChecked={scopes === undefined || scopes.includes(scope)}
            />
            {about}
          </label>
        ))}
      </fieldset>
      <Field
        label="Addresses"
        name="allowedAddresses"
        hint="Networks that may use the key, one per line, such as 192.0.2.7 or 2001:db8::/32. Empty: any."
        error={error}
      >
        {(props) => (
          <textarea {...props} name="allowedAddresses" rows={3} defaultValue={(allowedAddresses ?? []).join('\n')} />
        )}
      </Field>
    </details>
  )
}

/** Returns the restrictions in the values of a form; null lifts one. */
export function restrictionsIn(values: Record<string, string>) {
  const scopes = SCOPES.map(({ scope }) => scope).filter((scope) => values[`scope-${scope}`] === 'yes')
  const addresses = (values.allowedAddresses ?? '').split(/[\s,]+/).filter((address) => address !== '')
  return {
    scopes: scopes.length === SCOPES.length ? null : scopes,
    allowedAddresses: addresses.length === 0 ? null : addresses,
  }
}

export function NameField({ name, error }: { name?: string; error: Error | null }) {
  return (
    <Field label="Name" name="name" hint="Tells the key from others, such as laptop or nightly job" error={error}>
      {(props) => (
        <input {...props} name="name" type="text" maxLength={100} autocomplete="off" defaultValue={name} required />
      )}
    </Field>
  )
}
