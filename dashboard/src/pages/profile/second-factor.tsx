import { useState } from 'preact/hooks'
import { useMutation } from '../../api/query.ts'
import { callSignIn, currentUser, loadSession } from '../../api/session.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { downloadText } from '../../ui/download.ts'
import { Field, Form } from '../../ui/form.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { CurrentPassword, HiddenUsername } from '../../ui/password.tsx'
import { ErrorNotice } from '../../ui/states.tsx'
import { QrCode } from './qr-code.tsx'

interface Offer {
  secret: string
  uri: string
}

type Values = Record<string, string>

/** Codes of an authenticator app as a second factor: turn it on, keep the recovery codes, turn it off. */
export function SecondFactor() {
  const { hasSecondFactor, hasPassword } = currentUser()
  const [offer, setOffer] = useState<Offer>()
  const [codes, setCodes] = useState<string[]>()
  const [isAsking, setAsking] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const begin = useMutation((values: Values) => callSignIn<Offer>('POST', '/second-factor', values), {
    onSuccess: (secret) => {
      setOffer(secret)
      setAsking(false)
    },
  })
  const confirm = useMutation(
    (values: Values) => callSignIn<{ recoveryCodes: string[] }>('POST', '/second-factor/confirm', values),
    {
      onSuccess: async ({ recoveryCodes }) => {
        setCodes(recoveryCodes)
        setOffer(undefined)
        await loadSession()
      },
    },
  )
  return (
    <Card title={<>Second factor {hasSecondFactor ? <Badge tone="good">on</Badge> : <Badge>off</Badge>}</>}>
      <p class="quiet">
        With a second factor, signing in also needs a code of an app on your phone. A stolen password is then not
        enough. Turning it on ends your other sessions.
      </p>
      {!isAsking && begin.error !== null && <ErrorNotice error={begin.error} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onStored={() => setCodes(undefined)} />}
      {offer !== undefined && (
        <div class="second-factor">
          <QrCode text={offer.uri} label="Code to scan with your authenticator app" />
          <div>
            <p>Scan the code with your authenticator app, or enter this secret:</p>
            <p class="secret">
              <code>{offer.secret}</code>
              <CopyButton text={offer.secret} />
            </p>
            <Form onSubmit={confirm.run}>
              <CodeField hint="Six digits that the app shows now" error={confirm.error} />
              {confirm.error !== null && <ErrorNotice error={confirm.error} />}
              <div class="actions">
                <button type="submit" class="first" disabled={confirm.isPending}>
                  Turn it on
                </button>
                <button type="button" class="second" onClick={() => setOffer(undefined)}>
                  Not now
                </button>
              </div>
            </Form>
          </div>
        </div>
      )}
      {offer === undefined && codes === undefined && (
        <button
          type="button"
          class="second"
          disabled={begin.isPending}
          onClick={() => {
            if (hasSecondFactor) setRemoving(true)
            else if (hasPassword) setAsking(true)
            else begin.run({})
          }}
        >
          {hasSecondFactor ? 'Turn it off' : 'Set it up'}
        </button>
      )}
      {isAsking && <AskPassword {...begin} onClose={() => setAsking(false)} />}
      {isRemoving && <Remove onClose={() => setRemoving(false)} />}
    </Card>
  )
}

function AskPassword({
  error,
  isPending,
  run,
  onClose,
}: {
  error: Error | null
  isPending: boolean
  run: (values: Values) => void
  onClose: () => void
}) {
  return (
    <Dialog title="Set up the second factor" onClose={onClose}>
      <Form onSubmit={run}>
        <HiddenUsername email={currentUser().email} />
        <CurrentPassword name="current" error={error} />
        {error !== null && <ErrorNotice error={error} />}
        <div class="actions end">
          <button type="button" class="second" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="first" disabled={isPending}>
            Continue
          </button>
        </div>
      </Form>
    </Dialog>
  )
}

function CodeField({ hint, error }: { hint: string; error: Error | null }) {
  return (
    <Field label="Code" name="code" hint={hint} error={error}>
      {(props) => <input {...props} name="code" autocomplete="one-time-code" minLength={6} required />}
    </Field>
  )
}

function RecoveryCodes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <section class="notice good" aria-label="Recovery codes">
      <p>
        <strong>The second factor is on.</strong> Store these recovery codes. Each signs you in once if you lose your
        phone. They are shown only this once.
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton text={text} label="Copy the codes" />
        <button
          type="button"
          class="second small"
          onClick={() => downloadText('mintick-recovery-codes.txt', 'text/plain', text)}
        >
          Download
        </button>
        <button type="button" class="second small" onClick={onStored}>
          I have stored them
        </button>
      </div>
    </section>
  )
}

function Remove({ onClose }: { onClose: () => void }) {
  const { email, hasPassword } = currentUser()
  const remove = useMutation(
    async (values: Values) => {
      await callSignIn('POST', '/second-factor/remove', values)
      await loadSession()
    },
    { onSuccess: onClose },
  )
  return (
    <Dialog title="Turn the second factor off?" onClose={onClose}>
      <p>Signing in then needs only your password. Your recovery codes stop working.</p>
      <Form onSubmit={remove.run}>
        <HiddenUsername email={email} />
        {hasPassword && <CurrentPassword error={remove.error} />}
        <CodeField hint="A code of the app, or a recovery code" error={remove.error} />
        {remove.error !== null && <ErrorNotice error={remove.error} />}
        <div class="actions end">
          <button type="button" class="second" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={remove.isPending}>
            Turn it off
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
