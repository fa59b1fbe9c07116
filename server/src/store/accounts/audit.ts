import type { Db } from '../db.ts'
import { IS_LASTING } from './debts.ts'
import { purchaseKey } from './transfers.ts'

export type Audit = ReturnType<typeof auditStore>

interface AuditReport {
  isBalanced: boolean
  accounts: number
  charges: number
  problems: string[]
}

/** The invariants of the ledger, each as a query for the accounts, or other subjects, that violate it. */
const INVARIANTS: readonly { subject?: string; problem: string; sql: string }[] = [
  {
    problem: 'balance differs from the sum of transfers',
    sql: `select a.id from accounts a left join (select account_id, sum(credits) as credits from transfers group by account_id) t
            on t.account_id = a.id where a.posted <> coalesce(t.credits, 0)`,
  },
  {
    problem: 'balance differs from the sum of the lots',
    sql: `select a.id from accounts a left join (select account_id, sum(remaining) as remaining from lots group by account_id) l
            on l.account_id = a.id where a.posted <> coalesce(l.remaining, 0)`,
  },
  {
    problem: 'lot holds more than was granted, or a negative number of credits',
    sql: 'select account_id as id from lots where remaining < 0 or expired < 0 or remaining + expired > granted',
  },
  {
    problem: 'reversal differs from the sum of its parts, or takes back more than was bought',
    sql: `select r.account_id as id from reversals r
            where r.credits <> r.from_lot + r.lapsed + r.from_others + r.owed
              or r.from_lot < 0 or r.lapsed < 0 or r.from_others < 0 or r.owed < 0
          union all
          select p.account_id as id from purchases p join reversals r on r.purchase_id = p.id
            group by p.id, p.account_id, p.credits having sum(r.credits) > p.credits`,
  },
  {
    problem: 'account has both a debt and credits that do not expire',
    sql: `select r.account_id as id from reversals r join lots l on l.account_id = r.account_id
            where r.owed > 0 and l.remaining > 0 and l.${IS_LASTING}`,
  },
  {
    problem: 'purchase without its transfer',
    sql: `select p.account_id as id from purchases p
            left join transfers t on t.idempotency_key = '${purchaseKey('')}' || p.id and t.credits = p.credits
            where t.id is null`,
  },
  {
    problem: 'usage transfer differs from the sum of its charges',
    sql: `select t.account_id as id from transfers t
            left join (select transfer_id, sum(credits) as credits from request_log where transfer_id is not null group by transfer_id) l
            on l.transfer_id = t.id
            left join (select transfer_id, sum(credits) as credits from metered_charges group by transfer_id) c
            on c.transfer_id = t.id
            where t.kind = 'usage' and t.credits <> -coalesce(l.credits, 0) - coalesce(c.credits, 0) - t.removed_credits`,
  },
  {
    problem: 'charged request without a transfer',
    sql: 'select account_id as id from request_log where credits > 0 and transfer_id is null',
  },
  {
    subject: 'deferred batch',
    problem: 'answered requests that could not be written',
    sql: `select seq || ' (' || problem || ')' as id from deferred_runs where problem is not null`,
  },
  {
    problem: 'failed request that was charged',
    sql: 'select account_id as id from request_log where credits > 0 and status_code >= 400',
  },
  {
    problem: 'request charged twice',
    sql: 'select min(account_id) as id from request_log where credits > 0 group by id having count(*) > 1',
  },
  {
    problem: 'charge of a stream or an export without a transfer of the account',
    sql: `select c.account_id as id from metered_charges c
            left join transfers t on t.id = c.transfer_id and t.account_id = c.account_id and t.kind = 'usage'
            where t.id is null or c.credits <= 0 or (c.minutes <= 0 and c.row_count <= 0)`,
  },
  {
    problem: 'rows of an export differ from those it was charged for',
    sql: `select e.account_id as id from bulk_exports e left join (
              select export_id, sum(row_count) as row_count from metered_charges where export_id is not null group by export_id
            ) c on c.export_id = e.id
            where e.row_count > coalesce(c.row_count, 0)
              or (e.status not in ('running', 'failed') and e.row_count < coalesce(c.row_count, 0))`,
  },
  {
    problem: 'charge of an export without its request in the log',
    sql: `select c.account_id as id from (
              select distinct account_id, request_id from metered_charges where request_id is not null
            ) c left join request_log l on l.id = c.request_id
            left join request_log_heads h on h.account_id = c.account_id
            where l.id is null and coalesce(h.removed_rows, 0) = 0`,
  },
  {
    problem: 'daily usage without a transfer of the account',
    sql: `select u.account_id as id from usage_daily u
            left join transfers t on t.id = u.transfer_id and t.account_id = u.account_id and t.kind = 'usage'
            where u.credits > 0 and t.id is null`,
  },
  {
    problem: 'daily usage differs from the sum of the charges',
    sql: `select u.account_id as id from (select account_id, sum(credits) as credits from usage_daily group by account_id) u
            left join (select account_id, sum(credits) as credits from request_log group by account_id) l
            on l.account_id = u.account_id
            left join (select account_id, sum(credits) as credits from metered_charges group by account_id) c
            on c.account_id = u.account_id
            left join (select account_id, sum(removed_credits) as credits from transfers group by account_id) r
            on r.account_id = u.account_id
            where u.credits <> coalesce(l.credits, 0) + coalesce(c.credits, 0) + coalesce(r.credits, 0)`,
  },
  {
    problem: 'daily usage of streams differs from the sum of their charges',
    sql: `select u.account_id as id from (
              select account_id, endpoint, api_key_id, sum(stream_minutes) as minutes, sum(credits) as credits
              from usage_daily group by account_id, endpoint, api_key_id
            ) u left join (
              select account_id, endpoint, api_key_id, sum(minutes) as minutes, sum(credits) as credits
              from metered_charges group by account_id, endpoint, api_key_id
            ) c on c.account_id = u.account_id and c.endpoint = u.endpoint and c.api_key_id = u.api_key_id
            where u.minutes <> coalesce(c.minutes, 0) or (c.credits is not null and u.credits <> c.credits)`,
  },
  {
    problem: 'sums of a day differ from its daily usage',
    sql: `select u.account_id as id from (
              select account_id, day, sum(succeeded) as succeeded, sum(failed) as failed, sum(rate_limited) as rate_limited,
                sum(credits) as credits, count(distinct case when credits > 0 then endpoint end) as charged_endpoints
              from usage_daily group by account_id, day
            ) u left join usage_days d on d.account_id = u.account_id and d.day = u.day
              and d.succeeded = u.succeeded and d.failed = u.failed and d.rate_limited = u.rate_limited
              and d.credits = u.credits and d.charged_endpoints = u.charged_endpoints
            where d.day is null`,
  },
  {
    problem: 'block of the request log differs from its rows',
    sql: `select b.account_id as id from (
              select account_id, from_at, to_at, log_rows, charged from request_log_blocks
              union all
              select account_id, from_at, ${Number.MAX_SAFE_INTEGER}, open_rows, open_charged from request_log_heads
            ) b left join request_log l
              on l.account_id = b.account_id and l.created_at >= b.from_at and l.created_at < b.to_at
            group by b.account_id, b.from_at, b.log_rows, b.charged
            having count(l.seq) <> b.log_rows or count(case when l.credits > 0 then 1 end) <> b.charged`,
  },
  {
    problem: 'blocks of the request log do not add up',
    sql: `select h.account_id as id from request_log_heads h left join (
              select account_id, sum(log_rows) as log_rows, sum(charged) as charged, max(to_at) as to_at
              from request_log_blocks group by account_id
            ) b on b.account_id = h.account_id
            where h.closed_rows <> coalesce(b.log_rows, 0) or h.closed_charged <> coalesce(b.charged, 0)
              or h.from_at <> coalesce(b.to_at, 0)`,
  },
]

export function auditStore(db: Db) {
  return {
    async run(): Promise<AuditReport> {
      const problems: string[] = []
      for (const { subject = 'account', problem, sql } of INVARIANTS) {
        const rows = await db.heavy.query<{ id: string }>(sql)
        for (const id of new Set(rows.map((row) => row.id))) problems.push(`${subject} ${id}: ${problem}`)
      }
      const [counts] = await db.heavy.query<{ accounts: number; charges: number }>(
        `select (select count(*) from accounts) as accounts,
                (select count(*) from request_log where credits > 0) + (select count(*) from metered_charges) as charges`,
      )
      return {
        isBalanced: problems.length === 0,
        accounts: counts?.accounts ?? 0,
        charges: counts?.charges ?? 0,
        problems,
      }
    },
  }
}
