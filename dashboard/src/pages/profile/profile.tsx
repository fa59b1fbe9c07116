import { useState } from 'preact/hooks'
import { useMutation } from '../../api/query.ts'
import { callSignIn, currentUser, loadSession, session } from '../../api/session.ts'
import { Field, Form } from '../../ui/form.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { CurrentPassword, HiddenUsername, NewPassword } from '../../ui/password.tsx'
import { ErrorNotice } from '../../ui/states.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** The person who is signed in: address, password, second factor and sessions. */
export default function Profile() {
  const { email, isManaged } = currentUser()
  return (
    <Page title="Profile and security">
      {isManaged ? (
        <p class="notice">You are signed in as {email}. Your organisation manages the address and how you sign in.</p>
      ) : (
        <>
          <div class="columns">
            <Address />
            <Password />
          </div>
          <SecondFactor />
        </>
      )}
      <Sessions />
    </Page>
  )
}

function Address() {
  const { email, isConfirmed, hasPassword } = currentUser()
  const isMailed = session.value?.features.mail ?? false
  const [asked, setAsked] = useState<string>()
  const change = useMutation(async (values: Record<string, string>) => {
    await callSignIn('PATCH', '/user', values)
    await loadSession()
    setAsked(values.email)
  })
  const isWaiting = asked !== undefined && asked.toLowerCase() !== currentUser().email
  return (
    <Card title="Email address">
      <p>
        {email === null ? 'You have not set an address yet. With one, you can sign in by password.' : email}{' '}
        {email !== null && !isConfirmed && <Badge tone="warn">not confirmed</Badge>}
      </p>
      <Form onSubmit={change.run}>
        <Field label={email === null ? 'Your address' : 'New address'} name="email" error={change.error}>
          {(props) => <input {...props} name="email" type="email" autocomplete="email" required />}
        </Field>
        {hasPassword && <CurrentPassword name="current" label="Your password" error={change.error} />}
        {change.error !== null && <ErrorNotice error={change.error} />}
        {change.isSuccess && (
          <p class="notice good" role="status">
            {isWaiting ? linkNote(asked, isMailed) : 'Saved.'}
          </p>
        )}
        <button type="submit" class="second" disabled={change.isPending}>
          {email === null ? 'Set the address' : 'Change the address'}
        </button>
      </Form>
    </Card>
  )
}

const linkNote = (email: string, isMailed: boolean) =>
  isMailed
    ? `We have sent a link to ${email}. The address changes once you open it.`
    : `This service sends no mails. The link that confirms ${email} is in its log: ask the operator.`

function Password() {
  const { email, hasPassword } = currentUser()
  const [form, setForm] = useState<HTMLFormElement>()
  const change = useMutation(
    async (values: Record<string, string>) => {
      await callSignIn('POST', '/password', values)
      await loadSession()
    },
    { onSuccess: () => form?.reset() },
  )
  return (
    <Card title="Password">
      <Form
        onSubmit={(values, element) => {
          setForm(element)
          change.run(values)
        }}
      >
        <HiddenUsername email={email} />
        {hasPassword && <CurrentPassword name="current" label="Current password" error={change.error} />}
        <NewPassword label="New password" error={change.error} />
        {change.error !== null && <ErrorNotice error={change.error} />}
        {change.isSuccess && (
          <p class="notice good" role="status">
            The password is saved. Other sessions have ended.
          </p>
        )}
        <button type="submit" class="second" disabled={change.isPending}>
          {hasPassword ? 'Change the password' : 'Set a password'}
        </button>
      </Form>
    </Card>
  )
}
