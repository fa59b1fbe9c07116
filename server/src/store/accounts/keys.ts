import { randomUUID } from 'node:crypto'
import {
  type Account,
  type ApiKey,
  type InactiveReason,
  type KeyRestrictions,
  withSecret,
} from '../../model/accounts.ts'
import type { Db, Queryable } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { batchedRead } from '../lists/shared-read.ts'
import { ACCOUNT_COLUMNS, type AccountRow, lockUndeleted, toAccount } from './account-row.ts'

export interface KeyRow {
  id: string
  account_id: string
  name: string
  prefix: string
  is_active: number
  inactive_reason: InactiveReason | null
  expires_at: number | null
  last_used_at: number | null
  created_at: number
  scopes: string | null
  allowed_addresses: string | null
  secret_number: number
  old_hash_expires_at: number | null
}

/** A key to store; of the secret only the hash. */
export type NewKey = Pick<ApiKey, 'accountId' | 'name' | 'prefix' | 'expiresAt' | 'createdAt'> &
  Partial<KeyRestrictions> & { hash: string }

export type KeyChange = Partial<Pick<ApiKey, 'name'> & KeyRestrictions> & {
  /** A new secret. The current one works until `overlapEndsAt`; if that is null, it stops at once. */
  secret?: { prefix: string; hash: string; overlapEndsAt: number | null }
}

export type Keys = ReturnType<typeof keysStore>

const COLUMNS = [
  'id',
  'account_id',
  'name',
  'prefix',
  'is_active',
  'inactive_reason',
  'expires_at',
  'last_used_at',
  'created_at',
  'scopes',
  'allowed_addresses',
  'secret_number',
  'old_hash_expires_at',
] as const satisfies (keyof KeyRow)[]
const KEY_COLUMNS = COLUMNS.join(', ')
/** The columns of a query that calls the table k. */
export const JOINED_KEY_COLUMNS = COLUMNS.map((column) => `k.${column}`).join(', ')
const LISTED_REVOKED = 100
/** Selects the keys of the account $1: all that are not revoked, and the latest of the revoked ones. */
const IS_LISTED = `(is_active = 1 or inactive_reason = 'plan_limit' or id in (
  select id from api_keys where account_id = $1 and kind = 'key' and is_active = 0
  order by created_at desc, id limit ${LISTED_REVOKED}))`
/** Selects the listed keys, and the one of the kind `dashboard` under which the calls of sessions are counted. */
export const COUNTED_KEYS = `select id, prefix, name, kind, created_at from api_keys
  where account_id = $1 and (kind = 'dashboard' or kind = 'key' and ${IS_LISTED})`
/** The condition of keys that are active at the time $2. */
export const ACTIVE_KEYS = "kind = 'key' and is_active = 1 and (expires_at is null or expires_at > $2)"

export function keysStore(db: Db) {
  return {
    /** Returns undefined if the account already has `maxActive` active keys. */
    insert(key: NewKey, maxActive: number): Promise<ApiKey | undefined> {
      return db.transaction(async (tx) => {
        await lockUndeleted(tx, key.accountId)
        const [active] = await tx.query<{ count: number }>(
          `select count(*) as count from api_keys where account_id = $1 and ${ACTIVE_KEYS}`,
          [key.accountId, key.createdAt],
        )
        if (active === undefined || active.count >= maxActive) return undefined
        return insertKey(tx, key)
      })
    },

    /** Returns the key as it applies to the holder of the secret with this hash. */
    findByHash: batchedRead((hashes: string[]) => readHolders(db, hashes)),

    /** Lists all keys that are not revoked, and the latest of those that are. */
    async list(accountId: string): Promise<ApiKey[]> {
      const rows = await db.query<KeyRow>(
        `select ${KEY_COLUMNS} from api_keys
         where account_id = $1 and kind = 'key' and ${IS_LISTED} order by created_at, id`,
        [accountId],
      )
      return rows.map(toKey)
    },

    /** Applies the change that `decide` returns for the key. Returns undefined if the account has no such key. */
    change(accountId: string, id: string, decide: (key: ApiKey) => KeyChange): Promise<ApiKey | undefined> {
      return db.transaction(async (tx) => {
        await lockUndeleted(tx, accountId)
        const [found] = await tx.query<KeyRow>(
          `select ${KEY_COLUMNS} from api_keys where account_id = $1 and id = $2 and kind = 'key'`,
          [accountId, id.toLowerCase()],
        )
        if (found === undefined) return undefined
        const key = toKey(found)
        const { name, scopes, allowedAddresses, secret } = { ...key, ...decide(key) }
        if (secret !== undefined) await replaceSecret(tx, key.id, secret)
        const [row] = await tx.query<KeyRow>(
          `update api_keys set name = $2, scopes = $3, allowed_addresses = $4 where id = $1 returning ${KEY_COLUMNS}`,
          [key.id, name, jsonOrNull(scopes), jsonOrNull(allowedAddresses)],
        )
        return row && toKey(row)
      })
    },

    /** Returns undefined if the account has no such key. */
    revoke(accountId: string, id: string): Promise<ApiKey | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<KeyRow>(
          `update api_keys set is_active = 0, inactive_reason = 'revoked'
           where account_id = $1 and id = $2 and kind = 'key'
           returning ${KEY_COLUMNS}`,
          [accountId, id.toLowerCase()],
        )
        return row && toKey(row)
      })
    },
  }
}

