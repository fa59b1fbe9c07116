import type { AdminPaymentEvent } from 'mintick-client/admin'
import { admin } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { useAddress } from '../../ui/address.ts'
import { Choices } from '../../ui/choices.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ScopedButton, ScopeNote } from '../../ui/scoped.tsx'
import { Empty, ErrorNotice, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

const PER_PAGE = 50
const STATES = { All: undefined, Waiting: false, Processed: true } as const
type State = keyof typeof STATES

/** The events of the payment processor. */
export default function Payments() {
  const { values, linkTo, route } = useAddress()
  const { offset } = values
  const state: State = values.state === 'Waiting' || values.state === 'Processed' ? values.state : 'All'
  const events = useQuery({
    queryKey: ['payment-events', state, offset],
    queryFn: ({ signal }) =>
      admin.paymentEvents.list(
        { isProcessed: STATES[state], offset: Number(offset ?? 0), limit: PER_PAGE },
        { signal },
      ),
  })
  const retry = useMutation((id: string) => admin.paymentEvents.retry(id), { changes: [['payment-events']] })
  return (
    <Page
      title="Payment events"
      lede="What the payment processor reported. The service processes each event once, and tries again by itself if it fails."
      actions={
        <Choices
          label="State"
          values={Object.keys(STATES) as State[]}
          chosen={state}
          onChoose={(chosen) => route(linkTo({ state: chosen === 'All' ? undefined : chosen, offset: undefined }))}
        />
      }
    >
      <ScopeNote needs="owner" to="process an event again" />
      {retry.error !== null && <ErrorNotice error={retry.error} />}
      <Card>
        <Loaded of={events} skeleton={<Skeleton lines={8} />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty title={state === 'Waiting' ? 'No event waits.' : 'No event has arrived yet.'}>
                {state === 'All' && <p>Events arrive once somebody buys credits or a plan.</p>}
              </Empty>
            ) : (
              <>
                <DataTable
                  caption="Payment events, newest first"
                  rows={data}
                  keyOf={({ id }) => id}
                  columns={[
                    { title: 'Arrived', cell: ({ receivedAt }) => <Time at={receivedAt} as="second" /> },
                    {
                      title: 'Event',
                      cell: ({ type, id }) => (
                        <div>
                          {type}
                          <div class="quiet small wrapped">{id}</div>
                        </div>
                      ),
                    },
                    { title: 'About', cell: (event) => <Subject of={event} /> },
                    { title: 'State', cell: (event) => <EventState of={event} /> },
                    {
                      title: 'Actions',
                      cell: ({ id, processedAt }) =>
                        processedAt === null && (
                          <ScopedButton
                            needs="owner"
                            class="second small"
                            disabled={retry.isPending}
                            aria-label={`Process ${id} now`}
                            onClick={() => retry.run(id)}
                          >
                            Process now
                          </ScopedButton>
                        ),
                    },
                  ]}
                />
                <Pager name="events" count={data.length} meta={meta} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

function Subject({ of: { subjectKind, subjectId } }: { of: AdminPaymentEvent }) {
  return (
    <div>
      {subjectKind}
      <div class="quiet small wrapped">{subjectId}</div>
    </div>
  )
}

function EventState({ of: { processedAt, attempts, error, nextAttemptAt } }: { of: AdminPaymentEvent }) {
  if (processedAt !== null) {
    return (
      <div>
        <Badge tone="good">processed</Badge>
        {attempts > 1 && <div class="quiet small">at attempt {attempts}</div>}
      </div>
    )
  }
  return (
    <div>
      <Badge tone={error === null ? 'plain' : 'bad'}>{error === null ? 'waits' : `failed, ${attempts} times`}</Badge>
      {error !== null && <div class="small wrapped">{error}</div>}
      {nextAttemptAt !== null && (
        <div class="quiet small">
          next attempt <Time at={nextAttemptAt} as="ago" />
        </div>
      )}
    </div>
  )
}
