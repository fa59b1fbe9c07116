import type { AdminSource } from 'mintick-client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { useMutation, useQuery } from '../../api/query.ts'
import { useAddress } from '../../ui/address.ts'
import { Choices } from '../../ui/choices.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { formatNumber, formatSeconds } from '../../ui/format.ts'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ScopedButton, ScopeNote } from '../../ui/scoped.tsx'
import { Empty, ErrorNotice, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { AddSource } from './add-source.tsx'

const REFRESH_MS = 15_000
const PER_PAGE = 50
const TONES = { active: 'good', failing: 'bad', paused: 'plain', stopped: 'warn' } as const
const STATES = ['all', 'active', 'failing', 'paused', 'stopped'] as const
const CHANGES = { changes: [['sources']] }

type Action = 'run' | 'pause' | 'resume'

/** The sources that the service reads. */
export default function Sources() {
  const { values, linkTo, route } = useAddress()
  const state = STATES.find((name) => name === values.state) ?? 'all'
  const sources = useQuery({
    queryKey: ['sources'],
    queryFn: ({ signal }) => admin.sources.list({}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<AdminSource>()
  const act = useMutation(({ id, action }: { id: string; action: Action }) => admin.sources[action](id), CHANGES)
  const button = (source: AdminSource, action: Action, text: string) => (
    <ScopedButton
      needs="owner"
      class="second small"
      disabled={act.isPending}
      aria-label={`${text} ${source.address}`}
      onClick={() => act.run({ id: source.id, action })}
    >
      {text}
    </ScopedButton>
  )
  return (
    <Page
      title="Sources"
      lede="Feeds, exchanges, prediction venues and EDGAR, which the service reads by itself."
      actions={
        <ScopedButton needs="owner" class="first" onClick={() => setAdding(true)}>
          Add a source
        </ScopedButton>
      }
    >
      <ScopeNote needs="owner" to="add or change sources" />
      {act.error !== null && <ErrorNotice error={act.error} />}
      <Card
        actions={
          <Choices
            label="State"
            values={STATES}
            chosen={state}
            onChoose={(chosen) => route(linkTo({ state: chosen === 'all' ? undefined : chosen, offset: undefined }))}
          />
        }
      >
        <Loaded of={sources} skeleton={<Skeleton lines={10} />}>
          {(all) => {
            const shown = all.filter(({ status }) => state === 'all' || status === state)
            if (all.length === 0) {
              return (
                <Empty title="No source is read.">
                  <p>Add one, or a preset with many of them.</p>
                </Empty>
              )
            }
            if (shown.length === 0) return <Empty title={`No source is ${state}.`} />
            const first = Math.min(Number(values.offset ?? 0) || 0, shown.length - 1)
            const rows = shown.slice(first, first + PER_PAGE)
            return (
              <>
                <DataTable
                  caption="Sources"
                  rows={rows}
                  keyOf={({ id }) => id}
                  columns={[
                    { title: 'Source', cell: (source) => <SourceName of={source} /> },
                    { title: 'State', cell: (source) => <SourceState of={source} /> },
                    { title: 'Read', cell: (source) => <Runs of={source} /> },
                    {
                      title: 'Delay',
                      isNumber: true,
                      cell: ({ lagSeconds }) => (lagSeconds === null ? '–' : formatSeconds(lagSeconds)),
                    },
                    { title: 'New / changed / rejected', isNumber: true, cell: (source) => <Items of={source} /> },
                    {
                      title: 'Actions',
                      cell: (source) => (
                        <span class="actions tight">
                          {source.nextRunAt === null
                            ? button(source, 'resume', 'Resume')
                            : button(source, 'run', 'Run now')}
                          {source.nextRunAt !== null && button(source, 'pause', 'Pause')}
                          {source.from === 'command' && (
                            <ScopedButton
                              needs="owner"
                              class="second small"
                              aria-label={`Remove ${source.address}`}
                              onClick={() => setRemoved(source)}
                            >
                              Remove
                            </ScopedButton>
                          )}
                        </span>
                      ),
                    },
                  ]}
                />
                <Pager
                  name="sources"
                  count={rows.length}
                  meta={{
                    offset: first,
                    totalCount: shown.length,
                    prevOffset: first === 0 ? null : Math.max(0, first - PER_PAGE),
                    nextOffset: first + PER_PAGE < shown.length ? first + PER_PAGE : null,
                  }}
                  words={['Previous', 'Next']}
                />
              </>
            )
          }}
        </Loaded>
      </Card>
      {isAdding && <AddSource onClose={() => setAdding(false)} />}
      {removed !== undefined && <RemoveSource of={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  )
}

function SourceState({ of: { status, failures } }: { of: AdminSource }) {
  if (status === 'active' && failures > 0) return <Badge tone="warn">tried again</Badge>
  return <Badge tone={TONES[status]}>{status}</Badge>
}

function SourceName({ of: { kind, address, from, error } }: { of: AdminSource }) {
  const notes = [...(address === kind ? [] : [kind]), ...(from === 'command' ? [] : [from])]
  return (
    <div>
      <span class="wrapped">{address}</span>
      <div class="quiet small">{notes.join(', ')}</div>
      {error !== null && <div class="small bad-text wrapped">{error}</div>}
    </div>
  )
}

function Runs({ of: { lastRunAt, nextRunAt } }: { of: AdminSource }) {
  return (
    <div class="runs">
      {lastRunAt === null ? 'never' : <Time at={lastRunAt} as="ago" />}
      {nextRunAt !== null && (
        <div class="quiet small">
          {Date.parse(nextRunAt) <= Date.now() ? (
            'due now'
          ) : (
            <>
              again <Time at={nextRunAt} as="ago" />
            </>
          )}
        </div>
      )}
    </div>
  )
}

function Items({ of: { added, changed, rejected, rejections } }: { of: AdminSource }) {
  const reasons = Object.entries(rejections).map(([reason, count]) => `${count} × ${reason}`)
  return <span title={reasons.join('\n') || undefined}>{[added, changed, rejected].map(formatNumber).join(' / ')}</span>
}

function RemoveSource({ of: { id, address }, onClose }: { of: AdminSource; onClose: () => void }) {
  const remove = useMutation(() => admin.sources.delete(id), { ...CHANGES, onSuccess: onClose })
  return (
    <Confirm
      title="Remove the source"
      action="Remove"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.run()}
      onClose={onClose}
    >
      <p>
        <span class="wrapped">{address}</span> is no longer read. What it brought stays.
      </p>
    </Confirm>
  )
}
