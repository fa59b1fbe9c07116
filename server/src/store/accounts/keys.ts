import { randomUUID } from 'node:crypto'
import type { Account, ApiKey, InactiveReason } from '../../model/accounts.ts'
import type { Db, Queryable } from '../db.ts'
import { ACCOUNT_COLUMNS, type AccountRow, lockUndeleted, toAccount } from './account-row.ts'

interface KeyRow {
  id: string
  account_id: string
  name: string
  prefix: string
  is_active: number
  inactive_reason: InactiveReason | null
  expires_at: number | null
  last_used_at: number | null
  created_at: number
}

/** A key to store; of the secret only the hash. */
export type NewKey = Pick<ApiKey, 'accountId' | 'name' | 'prefix' | 'expiresAt' | 'createdAt'> & { hash: string }

export type Keys = ReturnType<typeof keysStore>

const KEY_COLUMNS = 'id, account_id, name, prefix, is_active, inactive_reason, expires_at, last_used_at, created_at'
const LISTED_REVOKED = 100
const IS_ACTIVE = 'is_active = 1 and (expires_at is null or expires_at > $2)'

export function keysStore(db: Db) {
  return {
    /** Returns undefined if the account already has `maxActive` active keys. */
    insert(key: NewKey, maxActive: number): Promise<ApiKey | undefined> {
      return db.transaction(async (tx) => {
        await lockUndeleted(tx, key.accountId)
        const [active] = await tx.query<{ count: number }>(
          `select count(*) as count from api_keys where account_id = $1 and ${IS_ACTIVE}`,
          [key.accountId, key.createdAt],
        )
        if (active === undefined || active.count >= maxActive) return undefined
        return insertKey(tx, key)
      })
    },

    async findByHash(hash: string): Promise<{ key: ApiKey; account: Account } | undefined> {
      const [keyRow] = await db.query<KeyRow>(`select ${KEY_COLUMNS} from api_keys where hash = $1`, [hash])
      if (keyRow === undefined) return undefined
      const [accountRow] = await db.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts where id = $1`, [
        keyRow.account_id,
      ])
      return accountRow && { key: toKey(keyRow), account: toAccount(accountRow) }
    },

    /** Lists all keys that are not revoked, and the latest of those that are. */
    async list(accountId: string): Promise<ApiKey[]> {
      const rows = await db.query<KeyRow>(
        `select ${KEY_COLUMNS} from api_keys
         where account_id = $1 and (is_active = 1 or inactive_reason = 'plan_limit' or id in (
           select id from api_keys where account_id = $1 and is_active = 0
           order by created_at desc, id limit ${LISTED_REVOKED}))
         order by created_at, id`,
        [accountId],
      )
      return rows.map(toKey)
    },

    async countActive(accountId: string, now: number): Promise<number> {
      const [row] = await db.query<{ count: number }>(
        `select count(*) as count from api_keys where account_id = $1 and ${IS_ACTIVE}`,
        [accountId, now],
      )
      return row?.count ?? 0
    },

    /** Returns undefined if the account has no such key. */
    revoke(accountId: string, id: string): Promise<ApiKey | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<KeyRow>(
          `update api_keys set is_active = 0, inactive_reason = 'revoked' where account_id = $1 and id = $2
           returning ${KEY_COLUMNS}`,
          [accountId, id.toLowerCase()],
        )
        return row && toKey(row)
      })
    },
  }
}

/**
 * Keeps the oldest keys active, up to the limit of the plan, and deactivates the rest. Keys deactivated this way become
 * active again when the limit allows, so an account has the same keys after a lapsed payment; revoked keys stay
 * revoked.
 */
export async function applyKeyLimit(tx: Queryable, accountId: string, maxActive: number, now: number): Promise<void> {
  const fitting = `id in (
    select id from api_keys where account_id = $1 and coalesce(inactive_reason, '') <> 'revoked'
      and (expires_at is null or expires_at > $2) order by is_active desc, created_at, id limit $3)`
  const values = [accountId, now, maxActive]
  await tx.query(
    `update api_keys set is_active = 0, inactive_reason = 'plan_limit'
     where account_id = $1 and is_active = 1 and (expires_at is null or expires_at > $2) and not (${fitting})`,
    values,
  )
  await tx.query(
    `update api_keys set is_active = 1, inactive_reason = null
     where account_id = $1 and inactive_reason = 'plan_limit' and ${fitting}`,
    values,
  )
}

export async function insertKey(tx: Queryable, key: NewKey): Promise<ApiKey | undefined> {
  const [row] = await tx.query<KeyRow>(
    `insert into api_keys (id, account_id, name, prefix, hash, is_active, expires_at, created_at)
     values ($1, $2, $3, $4, $5, 1, $6, $7) returning ${KEY_COLUMNS}`,
    [randomUUID(), key.accountId, key.name, key.prefix, key.hash, key.expiresAt, key.createdAt],
  )
  return row && toKey(row)
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    isActive: row.is_active === 1,
    inactiveReason: row.inactive_reason,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}
