import type { BillingCheckout } from 'mintick-client'
import { useEffect } from 'preact/hooks'
import { mintick } from '../../api/clients.ts'
import { queries, useQuery } from '../../api/query.ts'
import { useAddress } from '../../ui/address.ts'
import { ErrorNotice } from '../../ui/states.tsx'
import { BILLING_CHANGES } from './subscription-buttons.tsx'

const POLL_MS = 2_000

/** Says what came of the checkout from which the reader returns: its id is in the address. */
export function CheckoutNotice() {
  const { values, linkTo } = useAddress()
  return values.checkout === undefined ? null : (
    <Outcome sessionId={values.checkout} closeTo={linkTo({ checkout: undefined })} />
  )
}

function Outcome({ sessionId, closeTo }: { sessionId: string; closeTo: string }) {
  const checkout = useQuery({
    queryKey: ['checkout', sessionId],
    queryFn: ({ signal }) => mintick.billing.checkout.get(sessionId, {}, { signal }),
    refetchInterval: ({ state }) => state.data?.status === 'processing' && POLL_MS,
  })
  const status = checkout.data?.status
  useEffect(() => {
    if (status !== 'paid') return
    for (const queryKey of BILLING_CHANGES) void queries.invalidateQueries({ queryKey })
  }, [status])
  if (checkout.error !== null) return <ErrorNotice error={checkout.error} />
  if (checkout.data === undefined) return null
  return (
    <div class={`notice ${TONES[checkout.data.status]}`} role="status">
      <p>{textOf(checkout.data)}</p>
      <a href={closeTo}>Close</a>
    </div>
  )
}

const TONES = { open: 'warn', processing: '', paid: 'good', failed: 'bad', expired: 'warn' }

function textOf({ status, planSlug, checkoutUrl }: BillingCheckout) {
  switch (status) {
    case 'paid':
      return planSlug === null
        ? 'Thank you. The payment is confirmed, and the credits are in your balance.'
        : 'Thank you. The payment is confirmed, and your new plan is in effect.'
    case 'processing':
      return 'Your payment is being confirmed. This page tells you once it is.'
    case 'failed':
      return 'The payment failed, and nothing was bought. You can try again below.'
    case 'expired':
      return 'The checkout has expired, and nothing was bought.'
    case 'open':
      return <>Nothing was paid yet. {checkoutUrl !== null && <a href={checkoutUrl}>Go back to the payment</a>}</>
  }
}
