import type { Account, ApiKey } from '../../model/accounts.ts'
import { ACCOUNT_COLUMNS, type AccountRow, lockAccount, toAccount } from '../accounts/account-row.ts'
import { JOINED_KEY_COLUMNS, type KeyRow, toKey } from '../accounts/keys.ts'
import type { Db, Queryable } from '../db.ts'
import { Params, padded } from '../sql.ts'
import { instancesStore } from './instances.ts'
import { type Moment, type Settled, type Settlement, settleAccounts } from './settle.ts'

export interface NewStream {
  id: string
  accountId: string
  apiKeyId: string
  /** The session whose token opened it. */
  sessionId: string | undefined
  endpoint: string
  /** On the clock of the instance. */
  openedMs: number
}

/** Account with its open streams, oldest first, and their keys. */
export interface AccountStreams {
  account: Account
  streams: { id: string; key: ApiKey }[]
}

export type Streams = ReturnType<typeof streamsStore>

/** Open streams of all instances, and the charges for them. */
export function streamsStore(db: Db) {
  return {
    instances: instancesStore(db),

    /** Takes a slot and settles the account. Returns undefined if the account already has `maxOpen` open streams. */
    open(
      stream: NewStream,
      { maxOpen, creditsPerMinute }: { maxOpen: number; creditsPerMinute: number },
      moment: Moment,
    ): Promise<Settled | undefined> {
      const { id, accountId, apiKeyId, sessionId = null, endpoint, openedMs } = stream
      return db.transaction(async (tx) => {
        await lockAccount(tx, accountId)
        if ((await countOpen(tx, accountId)) >= maxOpen) return undefined
        await tx.query(
          `insert into streams (id, account_id, api_key_id, session_id, endpoint, instance_id, opened_ms, opened_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, accountId, apiKeyId, sessionId, endpoint, moment.instanceId, openedMs, moment.at],
        )
        const [settled] = await settleAccounts(tx, [{ accountId, creditsPerMinute }], moment)
        return settled
      })
    },

    settle: (settlements: readonly Settlement[], moment: Moment): Promise<Settled[]> =>
      db.transaction((tx) => settleAccounts(tx, settlements, moment)),

    countOpen: (accountId: string) => countOpen(db, accountId),

    async listByAccount(accountIds: readonly string[]): Promise<AccountStreams[]> {
      const params = new Params()
      const ids = params.list(padded(accountIds))
      const accounts = await db.query<AccountRow>(
        `select ${ACCOUNT_COLUMNS} from accounts where id in (${ids})`,
        params.values,
      )
      const streams = await db.query<StreamRow>(
        `select s.id as stream_id, s.session_id, sessions.expires_at as session_expires_at, ${JOINED_KEY_COLUMNS}
         from streams s join api_keys k on k.id = s.api_key_id left join sessions on sessions.id = s.session_id
         where s.account_id in (${ids}) and s.closed_ms is null order by s.account_id, s.opened_at, s.id`,
        params.values,
      )
      const byAccount = Map.groupBy(streams, ({ account_id }) => account_id)
      return accounts.map((row) => ({
        account: toAccount(row),
        streams: (byAccount.get(row.id) ?? []).map((stream) => ({ id: stream.stream_id, key: keyOf(stream) })),
      }))
    },
  }
}

interface StreamRow extends KeyRow {
  stream_id: string
  session_id: string | null
  session_expires_at: number | null
}

/** Returns the key of a stream. That of a session lasts as long as the session. */
function keyOf(row: StreamRow): ApiKey {
  const key = toKey(row)
  return row.session_id === null ? key : { ...key, sessionId: row.session_id, expiresAt: row.session_expires_at ?? 0 }
}

async function countOpen(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from streams where account_id = $1 and closed_ms is null',
    [accountId],
  )
  return row?.count ?? 0
}
