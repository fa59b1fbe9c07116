import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useMutation } from '../../api/query.ts'
import { callSignIn, loadSession, session } from '../../api/session.ts'
import { Field, Form, focusAtOnce } from '../../ui/form.tsx'
import { CurrentPassword, HiddenUsername, NewPassword } from '../../ui/password.tsx'
import { ErrorNotice } from '../../ui/states.tsx'

type Status = { status: 'signed-in' | 'code-needed' | 'check-mail' }
type LinkStatus = { status: 'signed-in' | 'code-needed' | 'password-needed'; email: string | null }

/** The pages of a person who is not signed in. Any other address asks to sign in, and is shown afterwards. */
export function SignedOut() {
  const { path } = useLocation()
  const { signUp } = session.value?.features ?? { signUp: false }
  if (path === '/dashboard/link') return <UseLink />
  if (path === '/dashboard/reset') return location.hash.length > 1 ? <ChooseNewPassword /> : <AskReset />
  if (path === '/dashboard/sign-up' && signUp) return <SignUp />
  return <SignIn />
}

/** Returns the secret behind # in the address and removes it from there, so that it is not left in the history. */
function takeSecret(): string {
  const secret = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  return secret
}

function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} – Mintick`
  }, [title])
  return (
    <main class="gate">
      <p class="brand">Mintick</p>
      <h1>{title}</h1>
      {children}
    </main>
  )
}

/** Shows the page that was asked for, or the overview after a page of this file. */
async function enter(route: (path: string, replace?: boolean) => void): Promise<void> {
  await loadSession()
  if (/^\/dashboard\/(?:sign-in|sign-up|link|reset)$/.test(location.pathname)) route('/dashboard', true)
}

function SignIn() {
  const { route } = useLocation()
  const { signUp, oidc } = session.value?.features ?? { signUp: false, oidc: null }
  const [given, setGiven] = useState<Record<string, string>>()
  const signIn = useMutation(async (values: Record<string, string>) => {
    const { status } = await callSignIn<Status>('POST', '/sign-in', values)
    if (status === 'code-needed') setGiven(values)
    else await enter(route)
  })
  if (given !== undefined) {
    return (
      <SecondFactor
        error={signIn.error}
        isPending={signIn.isPending}
        onCode={(code) => signIn.run({ ...given, code })}
      />
    )
  }
  return (
    <Frame title="Sign in">
      <Form onSubmit={signIn.run}>
        <Email error={signIn.error} />
        <CurrentPassword error={signIn.error} />
        {signIn.error !== null && <ErrorNotice error={signIn.error} />}
        <button type="submit" class="first" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </button>
      </Form>
      <p>
        <a href="/dashboard/reset">I forgot my password</a>
      </p>
      {oidc !== null && (
        <p>
          <a href="/dashboard/auth/oidc" target="_self">
            Sign in with {oidc.name}
          </a>
        </p>
      )}
      {signUp && (
        <p>
          New here? <a href="/dashboard/sign-up">Create an account</a>
        </p>
      )}
      <OwnerHint />
    </Frame>
  )
}

/** Tells people on the machine of the service how its owner signs in. */
function OwnerHint() {
  if (!['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) return null
  return (
    <p class="quiet small">
      You run this service? <code>npx mintick sign-in-link</code> prints a link that signs you in.
    </p>
  )
}

function SecondFactor({
  email = null,
  error,
  isPending,
  onCode,
}: {
  email?: string | null
  error: Error | null
  isPending: boolean
  onCode: (code: string) => void
}) {
  return (
    <Frame title="Second factor">
      {email !== null && <p>This link signs you in as {email}.</p>}
      <Form onSubmit={({ code = '' }) => onCode(code)}>
        <Field label="Code" hint="Six digits of your authenticator app, or one of your recovery codes">
          {(props) => <input {...props} ref={focusAtOnce} name="code" autocomplete="one-time-code" required />}
        </Field>
        {error !== null && <ErrorNotice error={error} />}
        <button type="submit" class="first" disabled={isPending}>
          Continue
        </button>
      </Form>
    </Frame>
  )
}

function SignUp() {
  const { route } = useLocation()
  const { mail } = session.value?.features ?? { mail: false }
  const [isMailed, setMailed] = useState(false)
  const signUp = useMutation(async (values: Record<string, string>) => {
    const { status } = await callSignIn<Status>('POST', '/sign-up', values)
    if (status === 'check-mail') setMailed(true)
    else await enter(route)
  })
  if (isMailed) return <CheckMail />
  return (
    <Frame title="Create an account">
      <Form onSubmit={signUp.run}>
        <Email error={signUp.error} />
        {!mail && <NewPassword error={signUp.error} />}
        {signUp.error !== null && <ErrorNotice error={signUp.error} />}
        <button type="submit" class="first" disabled={signUp.isPending}>
          {signUp.isPending ? 'Creating…' : 'Create the account'}
        </button>
      </Form>
      <p>
        You have one? <a href="/dashboard/sign-in">Sign in</a>
      </p>
    </Frame>
  )
}

function CheckMail() {
  if (!session.value?.features.mail) {
    return (
      <Frame title="Ask the operator">
        <p>This service sends no mails. If the address has an account, a link for you is in the log of the service.</p>
      </Frame>
    )
  }
  return (
    <Frame title="Check your mail">
      <p>We have sent you a link. Open it in this browser to go on.</p>
      <p class="quiet">If nothing arrives, look into the folder for spam, or ask the operator.</p>
    </Frame>
  )
}

function AskReset() {
  const ask = useMutation((values: Record<string, string>) => callSignIn('POST', '/reset', values))
  if (ask.isSuccess) return <CheckMail />
  return (
    <Frame title="Reset your password">
      <Form onSubmit={ask.run}>
        <Email error={ask.error} />
        {ask.error !== null && <ErrorNotice error={ask.error} />}
        <button type="submit" class="first" disabled={ask.isPending}>
          Send me a link
        </button>
      </Form>
      <p>
        <a href="/dashboard/sign-in">Back</a>
      </p>
    </Frame>
  )
}

function ChooseNewPassword() {
  const { route } = useLocation()
  const [token] = useState(takeSecret)
  const change = useMutation(async (values: Record<string, string>) => {
    await callSignIn('POST', '/password', { ...values, token })
    // All sessions have ended.
    await loadSession()
    route('/dashboard/sign-in', true)
  })
  return (
    <Frame title="Choose a new password">
      <Form onSubmit={change.run}>
        <HiddenUsername />
        <NewPassword error={change.error} />
        {change.error !== null && <ErrorNotice error={change.error} />}
        <button type="submit" class="first" disabled={change.isPending}>
          Save the password
        </button>
      </Form>
    </Frame>
  )
}

/** Redeems a link by a button: programs that check links in mails must not use it up. */
function UseLink() {
  const { route } = useLocation()
  const [token] = useState(takeSecret)
  const [needed, setNeeded] = useState<LinkStatus>()
  const redeem = useMutation(async (values: Record<string, string>) => {
    const answer = await callSignIn<LinkStatus>('POST', '/link', { token, ...values })
    if (answer.status === 'signed-in') await enter(route)
    else setNeeded(answer)
  })
  const { error, isPending } = redeem
  if (needed?.status === 'code-needed') {
    return (
      <SecondFactor email={needed.email} error={error} isPending={isPending} onCode={(code) => redeem.run({ code })} />
    )
  }
  if (needed?.status === 'password-needed') {
    return (
      <Frame title="Choose a password">
        <p>This creates your account with the address {needed.email}.</p>
        <Form onSubmit={redeem.run}>
          <HiddenUsername email={needed.email} />
          <NewPassword error={error} />
          {error !== null && <ErrorNotice error={error} />}
          <button type="submit" class="first" disabled={isPending}>
            Create the account
          </button>
        </Form>
      </Frame>
    )
  }
  return (
    <Frame title="Welcome">
      <p>This link works once.</p>
      {error !== null && <ErrorNotice error={error} />}
      <button type="button" class="first" disabled={isPending} onClick={() => redeem.run({})}>
        Sign in
      </button>
      {error !== null && (
        <>
          <p>
            <a href="/dashboard/sign-in">Sign in with a password</a>
          </p>
          <OwnerHint />
        </>
      )}
    </Frame>
  )
}

function Email({ error }: { error: Error | null }) {
  return (
    <Field label="Email address" name="email" error={error}>
      {(props) => <input {...props} name="email" type="email" autocomplete="username" required />}
    </Field>
  )
}
