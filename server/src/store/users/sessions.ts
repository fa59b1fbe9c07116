import { randomUUID } from 'node:crypto'
import type { Account, ApiKey } from '../../model/accounts.ts'
import { MINUTE } from '../../model/time.ts'
import { SESSION_IDLE_MS, type Session, type SignedIn, type User } from '../../model/users.ts'
import { ACCOUNT_COLUMNS, type AccountRow, lockUndeleted, toAccount } from '../accounts/account-row.ts'
import { JOINED_KEY_COLUMNS, type KeyRow, toKey } from '../accounts/keys.ts'
import type { Db, Queryable } from '../db.ts'
import { Params } from '../sql.ts'
import { JOINED_USER_COLUMNS, SESSION_COLUMNS, toUser, USER_COLUMNS, type UserRow } from './user-row.ts'

/** A session to store; of the secret only the hash. */
export type NewSession = Pick<Session, 'address' | 'browser' | 'createdAt' | 'expiresAt'> & {
  hash: string
  /** The hash of the browser's session so far, which ends. */
  replaces: string | undefined
}

export interface NewToken {
  hash: string
  sessionId: string
  audience: 'account' | 'operator'
  createdAt: number
  expiresAt: number
}

export type Sessions = ReturnType<typeof sessionsStore>

/** How often the last use of a session is written. */
const TOUCH_MS = MINUTE
/** Sessions of a user; further ones replace the oldest. */
const MAX_SESSIONS = 50
/** Tokens of a session that work at once, for pages in several tabs; further ones replace the oldest. */
const MAX_TOKENS = 50
/** Rows that a transaction removes: charges wait for it. */
const PORTION = 500

/** Sessions of users, and the tokens of their pages. */
export function sessionsStore(db: Db) {
  return {
    /** Returns the session with its user, unless it has ended. Notes the use. */
    async find(hash: string, now: number): Promise<SignedIn | undefined> {
      const [session] = await db.query<Session>(`select ${SESSION_COLUMNS} from sessions s where s.hash = $1`, [hash])
      if (session === undefined || !isLive(session, now)) return undefined
      const [user] = await db.query<UserRow>(`select ${USER_COLUMNS} from users where id = $1`, [session.userId])
      if (user === undefined) return undefined
      if (now - session.lastUsedAt >= TOUCH_MS) {
        await db.transaction((tx) =>
          tx.query('update sessions set last_used_at = $2 where id = $1 and last_used_at < $2', [session.id, now]),
        )
      }
      return { session, user: toUser(user) }
    },

    /** Lists the sessions of a user, the last used first. */
    async list(userId: string, now: number): Promise<Session[]> {
      const sessions = await db.query<Session>(
        `select ${SESSION_COLUMNS} from sessions s where s.user_id = $1 order by s.last_used_at desc, s.id`,
        [userId],
      )
      return sessions.filter((session) => isLive(session, now))
    },

    /** Ends a session with its tokens. Returns whether the user had it. */
    async end(userId: string, id: string): Promise<boolean> {
      const ended = await db.transaction((tx) =>
        tx.query('delete from sessions where user_id = $1 and id = $2 returning id', [userId, id.toLowerCase()]),
      )
      return ended.length > 0
    },

    endOthers: (userId: string, keptId: string): Promise<void> =>
      db.transaction((tx) => endSessions(tx, userId, keptId)),

    /** Stores a token. Returns false if the session has ended or its account was deleted. */
    addToken(token: NewToken): Promise<boolean> {
      const { hash, sessionId, audience, createdAt, expiresAt } = token
      return db.transaction(async (tx) => {
        const [user] = await tx.query<{ account_id: string | null }>(
          'select u.account_id from sessions s join users u on u.id = s.user_id where s.id = $1',
          [sessionId],
        )
        if (user === undefined) return false
        if (audience === 'account') {
          if (user.account_id === null) return false
          await openDashboardKey(tx, user.account_id, createdAt)
        }
        await tx.query(
          `delete from session_tokens where session_id = $1 and audience = $2 and hash not in (
             select hash from session_tokens where session_id = $1 and audience = $2
             order by created_at desc, hash limit ${MAX_TOKENS - 1})`,
          [sessionId, audience],
        )
        const added = await tx.query(
          `insert into session_tokens (hash, session_id, audience, created_at, expires_at)
           select cast($1 as text), s.id, cast($3 as text), cast($4 as bigint), cast($5 as bigint)
           from sessions s where s.id = $2 returning hash`,
          [hash, sessionId, audience, createdAt, expiresAt],
        )
        return added.length > 0
      })
    },

    /** Returns the key and the account of a token for the API. The key expires with the token. */
    async findCaller(hash: string): Promise<{ key: ApiKey; account: Account } | undefined> {
      const [row] = await db.query<KeyRow & { session_id: string; token_expires_at: number }>(
        `select t.session_id, t.expires_at as token_expires_at, ${JOINED_KEY_COLUMNS}
         from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
         join api_keys k on k.hash = 'dashboard:' || u.account_id
         where t.hash = $1 and t.audience = 'account'`,
        [hash],
      )
      if (row === undefined) return undefined
      const [account] = await db.query<AccountRow>(`select ${ACCOUNT_COLUMNS} from accounts where id = $1`, [
        row.account_id,
      ])
      const key = { ...toKey(row), expiresAt: row.token_expires_at, sessionId: row.session_id }
      return account && { key, account: toAccount(account) }
    },

    /** Returns the user of a token for the operator API. */
    async findOperator(hash: string, now: number): Promise<User | undefined> {
      const [row] = await db.query<UserRow>(
        `select ${JOINED_USER_COLUMNS}
         from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
         where t.hash = $1 and t.audience = 'operator' and t.expires_at > $2`,
        [hash, now],
      )
      return row && toUser(row)
    },

    /** Removes what has expired, in small portions. */
    async removeExpired(now: number): Promise<void> {
      await removeInPortions(db, 'session_tokens', 'hash', 'expires_at <= $1', now)
      await removeInPortions(db, 'sessions', 'id', 'expires_at <= $1', now)
      await removeInPortions(db, 'sessions', 'id', 'last_used_at <= $1', now - SESSION_IDLE_MS)
      await removeInPortions(db, 'sign_in_links', 'hash', 'expires_at <= $1', now)
    },
  }
}

