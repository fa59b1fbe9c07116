import type { BillingPlan } from 'mintick-client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAccount, useSubscription } from '../../api/account.ts'
import { mintick } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatNumber, formatUsd } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { ErrorNotice, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { BILLING_CHANGES, type PaidPlan } from './subscription-buttons.tsx'

type Terms = Omit<BillingPlan, 'isCurrent'>

const yesOrNo = (value: boolean | null) => (value === null ? 'agreed' : value ? 'yes' : 'no')
const figure = (value: number | null) => (value === null ? 'agreed' : formatNumber(value))

/** The terms in which plans differ. */
const ROWS: { name: string; of: (plan: Terms) => string }[] = [
  { name: 'Credits a month', of: ({ monthlyCredits }) => figure(monthlyCredits) },
  {
    name: 'Price of a call',
    of: ({ creditMultiplier }) => (creditMultiplier === null ? 'agreed' : `× ${creditMultiplier}`),
  },
  { name: 'Requests a minute', of: ({ requestsPerMinute }) => figure(requestsPerMinute) },
  { name: 'Requests an hour', of: ({ requestsPerHour }) => figure(requestsPerHour) },
  { name: 'Requests a day', of: ({ requestsPerDay }) => figure(requestsPerDay) },
  { name: 'Requests at once', of: ({ burst }) => figure(burst) },
  { name: 'API keys', of: ({ maxApiKeys }) => figure(maxApiKeys) },
  { name: 'Keys that expire', of: ({ customKeyExpiration }) => yesOrNo(customKeyExpiration) },
  { name: 'SEC filings', of: ({ secData }) => yesOrNo(secData) },
  { name: 'Live streams', of: ({ realtimeConnections }) => figure(realtimeConnections) },
  { name: 'Bulk export', of: ({ bulkExport }) => yesOrNo(bulkExport) },
  { name: 'Priority support', of: ({ prioritySupport }) => yesOrNo(prioritySupport) },
]

export const usePlans = () =>
  useQuery({ queryKey: ['billing', 'plans'], queryFn: ({ signal }) => mintick.billing.plans({}, { signal }) })

export const nameOf = (slug: string, plans: readonly BillingPlan[] | undefined) =>
  plans?.find((plan) => plan.slug === slug)?.name ?? slug

/** The plans side by side. What differs from the own plan is marked. */
export function Plans() {
  const plans = usePlans()
  const account = useAccount()
  const [chosen, setChosen] = useState<BillingPlan>()
  return (
    <Card title="Plans">
      <Loaded of={plans} skeleton={<Skeleton lines={10} />}>
        {(all) => (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard */}
            <section class="plans-frame" aria-label="Plans side by side" tabIndex={0}>
              <table class="plans">
                <thead>
                  <tr>
                    <td />
                    {all.map((plan) => (
                      <th key={plan.slug} scope="col" class={plan.isCurrent ? 'current' : undefined}>
                        {plan.name}
                        <span class="quiet small">{priceOf(plan)}</span>
                        <Choice plan={plan} onChoose={() => setChosen(plan)} />
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {ROWS.map(({ name, of }) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      {all.map((plan) => {
                        const own = plan.isCurrent ? (account.data?.plan ?? plan) : plan
                        const differs = account.data !== undefined && of(own) !== of(account.data.plan)
                        return (
                          <td key={plan.slug} class={plan.isCurrent ? 'current' : differs ? undefined : 'quiet'}>
                            {of(own)}
                          </td>
                        )
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
            <p class="quiet small">Values in grey are the same as those of your plan.</p>
            {chosen !== undefined && account.data !== undefined && (
              <ChangePlan from={account.data.plan} to={chosen} onClose={() => setChosen(undefined)} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

const priceOf = ({ priceUsd }: Terms) => (priceUsd === null ? 'by agreement' : `${formatUsd(priceUsd)} a month`)

function Choice({ plan, onChoose }: { plan: BillingPlan; onChoose: () => void }) {
  if (plan.isCurrent) return <Badge tone="accent">your plan</Badge>
  if (plan.priceUsd === null || plan.priceUsd === 0) return null
  return (
    <button type="button" class="second small" aria-label={`Choose ${plan.name}`} onClick={onChoose}>
      Choose
    </button>
  )
}

interface ChangeProps {
  from: Terms
  to: BillingPlan
  onClose: () => void
}

/** Says what a change of plan costs and changes, and makes it: by a checkout, or within the subscription. */
function ChangePlan({ from, to, onClose }: ChangeProps) {
  const subscription = useSubscription()
  return (
    <Dialog title={`Change to ${to.name}`} onClose={onClose}>
      <Loaded of={subscription}>
        {(held) =>
          held === null || held.status === 'canceled' ? (
            <Subscribe from={from} to={to} onClose={onClose} />
          ) : (
            <ChangeSubscription from={from} to={to} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Subscribe({ from, to, onClose }: ChangeProps) {
  const begin = useMutation(() => mintick.billing.subscription.create({ planSlug: to.slug as PaidPlan }), {
    onSuccess: ({ checkoutUrl }) => location.assign(checkoutUrl),
  })
  return (
    <Decision
      from={from}
      to={to}
      action="Go to the payment"
      isPending={begin.isPending}
      error={begin.error}
      onConfirm={() => begin.run()}
      onClose={onClose}
    >
      <p>
        You pay {formatUsd(to.priceUsd ?? 0)} now and every month. The plan begins once the payment is confirmed, and
        its credits are added then. You can cancel at any time.
      </p>
    </Decision>
  )
}

function ChangeSubscription({ from, to, onClose }: ChangeProps) {
  const planSlug = to.slug as PaidPlan
  const preview = useQuery({
    queryKey: ['billing', 'preview', planSlug],
    queryFn: () => mintick.billing.subscription.change({ planSlug, preview: true }),
    staleTime: 0,
  })
  const change = useMutation(() => mintick.billing.subscription.change({ planSlug }), {
    changes: BILLING_CHANGES,
    onSuccess: onClose,
  })
  return (
    <Loaded of={preview}>
      {({ change: { amountDueUsd, credits, effectiveAt }, currentPeriodEnd }) => (
        <Decision
          from={from}
          to={to}
          action={amountDueUsd > 0 ? `Pay ${formatUsd(amountDueUsd)} and change` : 'Change the plan'}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.run()}
          onClose={onClose}
        >
          {effectiveAt === currentPeriodEnd ? (
            <p>
              The change takes effect on <Time at={effectiveAt} as="date" />. Until then nothing changes and nothing is
              due.
            </p>
          ) : (
            <p>
              The change takes effect at once. Due now: <strong>{formatUsd(amountDueUsd)}</strong>, the difference for
              the rest of the month. {credits > 0 && `${formatNumber(credits)} credits are added.`}
            </p>
          )}
        </Decision>
      )}
    </Loaded>
  )
}

interface DecisionProps extends ChangeProps {
  action: string
  isPending: boolean
  error: Error | null
  onConfirm: () => void
  children: ComponentChildren
}

function Decision({ from, to, action, isPending, error, onConfirm, onClose, children }: DecisionProps) {
  const changes = ROWS.filter(({ of }) => of(from) !== of(to))
  return (
    <>
      {children}
      <h3>What changes</h3>
      <table class="changes">
        <caption class="hidden">What changes with the plan</caption>
        <thead class="hidden">
          <tr>
            <th scope="col">Term</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="quiet">{of(from)}</td>
              <td>{of(to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {error !== null && <ErrorNotice error={error} />}
      <div class="actions end">
        <button type="button" class="second" onClick={onClose}>
          Not now
        </button>
        <button type="button" class="first" disabled={isPending} onClick={onConfirm}>
          {isPending ? 'Working…' : action}
        </button>
      </div>
    </>
  )
}