interface Holder {
  key: ApiKey
  account: Account
}

/** Returns keys and their accounts by the hashes of secrets, be it the current secret of a key or the one before. */
async function readHolders(db: Db, hashes: readonly string[]): Promise<Map<string, Holder>> {
  const holders = new Map<string, Holder>()
  await forEachChunk(hashes, async (params, list) => {
    const isGiven = `hash in (${list}) or old_hash in (${list})`
    const [keys, accounts] = await Promise.all([
      db.query<KeyRow & { hash: string; old_hash: string | null }>(
        `select hash, old_hash, ${KEY_COLUMNS} from api_keys where ${isGiven}`,
        params.values,
      ),
      db.query<AccountRow>(
        `select ${ACCOUNT_COLUMNS} from accounts where id in (select account_id from api_keys where ${isGiven})`,
        params.values,
      ),
    ])
    const accountById = new Map(accounts.map((row) => [row.id, toAccount(row)]))
    for (const row of keys) {
      const key = toKey(row)
      const account = accountById.get(key.accountId)
      if (account === undefined) continue
      holders.set(row.hash, { key, account })
      if (row.old_hash !== null) holders.set(row.old_hash, { key: withSecret(key, row.secret_number - 1), account })
    }
  })
  return holders
}

async function replaceSecret(
  tx: Queryable,
  id: string,
  { prefix, hash, overlapEndsAt }: NonNullable<KeyChange['secret']>,
): Promise<void> {
  await tx.query(
    `update api_keys set prefix = $2, hash = $3, old_hash = ${overlapEndsAt === null ? 'null' : 'hash'},
       old_hash_expires_at = $4, secret_number = secret_number + 1 where id = $1`,
    [id, prefix, hash, overlapEndsAt],
  )
}

/**
 * Keeps the oldest keys active, up to the limit of the plan, and deactivates the rest. Keys deactivated this way become
 * active again when the limit allows, so an account has the same keys after a lapsed payment; revoked keys stay
 * revoked.
 */
export async function applyKeyLimit(tx: Queryable, accountId: string, maxActive: number, now: number): Promise<void> {
  const fitting = `id in (
    select id from api_keys where account_id = $1 and kind = 'key' and coalesce(inactive_reason, '') <> 'revoked'
      and (expires_at is null or expires_at > $2) order by is_active desc, created_at, id limit $3)`
  const values = [accountId, now, maxActive]
  await tx.query(
    `update api_keys set is_active = 0, inactive_reason = 'plan_limit'
     where account_id = $1 and kind = 'key' and is_active = 1 and (expires_at is null or expires_at > $2)
       and not (${fitting})`,
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
    `insert into api_keys
       (id, account_id, name, prefix, hash, is_active, expires_at, created_at, scopes, allowed_addresses)
     values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9) returning ${KEY_COLUMNS}`,
    [
      randomUUID(),
      key.accountId,
      key.name,
      key.prefix,
      key.hash,
      key.expiresAt,
      key.createdAt,
      jsonOrNull(key.scopes),
      jsonOrNull(key.allowedAddresses),
    ],
  )
  return row && toKey(row)
}

const jsonOrNull = (list: readonly string[] | null | undefined) => (list ? JSON.stringify(list) : null)

export function toKey(row: KeyRow): ApiKey {
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
    scopes: row.scopes === null ? null : JSON.parse(row.scopes),
    allowedAddresses: row.allowed_addresses === null ? null : JSON.parse(row.allowed_addresses),
    secretNumber: row.secret_number,
    oldSecretExpiresAt: row.old_hash_expires_at,
  }
}
