import type { UpdateAccountAlertsParams } from 'mintick-client'
import { useState } from 'preact/hooks'
import { useAccount } from '../../api/account.ts'
import { mintick } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { ErrorNotice, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

/** The alert about a low balance: its threshold, webhook and mail. */
export function BalanceAlert() {
  const account = useAccount()
  const alerts = useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => mintick.account.alerts.get({}, { signal }),
  })
  const [secret, setSecret] = useState<string>()
  const save = useMutation((changes: UpdateAccountAlertsParams) => mintick.account.alerts.update(changes), {
    changes: [['alerts']],
    onSuccess: ({ webhookSecret }) => setSecret(webhookSecret),
  })
  const mayMail = (session.value?.features.mail ?? false) && account.data?.email != null
  return (
    <Card title="Alert about a low balance">
      <Loaded of={alerts}>
        {({ lowBalance, isBelow, webhookUrl, email, lastFailure }) => (
          <>
            {lowBalance !== null && (
              <p>
                {isBelow ? (
                  <Badge tone="warn">The balance is below {formatCredits(lowBalance)}</Badge>
                ) : (
                  <Badge tone="good">On, below {formatCredits(lowBalance)}</Badge>
                )}
              </p>
            )}
            {lastFailure !== undefined && (
              <p class="notice warn">
                The last message did not arrive (<Time at={lastFailure.at} />
                ): {lastFailure.reason}
              </p>
            )}
            <Form
              key={`${lowBalance} ${webhookUrl} ${email}`}
              onSubmit={(values) => {
                const url = values.webhookUrl ?? null
                save.run({
                  lowBalance: values.lowBalance === undefined ? null : Number(values.lowBalance),
                  // A new secret belongs to each address that is set.
                  ...(url !== webhookUrl && { webhookUrl: url }),
                  email: values.email === 'yes',
                })
              }}
            >
              <div class="filters">
                <Field label="Tell me below" name="lowBalance" hint="Credits. Empty: no alert." error={save.error}>
                  {(props) => (
                    <input
                      {...props}
                      name="lowBalance"
                      type="number"
                      min={1}
                      step={1}
                      inputMode="numeric"
                      defaultValue={lowBalance ?? ''}
                    />
                  )}
                </Field>
                <Field
                  label="Webhook"
                  name="webhookUrl"
                  hint="Address that gets a signed POST request"
                  error={save.error}
                >
                  {(props) => (
                    <input
                      {...props}
                      name="webhookUrl"
                      type="url"
                      placeholder="https://"
                      defaultValue={webhookUrl ?? ''}
                    />
                  )}
                </Field>
              </div>
              <label class="check">
                <input type="checkbox" name="email" value="yes" defaultChecked={email} disabled={!mayMail && !email} />
                {mayMail ? `Mail to ${account.data?.email}` : 'Mail (needs an address, and a service that sends mails)'}
              </label>
              {secret !== undefined && (
                <div class="notice good" role="status">
                  <p>The secret that signs the requests to your webhook. It is shown only this once.</p>
                  <p class="secret">
                    <code>{secret}</code>
                    <CopyButton text={secret} />
                  </p>
                </div>
              )}
              {save.error !== null && <ErrorNotice error={save.error} />}
              <p class="after-stats actions">
                <button type="submit" class="second" disabled={save.isPending}>
                  {save.isPending ? 'Saving…' : 'Save the alert'}
                </button>
                {save.isSuccess && <span role="status">Saved.</span>}
              </p>
            </Form>
          </>
        )}
      </Loaded>
    </Card>
  )
}
