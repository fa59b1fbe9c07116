import type { Account, ApiKey } from '../../model/accounts.ts'
import { ACCOUNT_COLUMNS, type AccountRow, lockAccount, toAccount } from '../accounts/account-row.ts'
import { addUsage, type UsageSum } from '../accounts/usage.ts'
import type { Db, Queryable } from '../db.ts'
import { Params } from '../sql.ts'
import { instancesStore } from './instances.ts'
import { type Moment, type Settled, type Settlement, settleAccount } from './settle.ts'

export interface NewStream {
  id: string
  accountId: string
  apiKeyId: string
  endpoint: string
  /** On the clock of the instance. */
  openedMs: number
}

/** An account with open streams, and the keys that they were opened with, oldest stream first. */
export interface Standing {
  account: Account
  streams: { id: string; key: Pick<ApiKey, 'isActive' | 'expiresAt'> }[]
}

export type Streams = ReturnType<typeof streamsStore>

/** Streams that are open now, on all instances, and the time that they have been. */
export function streamsStore(db: Db) {
  return {
    instances: instancesStore(db),

    /** Takes a slot. Undefined when the account has as many streams open as it may. */
    open(stream: NewStream, maxOpen: number, creditsPerMinute: number, moment: Moment): Promise<Settled | undefined> {
      return db.transaction(async (tx) => {
        await lockAccount(tx, stream.accountId)
        if ((await countOpen(tx, stream.accountId)) >= maxOpen) return undefined
        await tx.query(
          `insert into streams (id, account_id, api_key_id, endpoint, instance_id, opened_ms, charged_ms, opened_at)
           values ($1, $2, $3, $4, $5, $6, 0, $7)`,
          [
            stream.id,
            stream.accountId,
            stream.apiKeyId,
            stream.endpoint,
            moment.instanceId,
            stream.openedMs,
            moment.at,
          ],
        )
        const settlement = { accountId: stream.accountId, creditsPerMinute, closed: [] }
        const usage: UsageSum[] = []
        const settled = await settleAccount(tx, settlement, moment, usage)
        await addUsage(tx, usage)
        return settled
      })
    },

    /** Reckons the time of some accounts in one durable step, in the order of ids so that two never wait for each other. */
    settle(settlements: readonly Settlement[], moment: Moment): Promise<Settled[]> {
      return db.transaction(async (tx) => {
        const settled: Settled[] = []
        const usage: UsageSum[] = []
        for (const settlement of settlements.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))) {
          settled.push(await settleAccount(tx, settlement, moment, usage))
        }
        await addUsage(tx, usage)
        return settled
      })
    },

    countOpen: (accountId: string) => countOpen(db, accountId),

    /** What streams have cost since a time. */
    async usage(accountId: string, since: number): Promise<{ minutes: number; credits: number }> {
      const [row] = await db.query<{ minutes: number | null; credits: number | null }>(
        'select sum(minutes) as minutes, sum(credits) as credits from stream_charges where account_id = $1 and created_at >= $2',
        [accountId, since],
      )
      return { minutes: Number(row?.minutes ?? 0), credits: Number(row?.credits ?? 0) }
    },

    /** Of these accounts, as they are now: those with open streams. */
    async standings(accountIds: readonly string[]): Promise<Map<string, Standing>> {
      const params = new Params()
      const ids = params.list(padded(accountIds))
      const accounts = await db.query<AccountRow>(
        `select ${ACCOUNT_COLUMNS} from accounts where id in (${ids})`,
        params.values,
      )
      const streams = await db.query<{ id: string; accountId: string; isActive: number; expiresAt: number | null }>(
        `select s.id, s.account_id as "accountId", k.is_active as "isActive", k.expires_at as "expiresAt"
         from streams s join api_keys k on k.id = s.api_key_id
         where s.account_id in (${ids}) and s.closed_ms is null order by s.account_id, s.opened_at, s.id`,
        params.values,
      )
      const standings = new Map<string, Standing>()
      for (const row of accounts) standings.set(row.id, { account: toAccount(row), streams: [] })
      for (const { id, accountId, isActive, expiresAt } of streams) {
        standings.get(accountId)?.streams.push({ id, key: { isActive: isActive === 1, expiresAt } })
      }
      return standings
    },
  }
}

async function countOpen(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from streams where account_id = $1 and closed_ms is null',
    [accountId],
  )
  return row?.count ?? 0
}

/** To a power of two, so that a handful of prepared statements serves every number. */
function padded(ids: readonly string[]): string[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)))
  return Array.from({ length }, (_, index) => ids[index] ?? ids[0] ?? '')
}
