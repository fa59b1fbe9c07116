import type { TransferKind } from '../../model/accounts.ts'
import { idOf } from '../../model/ids.ts'
import type { OffsetPage } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { refuseOthers } from '../lists/filters.ts'
import { Params } from '../sql.ts'

/** A change of the balance: a transfer, the charges of one day and endpoint, or in detail a single charge. */
export interface HistoryItem {
  id: string
  type: TransferKind
  description: string
  credits: number
  /** Balance after its transfer, the last one for a day. Charges of the same transfer share it. */
  balanceAfter: number
  /** Amount paid, negative if paid back. */
  amountUsdCents: number | null
  packageId: string | null
  planSlug: string | null
  sessionId: string | null
  requestId: string | null
  createdAt: number
}

interface HistoryFilters {
  type?: string[]
  createdAfter?: number
  createdBefore?: number
}

export type History = ReturnType<typeof historyStore>

export function historyStore(db: Db) {
  return {
    /** Returns a page, newest first. Usage is summed per UTC day and endpoint, or listed charge by charge. */
    async page(
      accountId: string,
      filters: HistoryFilters,
      isDetailed: boolean,
      limit: number,
      offset: number,
    ): Promise<OffsetPage<HistoryItem>> {
      const params = new Params()
      const parts = sourcesOf(params, accountId, filters, isDetailed)
      const counts = parts.map(({ from }) => `(select count(*) from ${from})`)
      const [total] = await db.heavy.query<{ count: number }>(`select ${counts.join(' + ')} as count`, params.values)
      const orderOf = (rows: string) =>
        `${rows}created_at desc, ${rows}transfer_id desc, ${rows}seq desc, ${rows}name ${db.dialect.bytes}`
      // Limits each source to the rows that can be on the page: the log may be very long.
      const [size, skipped] = [params.add(limit), params.add(offset)]
      const most = `cast(${size} as bigint) + cast(${skipped} as bigint)`
      const firsts = parts.map(({ columns, from, inOrder }) => {
        const all = `select ${columns} from ${from}`
        return inOrder === undefined ? all : `select * from (${all} order by ${inOrder} limit ${most}) p`
      })
      const rows = await db.heavy.query<HistoryRow>(
        `select h.*, t.balance_after, t.amount_usd_cents, t.package_id, t.plan_slug, t.session_id from (
           select * from (${firsts.join(' union all ')}) a order by ${orderOf('')}
           limit ${size} offset ${skipped}
         ) h left join transfers t on t.id = h.transfer_id order by ${orderOf('h.')}`,
        params.values,
      )
      return { data: rows.map((row) => toItem(accountId, row)), totalCount: total?.count ?? 0 }
    },
  }
}

interface HistoryRow {
  kind: TransferKind
  /** Unique within the account. */
  name: string
  description: string
  credits: number
  request_id: string | null
  amount_usd_cents: number | null
  package_id: string | null
  plan_slug: string | null
  session_id: string | null
  created_at: number
  transfer_id: number
  seq: number
  balance_after: number
}

/** A table that the history is combined from. */
interface HistorySource {
  columns: string
  from: string
  /** The order of the page in columns of an index: within an account, later rows have later transfers. */
  inOrder?: string
}

function sourcesOf(params: Params, accountId: string, filters: HistoryFilters, isDetailed: boolean): HistorySource[] {
  const { type: kinds, createdAfter, createdBefore, ...unread } = filters
  refuseOthers(unread)
  const account = params.add(accountId)
  const times = [
    ...(createdAfter === undefined ? [] : [` and created_at >= ${params.add(createdAfter)}`]),
    ...(createdBefore === undefined ? [] : [` and created_at <= ${params.add(createdBefore)}`]),
  ].join('')
  const usage = isDetailed ? [requestSource, streamSource] : [dailySource]
  const parts = kinds === undefined || kinds.includes('usage') ? usage.map((part) => part(account, times)) : []
  const others = kinds?.filter((kind) => kind !== 'usage')
  if (others?.length === 0) return parts
  const ofKinds = others === undefined ? '' : ` and kind in (${params.list(others)})`
  return [transferSource(account, times + ofKinds), ...parts]
}

const transferSource = (account: string, conditions: string): HistorySource => ({
  columns: `kind, idempotency_key as name, description, credits, cast(null as text) as request_id, created_at,
    id as transfer_id, 0 as seq`,
  from: `transfers where account_id = ${account} and kind <> 'usage'${conditions}`,
  inOrder: 'created_at desc, id desc',
})

const requestSource = (account: string, conditions: string): HistorySource => ({
  columns: `'usage' as kind, '' as name, method || ' ' || path as description, -credits as credits, id as request_id,
    created_at, transfer_id, seq`,
  from: `request_log where account_id = ${account} and credits > 0${conditions}`,
  inOrder: 'created_at desc, seq desc',
})

const streamSource = (account: string, conditions: string): HistorySource => ({
  columns: `'usage' as kind, 'minutes ' || id as name, endpoint || ', minutes: ' || minutes as description,
    -credits as credits, cast(null as text) as request_id, created_at, transfer_id, id as seq`,
  from: `stream_charges where account_id = ${account}${conditions}`,
  inOrder: 'created_at desc, id desc',
})

const dailySource = (account: string, conditions: string): HistorySource => ({
  columns: `'usage' as kind, 'day ' || day || ' ' || endpoint as name, endpoint || ', ' || day as description,
    -credits as credits, cast(null as text) as request_id, created_at, transfer_id, 0 as seq`,
  from: `(
      select day, endpoint, cast(sum(credits) as bigint) as credits, max(transfer_id) as transfer_id,
        max(charged_at) as created_at
      from usage_daily where account_id = ${account} and credits > 0 group by day, endpoint
    ) d where true${conditions}`,
})

function toItem(accountId: string, row: HistoryRow): HistoryItem {
  return {
    id: row.request_id ?? idOf(`${accountId} ${row.name}`),
    type: row.kind,
    description: row.description,
    credits: row.credits,
    balanceAfter: row.balance_after,
    amountUsdCents: row.amount_usd_cents,
    packageId: row.package_id,
    planSlug: row.plan_slug,
    sessionId: row.session_id,
    requestId: row.request_id,
    createdAt: row.created_at,
  }
}
