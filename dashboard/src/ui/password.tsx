import { Field } from './form.tsx'

const LEAST_LENGTH = 10

/** Names the user to programs that keep passwords; a form with a password needs it. */
export function HiddenUsername({ email }: { email?: string | null }) {
  return <input type="text" autocomplete="username" value={email ?? ''} hidden readOnly />
}

interface PasswordProps {
  label?: string
  name?: string
  error: Error | null
}

export function CurrentPassword({ label = 'Password', name = 'password', error }: PasswordProps) {
  return (
    <Field label={label} name={name} error={error}>
      {(props) => <input {...props} name={name} type="password" autocomplete="current-password" required />}
    </Field>
  )
}

export function NewPassword({ label = 'Password', name = 'password', error }: PasswordProps) {
  return (
    <Field label={label} name={name} hint={`At least ${LEAST_LENGTH} characters`} error={error}>
      {(props) => (
        <input {...props} name={name} type="password" autocomplete="new-password" minLength={LEAST_LENGTH} required />
      )}
    </Field>
  )
}
