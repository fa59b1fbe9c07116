import { TRANSFER_KINDS, type TransferKind } from '../../model/accounts.ts'
import { idOf } from '../../model/ids.ts'
import type { OffsetPage } from '../../model/paging.ts'
import { isoDay } from '../../model/time.ts'
import { type Db, SHORT_WALK } from '../db.ts'
import { refuseOthers } from '../lists/filters.ts'
import { Params } from '../sql.ts'
import type { LogWalk } from './log-walk.ts'

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
  type?: readonly string[]
  createdAfter?: number
  createdBefore?: number
}

export type History = ReturnType<typeof historyStore>

export function historyStore(db: Db, walk: LogWalk) {
  return {
    /** Returns a page, newest first. Usage is summed per UTC day and endpoint, or listed charge by charge. */
    async page(
      accountId: string,
      filters: HistoryFilters,
      isDetailed: boolean,
      limit: number,
      offset: number,
    ): Promise<OffsetPage<HistoryItem>> {
      const { type: kinds = TRANSFER_KINDS, createdAfter = 0, createdBefore = Infinity, ...unread } = filters
      refuseOthers(unread)
      const span: Span = { accountId, fromAt: createdAfter, toAt: createdBefore + 1 }
      const hasUsage = kinds.includes('usage')
      const others = [
        ...(kinds.some((kind) => kind !== 'usage') ? [transferSource(kinds)] : []),
        ...(hasUsage && isDetailed ? [streamSource] : []),
      ]
      const otherCount = await countItems(db, others, span)
      const usage =
        hasUsage &&
        (await (isDetailed
          ? findCharges(walk, span, offset - otherCount)
          : findDays(db, span, limit, offset, otherCount)))
      const totalCount = otherCount + (usage ? usage.total : 0)
      if (offset >= totalCount) return { data: [], totalCount }
      if (!usage) return { data: await readItems(db, others, span, limit, offset), totalCount }
      const newerOthers =
        usage.toAt < span.toAt
          ? await countItems(db, others, { ...span, fromAt: Math.max(span.fromAt, usage.toAt) })
          : 0
      const rest = { ...span, toAt: usage.toAt }
      const data = await readItems(db, [...others, usage.source], rest, limit, offset - usage.skipped - newerOthers)
      return { data, totalCount }
    },
  }
}

/** The times from `fromAt` up to, but not including, `toAt`. */
interface Span {
  accountId: string
  fromAt: number
  toAt: number
}

/** The usage of a history: its number of items, and the end of the time before which the page is found. */
interface UsageItems {
  total: number
  toAt: number
  /** Number of items from `toAt` on. */
  skipped: number
  source: Source
}

/** Finds the charged request after `offset` newer ones. Starts with the block of the log that contains it. */
async function findCharges(walk: LogWalk, span: Span, offset: number): Promise<UsageItems> {
  const skipped = Math.max(0, offset)
  const { runs, totalCount } = await walk.find({ ...span, filters: [], isCharged: true }, 1, skipped)
  const [run] = runs
  const start = run === undefined ? { toAt: span.toAt, skipped: 0 } : { toAt: run.toAt, skipped: skipped - run.offset }
  return { total: totalCount, ...start, source: requestSource }
}

/**
 * Finds the days of a page. Items of a day are from that day, so the days after it can be skipped by their numbers of
 * items, leaving room for the `others`.
 */
async function findDays(db: Db, span: Span, limit: number, offset: number, others: number): Promise<UsageItems> {
  const { total, days } = await listDays(db, span, limit + offset)
  let [skipped, first] = [0, 0]
  for (const { items } of days) {
    if (skipped + items + others > offset) break
    skipped += items
    first += 1
  }
  let [last, missing] = [first, offset - skipped + limit]
  for (; last < days.length && missing > 0; last += 1) missing -= days[last]?.items ?? 0
  const skippedDay = days[first - 1]?.day
  const toAt = skippedDay === undefined ? span.toAt : Math.min(span.toAt, Date.parse(skippedDay))
  return { total, toAt, skipped, source: dailySource(days[last - 1]?.day ?? LAST_DAY, skippedDay ?? LAST_DAY) }
}

