import { useMutation, useQuery } from '../../api/query.ts'
import { callSignIn, signOut } from '../../api/session.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { ErrorNotice, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

interface Session {
  id: string
  createdAt: string
  lastUsedAt: string
  address: string
  browser: string
  isCurrent: boolean
}

const SESSIONS = ['sessions']

/** The browsers that are signed in. */
export function Sessions() {
  const sessions = useQuery({ queryKey: SESSIONS, queryFn: () => callSignIn<Session[]>('GET', '/sessions') })
  const end = useMutation((id: string) => callSignIn('DELETE', `/sessions/${id}`), { changes: [SESSIONS] })
  const endOthers = useMutation(() => callSignIn('DELETE', '/sessions'), { changes: [SESSIONS] })
  const error = end.error ?? endOthers.error
  return (
    <Card
      title="Where you are signed in"
      actions={
        sessions.data !== undefined &&
        sessions.data.length > 1 && (
          <button type="button" class="second small" disabled={endOthers.isPending} onClick={() => endOthers.run()}>
            Sign out everywhere else
          </button>
        )
      }
    >
      {error !== null && <ErrorNotice error={error} />}
      <Loaded of={sessions}>
        {(all) => (
          <DataTable
            caption="Sessions"
            rows={all}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Browser',
                cell: ({ browser, isCurrent }) => (
                  <>
                    {browser} {isCurrent && <Badge tone="accent">this one</Badge>}
                  </>
                ),
              },
              { title: 'Address', cell: ({ address }) => <code>{address}</code> },
              { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} as="ago" /> },
              {
                title: 'Actions',
                cell: ({ id, browser, isCurrent }) => (
                  <button
                    type="button"
                    class="second small"
                    aria-label={isCurrent ? 'Sign out here' : `Sign out ${browser}`}
                    disabled={end.isPending}
                    onClick={() => (isCurrent ? void signOut() : end.run(id))}
                  >
                    Sign out
                  </button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}
