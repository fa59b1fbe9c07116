import { TRANSFER_KINDS, type TransferKind } from '../../model/accounts.ts'
import { idOf } from '../../model/ids.ts'
import { type Db, SHORT_WALK } from '../db.ts'
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

/** An item with the rest of its sort key. */
export interface SortedItem {
  item: HistoryItem
  transferId: number
  /** Unique within the account, except for charges of requests. */
  name: string
}

/** The usage of a history: its number of items, and the end of the time in which the page is. */
export interface UsageItems {
  total: number
  toAt: number
  /** Number of items from `toAt` on. */
  skipped: number
  /** The items that may be on the page, or the source to read them from. */
  items: SortedItem[]
  source?: Source
}

/** Compares items of transfers and days in the order of the history. */
export const newestFirst = (one: SortedItem, other: SortedItem): number =>
  other.item.createdAt - one.item.createdAt || other.transferId - one.transferId || (one.name < other.name ? -1 : 1)

/** The times from `fromAt` up to, but not including, `toAt`. */
export interface Span {
  accountId: string
  fromAt: number
  toAt: number
}

export async function countItems(db: Db, sources: readonly Source[], span: Span): Promise<number> {
  if (sources.length === 0) return 0
  const params = new Params()
  const counts = sources.map((source) => `(select count(*) from ${source(params, span).from})`)
  const [row] = await db.query<{ count: number }>(`select ${counts.join(' + ')} as count`, params.values)
  return row?.count ?? 0
}

/** Reads a page of the items of all sources, newest first. */
export async function readItems(
  db: Db,
  sources: readonly Source[],
  span: Span,
  limit = SHORT_WALK,
  offset = 0,
): Promise<SortedItem[]> {
  const params = new Params()
  const orderOf = (rows: string) =>
    `${rows}created_at desc, ${rows}transfer_id desc, ${rows}seq desc, ${rows}name ${db.dialect.bytes}`
  const parts = sources.map((source) => source(params, span))
  // Limits each source to the rows that can be on the page: the log may be very long.
  const [size, skipped] = [params.add(limit), params.add(offset)]
  const most = `cast(${size} as bigint) + cast(${skipped} as bigint)`
  const firsts = parts.map(({ columns, from, inOrder }) => {
    const all = `select ${columns} from ${from}`
    return inOrder === undefined ? all : `select * from (${all} order by ${inOrder} limit ${most}) p`
  })
  const reader = limit + offset <= SHORT_WALK ? db : db.heavy
  const rows = await reader.query<HistoryRow>(
    `select h.*, t.balance_after, t.amount_usd_cents, t.package_id, t.plan_slug, t.session_id from (
       select * from (${firsts.join(' union all ')}) a order by ${orderOf('')}
       limit ${size} offset ${skipped}
     ) h left join transfers t on t.id = h.transfer_id order by ${orderOf('h.')}`,
    params.values,
  )
  return rows.map((row) => ({ item: toItem(span.accountId, row), transferId: row.transfer_id, name: row.name }))
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

/** A table that the history is combined from, within a span. */
export type Source = (
  params: Params,
  span: Span,
) => {
  columns: string
  from: string
  /** The order of the page in columns of an index: within an account, later rows have later transfers. */
  inOrder?: string
}

const within = (params: Params, { accountId, fromAt, toAt }: Span) =>
  `account_id = ${params.add(accountId)} and created_at >= ${params.add(fromAt)}
    and created_at < ${params.add(Math.min(toAt, Number.MAX_SAFE_INTEGER))}`

export const transferSource =
  (kinds: readonly string[]): Source =>
  (params, span) => ({
    columns: `kind, idempotency_key as name, description, credits, cast(null as text) as request_id, created_at,
      id as transfer_id, 0 as seq`,
    from: `transfers where ${within(params, span)} and kind <> 'usage'${kindsCondition(params, kinds)}`,
    inOrder: 'created_at desc, id desc',
  })

const kindsCondition = (params: Params, kinds: readonly string[]) =>
  kinds === TRANSFER_KINDS ? '' : ` and kind in (${params.list(kinds)})`

export const requestSource: Source = (params, span) => ({
  columns: `'usage' as kind, '' as name, method || ' ' || path as description, -credits as credits, id as request_id,
    created_at, transfer_id, seq`,
  from: `request_log where ${within(params, span)} and credits > 0`,
  inOrder: 'created_at desc, seq desc',
})

export const meteredSource: Source = (params, span) => ({
  columns: `'usage' as kind, 'minutes ' || id as name,
    endpoint || case when export_id is null then ', minutes: ' || minutes else ', rows: ' || row_count end as description,
    -credits as credits, request_id, created_at, transfer_id, id as seq`,
  from: `metered_charges where ${within(params, span)}`,
  inOrder: 'created_at desc, id desc',
})

/** The sums of a day. */
export const dailySource =
  (day: string): Source =>
  (params, span) => ({
    columns: `'usage' as kind, 'day ' || day || ' ' || endpoint as name, endpoint || ', ' || day as description,
      -credits as credits, cast(null as text) as request_id, created_at, transfer_id, 0 as seq`,
    from: `(
        select account_id, day, endpoint, cast(sum(credits) as bigint) as credits, max(transfer_id) as transfer_id,
          max(charged_at) as created_at
        from usage_daily where account_id = ${params.add(span.accountId)} and day = ${params.add(day)} and credits > 0
        group by account_id, day, endpoint
      ) d where ${within(params, span)}`,
  })

function toItem(accountId: string, row: HistoryRow): HistoryItem {
  return {
    id: row.name === '' && row.request_id !== null ? row.request_id : idOf(`${accountId} ${row.name}`),
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
