import type { CreateBillingSubscriptionParams } from 'mintick-client'
import { useState } from 'preact/hooks'
import { mintick } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

export type PaidPlan = CreateBillingSubscriptionParams['planSlug']

/** The queries that a change of the subscription changes. */
export const BILLING_CHANGES = [['billing'], ['account'], ['keys'], ['usage']]

/** A button that takes back a planned change or end of the subscription. */
export function KeepButton({ planSlug, text }: { planSlug: string; text: string }) {
  const keep = useMutation(() => mintick.billing.subscription.change({ planSlug: planSlug as PaidPlan }), {
    changes: BILLING_CHANGES,
  })
  return (
    <>
      <button type="button" class="second small" disabled={keep.isPending} onClick={() => keep.run()}>
        {text}
      </button>
      {keep.error !== null && <ErrorNotice error={keep.error} />}
    </>
  )
}

export function CancelButton({ endsAt }: { endsAt: string }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const cancel = useMutation(() => mintick.billing.subscription.delete(), {
    changes: BILLING_CHANGES,
    onSuccess: close,
  })
  return (
    <>
      <p class="after-stats">
        <button type="button" class="second small" onClick={() => setAsking(true)}>
          Cancel the subscription
        </button>
      </p>
      {isAsking && (
        <Confirm
          title="Cancel the subscription?"
          action="Cancel it"
          isPending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.run()}
          onClose={close}
        >
          <p>
            You keep the plan until <Time at={endsAt} as="date" />, and change to Free then. Bought credits stay. Until
            that day you can change your mind.
          </p>
        </Confirm>
      )}
    </>
  )
}
