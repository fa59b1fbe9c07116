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

/** The invariants of the ledger, each as a query for the accounts that violate it. */
const INVARIANTS: readonly { problem: string; sql: string }[] = [
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
            left join (select transfer_id, sum(credits) as credits from stream_charges group by transfer_id) c
            on c.transfer_id = t.id
            where t.kind = 'usage' and t.credits <> -coalesce(l.credits, 0) - coalesce(c.credits, 0)`,
  },
  {
    problem: 'charged request without a transfer',
    sql: 'select account_id as id from request_log where credits > 0 and transfer_id is null',
  },
  {
    problem: 'failed request that was charged',
    sql: 'select account_id as id from request_log where credits > 0 and status_code <> 200',
  },
  {
    problem: 'request charged twice',
    sql: 'select min(account_id) as id from request_log where credits > 0 group by id having count(*) > 1',
  },
  {
    problem: 'stream charge without a transfer of the account',
    sql: `select c.account_id as id from stream_charges c
            left join transfers t on t.id = c.transfer_id and t.account_id = c.account_id and t.kind = 'usage'
            where t.id is null or c.minutes <= 0 or c.credits <= 0`,
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
            left join (select account_id, sum(credits) as credits from stream_charges group by account_id) c
            on c.account_id = u.account_id
            where u.credits <> coalesce(l.credits, 0) + coalesce(c.credits, 0)`,
  },
]

export function auditStore(db: Db) {
  return {
    async run(): Promise<AuditReport> {
      const problems: string[] = []
      for (const { problem, sql } of INVARIANTS) {
        const rows = await db.heavy.query<{ id: string }>(sql)
        for (const id of new Set(rows.map((row) => row.id))) problems.push(`account ${id}: ${problem}`)
      }
      const [counts] = await db.heavy.query<{ accounts: number; charges: number }>(
        `select (select count(*) from accounts) as accounts,
                (select count(*) from request_log where credits > 0) + (select count(*) from stream_charges) as charges`,
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