export async function removeInPortions(db: Db, table: string, key: string, condition: string, time: number) {
  for (;;) {
    const removed = await db.transaction((tx) =>
      tx.query(
        `delete from ${table} where ${key} in (select ${key} from ${table} where ${condition} limit ${PORTION}) returning ${key}`,
        [time],
      ),
    )
    if (removed.length < PORTION) return
  }
}

const isLive = ({ lastUsedAt, expiresAt }: Session, now: number) =>
  expiresAt > now && now - lastUsedAt < SESSION_IDLE_MS

/** A session that began. */
export interface Started {
  user: User
  /** The accounts of the sessions that it ended: the browser's last one, and those beyond the limit. */
  endedAccountIds: string[]
}

export async function insertSession(tx: Queryable, user: User, session: NewSession): Promise<Started> {
  const ended = await tx.query<{ user_id: string }>(
    `delete from sessions where hash = $1 or (user_id = $2 and id not in (
       select id from sessions where user_id = $2 and hash <> $1
       order by created_at desc, id limit ${MAX_SESSIONS - 1})) returning user_id`,
    [session.replaces ?? '', user.id],
  )
  await tx.query(
    `insert into sessions (id, hash, user_id, address, browser, created_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [randomUUID(), session.hash, user.id, session.address, session.browser, session.createdAt, session.expiresAt],
  )
  return { user, endedAccountIds: await accountsOf(tx, new Set(ended.map(({ user_id }) => user_id))) }
}

async function accountsOf(tx: Queryable, userIds: ReadonlySet<string>): Promise<string[]> {
  if (userIds.size === 0) return []
  const params = new Params()
  const rows = await tx.query<{ account_id: string }>(
    `select distinct account_id from users where id in (${params.list([...userIds])}) and account_id is not null`,
    params.values,
  )
  return rows.map(({ account_id }) => account_id)
}

/** Ends the sessions of a user, apart from the one to keep. */
export async function endSessions(tx: Queryable, userId: string, keptId = ''): Promise<void> {
  await tx.query('delete from sessions where user_id = $1 and id <> $2', [userId, keptId])
}

/** Creates the key under which the calls of an account's sessions are counted. No secret has its hash. */
async function openDashboardKey(tx: Queryable, accountId: string, now: number): Promise<void> {
  await lockUndeleted(tx, accountId)
  await tx.query(
    `insert into api_keys (id, account_id, name, prefix, hash, is_active, kind, created_at)
     values ($1, $2, 'Dashboard', 'dashboard', 'dashboard:' || $2, 1, 'dashboard', $3) on conflict do nothing`,
    [randomUUID(), accountId, now],
  )
}
