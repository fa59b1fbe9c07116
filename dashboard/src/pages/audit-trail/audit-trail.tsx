import type { AdminAuditTrail } from 'mintick-client/admin'
import { admin } from '../../api/clients.ts'
import { useQuery } from '../../api/query.ts'
import { useAddress } from '../../ui/address.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { toLocal } from '../../ui/local-time.ts'
import { Badge, Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

const PER_PAGE = 50
const ACCOUNT = /\/admin\/accounts/

/** The requests of operators. */
export default function AuditTrail() {
  const { values, linkTo, route } = useAddress()
  const { token, target, from, to, offset } = values
  const trail = useQuery({
    queryKey: ['audit-trail', token, target, from, to, offset],
    queryFn: ({ signal }) =>
      admin.auditTrail.list(
        { token, target, createdAfter: from, createdBefore: to, offset: Number(offset ?? 0), limit: PER_PAGE },
        { signal },
      ),
  })
  const isFiltered = [token, target, from, to].some((value) => value !== undefined)
  return (
    <Page title="Audit trail" lede="What operators did or tried to do. Nobody can change or remove a record.">
      <Card>
        <Form
          onSubmit={({ token: by, target: about, from: after, to: before }) =>
            route(linkTo({ token: by, target: about, from: utc(after), to: utc(before), offset: undefined }))
          }
        >
          <div class="filters" key={[token, target, from, to].join()}>
            <Field label="Who" hint="Name of a person or token">
              {(props) => <input {...props} name="token" defaultValue={token ?? ''} />}
            </Field>
            <Field label="About" hint="Id of an account, source or entry">
              {(props) => <input {...props} name="target" defaultValue={target ?? ''} />}
            </Field>
            <Field label="From">
              {(props) => <input {...props} name="from" type="datetime-local" step={1} defaultValue={toLocal(from)} />}
            </Field>
            <Field label="Until">
              {(props) => <input {...props} name="to" type="datetime-local" step={1} defaultValue={toLocal(to)} />}
            </Field>
          </div>
          <div class="actions">
            <button type="submit" class="second">
              Filter
            </button>
            {isFiltered && <a href="/dashboard/audit-trail">Show everything</a>}
          </div>
        </Form>
      </Card>
      <Card>
        <Loaded of={trail} skeleton={<Skeleton lines={10} />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty title={isFiltered ? 'Nothing matches.' : 'No operator has done anything yet.'} />
            ) : (
              <>
                <DataTable
                  caption="Requests of operators, newest first"
                  rows={data}
                  keyOf={({ requestId }) => requestId}
                  columns={[
                    { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} as="second" /> },
                    {
                      title: 'Who',
                      cell: (record) => <a href={linkTo({ token: record.token, offset: undefined })}>{record.token}</a>,
                    },
                    { title: 'What', cell: (record) => <Deed of={record} /> },
                    { title: 'About', cell: (record) => <Target of={record} /> },
                    { title: 'Result', cell: (record) => <Result of={record} /> },
                  ]}
                />
                <Pager name="records" count={data.length} meta={meta} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

function Deed({ of: { route, summary } }: { of: AdminAuditTrail }) {
  return (
    <div>
      <code class="wrapped">{route}</code>
      {summary !== null && <div class="quiet small wrapped">{summary}</div>}
    </div>
  )
}

function Target({ of: { route, target } }: { of: AdminAuditTrail }) {
  if (target === null) return <>–</>
  const name = <code class="wrapped">{target}</code>
  return ACCOUNT.test(route) ? <a href={`/dashboard/accounts/${encodeURIComponent(target)}`}>{name}</a> : name
}

function Result({ of: { statusCode, requestId } }: { of: AdminAuditTrail }) {
  if (statusCode === null) return <Badge tone="warn">interrupted</Badge>
  return (
    <span title={`Request ${requestId}`}>
      <Badge tone={statusCode < 400 ? 'good' : 'bad'}>{statusCode < 400 ? 'done' : `refused, ${statusCode}`}</Badge>
    </span>
  )
}

const utc = (time: string | undefined) => (time === undefined ? undefined : new Date(time).toISOString())
