import type { AdminReindex } from 'mintick-client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../../api/clients.ts'
import { queries, useMutation, useQuery } from '../../api/query.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { ScopedButton } from '../../ui/scoped.tsx'
import { ErrorNotice, Loaded } from '../../ui/states.tsx'

const PROGRESS_MS = 1_000

/** Checks that the ledger adds up. */
export function LedgerAudit() {
  const audit = useMutation(() => admin.audit.get({}, { timeoutMs: 600_000 }))
  const { data } = audit
  return (
    <Card
      title="Ledger"
      actions={
        <button type="button" class="second" disabled={audit.isPending} onClick={() => audit.run()}>
          {audit.isPending ? 'Checking…' : 'Check the ledger'}
        </button>
      }
    >
      <p class="quiet">Checks that balances, lots, transfers and charges agree.</p>
      {audit.error !== null && <ErrorNotice error={audit.error} />}
      <div role="status">
        {data !== undefined && (
          <div class={data.isBalanced ? 'notice good' : 'notice bad'}>
            <p>
              {data.isBalanced ? 'Everything agrees' : 'The ledger does not add up'}: {formatNumber(data.accounts)}{' '}
              accounts and {formatNumber(data.charges)} charges checked.
            </p>
            {data.problems.length > 0 && (
              <ul>
                {data.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}

/** Starts reindexing and shows its progress. */
export function Reindex() {
  const [isAsking, setAsking] = useState(false)
  const reindex = useQuery({
    queryKey: ['reindex'],
    queryFn: ({ signal }) => admin.reindex.get({}, { signal }),
    refetchInterval: ({ state }) => (state.data?.isRunning ? PROGRESS_MS : false),
  })
  const start = useMutation(() => admin.reindex.create(), {
    onSuccess(state) {
      queries.setQueryData(['reindex'], state)
      setAsking(false)
    },
  })
  return (
    <Card
      title="Reindexing"
      actions={
        <ScopedButton
          needs="owner"
          class="second"
          disabled={reindex.data?.isRunning === true}
          onClick={() => setAsking(true)}
        >
          Reindex
        </ScopedButton>
      }
    >
      <p class="quiet">Derives language, sentiment, assets, topics and clusters of all entries again.</p>
      <Loaded of={reindex}>{(state) => <ReindexState of={state} />}</Loaded>
      {isAsking && (
        <Confirm
          title="Reindex all entries"
          action="Reindex"
          isHarmless
          isPending={start.isPending}
          error={start.error}
          onConfirm={() => start.run()}
          onClose={() => setAsking(false)}
        >
          <p>It runs in the background, and requests have priority. Fields of existing entries may change.</p>
        </Confirm>
      )}
    </Card>
  )
}

function ReindexState({ of: { isRunning, done, total, changed, error } }: { of: AdminReindex }) {
  if (error !== null) return <p class="notice bad">The last run ended early: {error}</p>
  if (total === 0 && !isRunning) return <p>It has not run since this instance started.</p>
  return (
    <div role="status">
      <progress max={Math.max(1, total)} value={done} aria-label="Progress" />
      <p class="small">
        {formatNumber(done)} of {formatNumber(total)} entries, {formatNumber(changed)} of them changed
        {!isRunning && '. It is done.'}
      </p>
    </div>
  )
}

/** Removes the sample data, request by request. */
export function SampleData() {
  const [isAsking, setAsking] = useState(false)
  const [removed, setRemoved] = useState(0)
  const clear = useMutation(
    async () => {
      for (let isDone = false, sum = 0; !isDone; ) {
        const step = await admin.sample.clear()
        isDone = step.isDone
        sum += Object.values(step.removed).reduce((total, count) => total + count, 0)
        setRemoved(sum)
      }
    },
    { changes: [['health']], onSuccess: () => setAsking(false) },
  )
  return (
    <Card
      title="Sample data"
      actions={
        <ScopedButton needs="owner" class="second" onClick={() => setAsking(true)}>
          Clear the sample
        </ScopedButton>
      }
    >
      <p class="quiet">The store contains invented data, to try the service with.</p>
      {isAsking && (
        <Confirm
          title="Clear the sample data"
          action={clear.isPending ? `Removed ${formatNumber(removed)}…` : 'Clear'}
          isPending={clear.isPending}
          error={clear.error}
          onConfirm={() => clear.run()}
          onClose={() => setAsking(false)}
        >
          <p>
            Removes entries, publishers, markets, prediction markets, SEC records and signals of the sample, for good.
            Your own data and all accounts stay.
          </p>
          {clear.isPending && (
            <p role="status">{formatNumber(removed)} records are removed so far. You may close this; the rest stays.</p>
          )}
        </Confirm>
      )}
    </Card>
  )
}
