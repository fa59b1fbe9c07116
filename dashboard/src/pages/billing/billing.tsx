import { useAccount, useSubscription } from '../../api/account.ts'
import { mintick } from '../../api/clients.ts'
import { useMutation } from '../../api/query.ts'
import { formatNumber } from '../../ui/format.ts'
import { Badge, Card, Page, Stat } from '../../ui/page.tsx'
import { ErrorNotice, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { BalanceAlert } from './balance-alert.tsx'
import { CheckoutNotice } from './checkout-notice.tsx'
import { History } from './history.tsx'
import { Packs } from './packs.tsx'
import { nameOf, Plans, usePlans } from './plans.tsx'
import { CancelButton, KeepButton } from './subscription-buttons.tsx'

/** Plans, credit packs, payments and the history of the balance. */
export default function Billing() {
  const portal = useMutation(() => mintick.billing.portal(), {
    onSuccess: ({ portalUrl }) => location.assign(portalUrl),
  })
  return (
    <Page
      title="Billing"
      actions={
        <button type="button" class="second" disabled={portal.isPending} onClick={() => portal.run()}>
          {portal.isPending ? 'Opening…' : 'Cards and invoices'}
        </button>
      }
    >
      {portal.error !== null && <ErrorNotice error={portal.error} />}
      <CheckoutNotice />
      <Current onPortal={() => portal.run()} />
      <Plans />
      <Packs />
      <BalanceAlert />
      <History />
    </Page>
  )
}

function Current({ onPortal }: { onPortal: () => void }) {
  const account = useAccount()
  const subscription = useSubscription()
  const plans = usePlans()
  const held = subscription.data?.status === 'canceled' ? null : subscription.data
  return (
    <Card title="Your plan">
      <Loaded of={account}>
        {({ plan, credits }) => (
          <>
            {held?.status === 'past_due' && (
              <div class="notice bad" role="alert">
                <p>
                  <strong>The last payment failed.</strong> Your plan goes on for now. Check your card, so that it
                  stays.
                </p>
                <button type="button" class="second small" onClick={onPortal}>
                  Check your card
                </button>
              </div>
            )}
            {held?.pendingPlanSlug != null && (
              <div class="notice">
                <p>
                  From <Time at={held.currentPeriodEnd} as="date" /> you have the{' '}
                  {nameOf(held.pendingPlanSlug, plans.data)} plan.
                </p>
                <KeepButton planSlug={held.planSlug} text={`Stay on ${nameOf(held.planSlug, plans.data)}`} />
              </div>
            )}
            {held?.cancelAtPeriodEnd && (
              <div class="notice warn">
                <p>
                  Your subscription ends on <Time at={held.currentPeriodEnd} as="date" />. Bought credits stay.
                </p>
                <KeepButton planSlug={held.planSlug} text="Keep the subscription" />
              </div>
            )}
            <dl class="stats">
              <Stat
                name="Plan"
                value={
                  <>
                    {plan.name} {held != null && <StatusBadge status={held.status} />}
                  </>
                }
                note={
                  held == null || held.cancelAtPeriodEnd ? undefined : (
                    <>
                      renews on <Time at={held.currentPeriodEnd} as="date" />
                    </>
                  )
                }
              />
              <Stat name="Balance" value={formatNumber(credits.balance)} note="credits" />
              <Stat
                name="Used this month"
                value={formatNumber(credits.usedThisPeriod)}
                note={
                  <>
                    since <Time at={credits.periodStart} as="date" />
                  </>
                }
              />
            </dl>
            {held != null && !held.cancelAtPeriodEnd && <CancelButton endsAt={held.currentPeriodEnd} />}
          </>
        )}
      </Loaded>
      {subscription.error !== null && <ErrorNotice error={subscription.error} retry={subscription.refetch} />}
    </Card>
  )
}

function StatusBadge({ status }: { status: string }) {
  const tone = status === 'active' ? 'good' : 'warn'
  return <Badge tone={tone}>{status.replaceAll('_', ' ')}</Badge>
}
