import { isoTime } from '../../model/time.ts'
import type { Db } from '../db.ts'

/** The records of an account that fit into one answer, whatever they contain. */
const PAGE_RECORDS = 5_000

/** Tables with few rows per account, with the condition for those of an account. Other tables hold sums of these. */
const SHORT_LISTS = {
  users: 'users where account_id = $1 order by created_at, id',
  sessions: 'sessions where user_id in (select id from users where account_id = $1) order by created_at, id',
  apiKeys: 'api_keys where account_id = $1 order by created_at, id',
  subscriptions: 'subscriptions where account_id = $1 order by created_at, id',
  checkouts: 'checkouts where account_id = $1 order by created_at, id',
  purchases: 'purchases where account_id = $1 order by created_at, id',
  reversals: 'reversals where account_id = $1 order by created_at, id',
  lots: 'lots where account_id = $1 order by id',
  usage: 'usage_daily where account_id = $1 order by day, endpoint, api_key_id',
  streams: 'streams where account_id = $1 order by opened_at, id',
  bulkExports: 'bulk_exports where account_id = $1 order by created_at, id',
  balanceAlerts: 'balance_alerts where account_id = $1',
  alertDeliveries: 'alert_deliveries where account_id = $1 order by created_at, id',
  idempotentRequests: 'idempotent_requests where owner = $1 order by started_at, key',
  auditTrail: 'audit_trail where target = $1 order by created_at, seq',
} as const

/** Tables with many rows per account, each in the order of one of its indexes. */
const LONG_LISTS = [
  { name: 'transfers', table: 'transfers', order: ['id'] },
  { name: 'meteredCharges', table: 'metered_charges', order: ['created_at', 'id'] },
  { name: 'requests', table: 'request_log', order: ['created_at', 'seq'] },
] as const

type ListName = keyof typeof SHORT_LISTS | (typeof LONG_LISTS)[number]['name']
type Row = Record<string, unknown>

/** A part of the records of an account. Lists that the part does not reach are empty. */
export interface AccountExport {
  account: Row
  lists: Record<ListName, Row[]>
  /** Where the next part begins; null after the last one. */
  next: string | null
}

export type Exports = ReturnType<typeof exportsStore>

export function exportsStore(db: Db) {
  /** All columns: an export that lists them would miss new ones. */
  const read = (from: string, values: readonly (string | number)[]) =>
    db.heavy.query<Row>(`select * from ${from}`, values)
  return {
    /**
     * Returns everything that is stored about an account, in parts; without `from`, the first one. Returns undefined if
     * there is no such account. Throws a RangeError if `from` is not the `next` of another part.
     */
    async part(accountId: string, from?: string): Promise<AccountExport | undefined> {
      const [account] = await read('accounts where id = $1', [accountId])
      if (account === undefined) return undefined
      const start = from === undefined ? { place: 0, after: [] } : readPosition(from)
      const lists = emptyLists()
      if (from === undefined) {
        for (const name of shortNames) lists[name] = (await read(SHORT_LISTS[name], [accountId])).map(toRecord)
      }
      let room = PAGE_RECORDS
      for (const [place, { name, table, order }] of LONG_LISTS.entries()) {
        if (place < start.place) continue
        const after = place === start.place ? start.after : []
        const columns = order.join(', ')
        const isAfter = `(${columns}) > (${after.map((_, index) => `$${index + 2}`).join(', ')})`
        const rows = await read(
          `${table} where account_id = $1${after.length > 0 ? ` and ${isAfter}` : ''} order by ${columns} limit ${room}`,
          [accountId, ...after],
        )
        lists[name] = rows.map(toRecord)
        room -= rows.length
        const last = rows.at(-1)
        if (room === 0 && last !== undefined) {
          return { account: toRecord(account), lists, next: [place, ...order.map((column) => last[column])].join('.') }
        }
      }
      return { account: toRecord(account), lists, next: null }
    },
  }
}

const shortNames = Object.keys(SHORT_LISTS) as (keyof typeof SHORT_LISTS)[]

function emptyLists(): Record<ListName, Row[]> {
  const names = [...shortNames, ...LONG_LISTS.map(({ name }) => name)]
  return Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<ListName, Row[]>
}

function readPosition(text: string): { place: number; after: number[] } {
  const [place = -1, ...after] = /^\d+(\.\d+)+$/.test(text) ? text.split('.').map(Number) : []
  if (after.length !== LONG_LISTS[place]?.order.length || !after.every(Number.isSafeInteger)) throw new RangeError(text)
  return { place, after }
}

const IS_TIME = /_(at|until|end|start|anchor)$|^anchor$/

/** Hashes of secrets, and what secrets are derived from. */
const IS_SECRET = /(^|_)(hash|salt|secret)$/

/** Returns a row as JSON for readers: names in camel case, times in ISO 8601, without secrets. */
function toRecord(row: Row): Row {
  const fields = Object.entries(row)
    .filter(([column]) => !IS_SECRET.test(column))
    .map(([column, value]) => [
      column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      typeof value === 'number' && IS_TIME.test(column) ? isoTime(value) : value,
    ])
  return Object.fromEntries(fields)
}