/** Lists the days with charges, newest first, as many as `most` items can have, and counts all items. */
async function listDays(db: Db, span: Span, most: number) {
  const [first, last] = [dayAt(span.fromAt), dayAt(span.toAt - 1)]
  const { accountId } = span
  const [inner] = await db.query<{ items: number }>(
    `select cast(coalesce(sum(charged_endpoints), 0) as bigint) as items from usage_days
     where account_id = $1 and day > $2 and day < $3`,
    [accountId, first, last],
  )
  const days = await db.query<{ day: string; items: number }>(
    `select day, charged_endpoints as items from usage_days
     where account_id = $1 and day >= $2 and day <= $3 and charged_endpoints > 0 order by day desc limit $4`,
    // The days at both ends may have no item in the span.
    [accountId, first, last, most + 2],
  )
  // The span may cut the days at its ends.
  const cut = first === FIRST_DAY && last === LAST_DAY ? [] : await countCutDays(db, span, first, last)
  const cutItems = new Map(cut.map(({ day, items }) => [day, items]))
  return {
    total: (inner?.items ?? 0) + cut.reduce((sum, { items }) => sum + items, 0),
    days: days.map(({ day, items }) => ({
      day,
      items: day === first || day === last ? (cutItems.get(day) ?? 0) : items,
    })),
  }
}

function countCutDays(db: Db, { accountId, fromAt, toAt }: Span, first: string, last: string) {
  return db.query<{ day: string; items: number }>(
    `select day, count(*) as items from (
       select day, max(charged_at) as created_at from usage_daily
       where account_id = $1 and credits > 0 and day in ($2, $3) group by day, endpoint
     ) d where created_at >= $4 and created_at < $5 group by day`,
    [accountId, first, last, fromAt, Math.min(toAt, Number.MAX_SAFE_INTEGER)],
  )
}

/** Before and after all days that have usage. */
const FIRST_DAY = ''
const LAST_DAY = '9999-12-31'
const dayAt = (time: number) => (time <= 0 ? FIRST_DAY : time >= Date.parse(LAST_DAY) ? LAST_DAY : isoDay(time))

async function countItems(db: Db, sources: readonly Source[], span: Span): Promise<number> {
  if (sources.length === 0) return 0
  const params = new Params()
  const counts = sources.map((source) => `(select count(*) from ${source(params, span).from})`)
  const [row] = await db.query<{ count: number }>(`select ${counts.join(' + ')} as count`, params.values)
  return row?.count ?? 0
}

async function readItems(
  db: Db,
  sources: readonly Source[],
  span: Span,
  limit: number,
  offset: number,
): Promise<HistoryItem[]> {
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
  return rows.map((row) => toItem(span.accountId, row))
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
type Source = (
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

const transferSource =
  (kinds: readonly string[]): Source =>
  (params, span) => ({
    columns: `kind, idempotency_key as name, description, credits, cast(null as text) as request_id, created_at,
      id as transfer_id, 0 as seq`,
    from: `transfers where ${within(params, span)} and kind <> 'usage' and kind in (${params.list(kinds)})`,
    inOrder: 'created_at desc, id desc',
  })

const requestSource: Source = (params, span) => ({
  columns: `'usage' as kind, '' as name, method || ' ' || path as description, -credits as credits, id as request_id,
    created_at, transfer_id, seq`,
  from: `request_log where ${within(params, span)} and credits > 0`,
  inOrder: 'created_at desc, seq desc',
})

const streamSource: Source = (params, span) => ({
  columns: `'usage' as kind, 'minutes ' || id as name, endpoint || ', minutes: ' || minutes as description,
    -credits as credits, cast(null as text) as request_id, created_at, transfer_id, id as seq`,
  from: `stream_charges where ${within(params, span)}`,
  inOrder: 'created_at desc, id desc',
})

/** The sums of the days from `firstDay` until the day before `endDay`. */
const dailySource =
  (firstDay: string, endDay: string): Source =>
  (params, span) => ({
    columns: `'usage' as kind, 'day ' || day || ' ' || endpoint as name, endpoint || ', ' || day as description,
      -credits as credits, cast(null as text) as request_id, created_at, transfer_id, 0 as seq`,
    from: `(
        select account_id, day, endpoint, cast(sum(credits) as bigint) as credits, max(transfer_id) as transfer_id,
          max(charged_at) as created_at
        from usage_daily where account_id = ${params.add(span.accountId)} and day >= ${params.add(firstDay)}
          and day < ${params.add(endDay)} and credits > 0 group by account_id, day, endpoint
      ) d where ${within(params, span)}`,
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
