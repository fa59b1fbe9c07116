import { randomUUID } from 'node:crypto'
import type { SignedIn, User } from '../../model/users.ts'
import { insertAccount, type NewAccount, type OpeningGrant } from '../accounts/accounts.ts'
import type { Db, Queryable, Transaction } from '../db.ts'
import { insertRecords } from '../sql.ts'
import { endSessions, insertSession, type NewSession, type Started } from './sessions.ts'
import { toUser, USER_COLUMNS, type UserRow } from './user-row.ts'

/** A one-time link: signs in, signs up, confirms another address, or lets its holder set a password. */
export type NewLink = { hash: string; createdAt: number; expiresAt: number } & (
  | { kind: 'sign-in' | 'reset'; userId: string }
  | { kind: 'email'; userId: string; email: string }
  | { kind: 'sign-up'; email: string }
)

interface LinkRow {
  kind: NewLink['kind']
  user_id: string | null
  email: string | null
}

/** A code of the second factor that was found right: the time step of a TOTP, or the hash of a recovery code. */
export type Proof = { step: number } | { codeHash: string }

/** What a link may need besides itself: a code of the second factor, or the password of a new user. */
export interface Redemption {
  proof?: Proof | undefined
  passwordHash?: string | undefined
}

/** The account of a new user. */
export interface Opening {
  account: NewAccount
  grants: readonly OpeningGrant[]
}

export type Users = ReturnType<typeof usersStore>

/** Undoes a transaction whose conditions no longer hold. */
class Refusal extends Error {}

/** The lock of transactions that give an address to a user. */
const ADDRESSES = 'user addresses'
const LINK_COLUMNS = 'kind, user_id, email'
const BY_EMAIL = 'where email = $1 and oidc_subject is null'

export function usersStore(db: Db) {
  const unlessRefused = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  return {
    find: (id: string) => findUser(db, 'where id = $1', id),

    /** Finds the user who signs in with this address and a password. */
    findByEmail: (email: string) => findUser(db, BY_EMAIL, email),

    findOwner: () => findUser(db, 'where operator_scope = $1 order by created_at, id limit 1', 'owner'),

    /** Creates the owner, with the account of this address if there is one. Returns undefined if there is an owner. */
    openOwner(accountEmail: string, now: number): Promise<User | undefined> {
      return db.transaction(async (tx) => {
        if ((await findUser(tx, 'where operator_scope = $1', 'owner')) !== undefined) return undefined
        const [account] = await tx.query<{ id: string }>('select id from accounts where email = $1', [accountEmail])
        const [row] = await tx.query<UserRow>(
          `insert into users (id, is_confirmed, account_id, operator_scope, created_at) values ($1, 1, $2, 'owner', $3)
           returning ${USER_COLUMNS}`,
          [randomUUID(), account?.id ?? null, now],
        )
        return row && toUser(row)
      }, 'owner')
    },

    /** Creates a user with an account and a session. Returns undefined if a user or an account has the address. */
    signUp(
      user: { email: string; passwordHash: string },
      opening: Opening,
      session: NewSession,
    ): Promise<Started | undefined> {
      return unlessRefused(
        db.transaction(async (tx) => {
          if (!(await insertAccount(tx, opening.account, opening.grants))) throw new Refusal()
          return insertSession(tx, await insertUser(tx, { ...user, isConfirmed: false, opening }), session)
        }, ADDRESSES),
      )
    },

    /**
     * Starts a session. Returns undefined if the password or the second factor has changed since it was checked, or if
     * the code was used before.
     */
    signIn(user: User, proof: Proof | undefined, session: NewSession): Promise<Started | undefined> {
      return unlessRefused(
        db.transaction(async (tx) => {
          const { passwordHash } = await lockUser(tx, user.id)
          if (passwordHash !== user.passwordHash) throw new Refusal()
          await prove(tx, user.id, proof)
          return insertSession(tx, user, session)
        }),
      )
    },

    /** Starts a session of a user of OpenID Connect, who is created at the first one. */
    signInByOidc(
      { subject, email }: { subject: string; email: string },
      session: NewSession,
    ): Promise<Started | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<UserRow>(
          `insert into users (id, email, is_confirmed, oidc_subject, created_at) values ($1, $2, 1, $3, $4)
           on conflict (oidc_subject) do update set email = excluded.email returning ${USER_COLUMNS}`,
          [randomUUID(), email, subject, session.createdAt],
        )
        return row && insertSession(tx, toUser(row), session)
      })
    },

    addLink(link: NewLink): Promise<void> {
      const [userId, email] = ['userId' in link ? link.userId : null, 'email' in link ? link.email : null]
      return db.transaction(async (tx) => {
        await tx.query(
          `insert into sign_in_links (hash, kind, user_id, email, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6)`,
          [link.hash, link.kind, userId, email, link.createdAt, link.expiresAt],
        )
      })
    },

    /** Returns the kind of a link, its user, and the address of that user with it; a link to sign up has no user yet. */
    async findLink(
      hash: string,
      now: number,
    ): Promise<{ kind: NewLink['kind']; user: User | undefined; email: string | null } | undefined> {
      const [link] = await db.query<LinkRow>(
        `select ${LINK_COLUMNS} from sign_in_links where hash = $1 and expires_at > $2`,
        [hash, now],
      )
      if (link === undefined) return undefined
      const user = await findUser(db, 'where id = $1', link.user_id ?? '')
      return { kind: link.kind, user, email: link.email ?? user?.email ?? null }
    },

    /**
     * Uses a link up to sign in or up, and starts a session. Returns undefined if it was used before, its address is
     * taken by now, the code of the second factor was used before, or what it needs is missing.
     */
    redeem(
      hash: string,
      { proof, passwordHash }: Redemption,
      session: NewSession,
      openingFor: (email: string) => Opening,
    ): Promise<Started | undefined> {
      return unlessRefused(
        db.transaction(async (tx) => {
          const link = await takeLink(tx, hash, ['sign-in', 'sign-up'], session.createdAt)
          const user =
            link.kind === 'sign-up' ? await openUser(tx, link, passwordHash, openingFor) : await userOf(tx, link)
          await prove(tx, user.id, proof)
          return insertSession(tx, user, session)
        }, ADDRESSES),
      )
    },

    /** Uses a link up to give its user another address. Returns false if it was used before or the address is taken. */
    async confirmEmail(hash: string, now: number): Promise<boolean> {
      const isConfirmed = await unlessRefused(
        db.transaction(async (tx) => {
          const link = await takeLink(tx, hash, ['email'], now)
          await changeEmail(tx, await userOf(tx, link), link.email ?? '')
          return true
        }, ADDRESSES),
      )
      return isConfirmed ?? false
    },

    /** Uses a link up to set a password, and ends all sessions. Returns undefined if the link was used before. */
    resetPassword(hash: string, passwordHash: string, isConfirmed: boolean, now: number): Promise<User | undefined> {
      return unlessRefused(
        db.transaction(async (tx) => {
          const user = await userOf(tx, await takeLink(tx, hash, ['reset'], now))
          await tx.query('update users set is_confirmed = $2 where id = $1 and is_confirmed = 0', [
            user.id,
            Number(isConfirmed),
          ])
          await replacePassword(tx, user.id, passwordHash)
          return user
        }),
      )
    },

    /** Sets another password and ends all other sessions. Returns false if the password has changed meanwhile. */
    async setPassword(user: User, passwordHash: string, keptSessionId: string): Promise<boolean> {
      const isSet = await unlessRefused(
        db.transaction(async (tx) => {
          if ((await lockUser(tx, user.id)).passwordHash !== user.passwordHash) throw new Refusal()
          await replacePassword(tx, user.id, passwordHash, keptSessionId)
          return true
        }),
      )
      return isSet ?? false
    },

    /** Sets the address of a user who has none. Returns false if it is taken. */
    async setFirstEmail(userId: string, email: string): Promise<boolean> {
      const set = await unlessRefused(
        db.transaction(async (tx) => {
          if ((await findUser(tx, BY_EMAIL, email)) !== undefined) throw new Refusal()
          const changed = await tx.query(
            'update users set email = $2, is_confirmed = 0 where id = $1 and email is null returning id',
            [userId, email],
          )
          return changed.length > 0
        }, ADDRESSES),
      )
      return set ?? false
    },

    /** Stores a secret for a second factor that is not confirmed yet. Returns false if the user has a second factor. */
    async offerSecondFactor(userId: string, totpSecret: string): Promise<boolean> {
      const changed = await db.transaction((tx) =>
        tx.query('update users set totp_secret = $2 where id = $1 and totp_confirmed_at is null returning id', [
          userId,
          totpSecret,
        ]),
      )
      return changed.length > 0
    },

    /**
     * Turns the second factor on and ends all other sessions. Returns false if it is on, or if its secret was replaced
     * meanwhile.
     */
    confirmSecondFactor(
      { user: { id, totpSecret }, session }: SignedIn,
      step: number,
      codeHashes: readonly string[],
      now: number,
    ): Promise<boolean> {
      return db.transaction(async (tx) => {
        const changed = await tx.query(
          `update users set totp_confirmed_at = $2, totp_step = $3
           where id = $1 and totp_confirmed_at is null and totp_secret = $4 returning id`,
          [id, now, step, totpSecret],
        )
        if (changed.length === 0) return false
        await tx.query('delete from recovery_codes where user_id = $1', [id])
        await insertRecords(
          tx,
          'recovery_codes',
          codeHashes.map((hash) => ({ user_id: id, hash })),
        )
        await endSessions(tx, id, session.id)
        return true
      })
    },

    /** Turns the second factor off. Returns false if the code was used before. */
    async removeSecondFactor(userId: string, proof: Proof): Promise<boolean> {
      const removed = await unlessRefused(
        db.transaction(async (tx) => {
          await prove(tx, userId, proof)
          await tx.query(
            'update users set totp_secret = null, totp_confirmed_at = null, totp_step = null where id = $1',
            [userId],
          )
          await tx.query('delete from recovery_codes where user_id = $1', [userId])
          return true
        }),
      )
      return removed ?? false
    },
  }
}

/**
 * Removes the users of an account with their sessions, and links that would create another one. The owner stays, without
 * an account: somebody has to operate the service.
 */
export async function removeUsers(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    `delete from sign_in_links where email in (
       select email from accounts where id = $1 union select email from users where account_id = $1)`,
    [accountId],
  )
  await tx.query('delete from users where account_id = $1 and operator_scope is null', [accountId])
  await tx.query('update users set account_id = null where account_id = $1', [accountId])
}

async function findUser(db: Queryable, condition: string, value: string): Promise<User | undefined> {
  const [row] = await db.query<UserRow>(`select ${USER_COLUMNS} from users ${condition}`, [value])
  return row && toUser(row)
}

async function insertUser(
  tx: Queryable,
  user: { email: string; passwordHash: string; isConfirmed: boolean; opening: Opening; accountId?: string },
): Promise<User> {
  const { account } = user.opening
  const [row] = await tx.query<UserRow>(
    `insert into users (id, email, is_confirmed, password_hash, account_id, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning ${USER_COLUMNS}`,
    [
      randomUUID(),
      user.email,
      Number(user.isConfirmed),
      user.passwordHash,
      user.accountId ?? account.id,
      account.createdAt,
    ],
  )
  if (row === undefined) throw new Refusal()
  return toUser(row)
}

async function takeLink(tx: Queryable, hash: string, kinds: readonly NewLink['kind'][], now: number): Promise<LinkRow> {
  const [link] = await tx.query<LinkRow>(
    `delete from sign_in_links where hash = $1 and expires_at > $2 returning ${LINK_COLUMNS}`,
    [hash, now],
  )
  // Undoes the removal of a link of another kind.
  if (link === undefined || !kinds.includes(link.kind)) throw new Refusal()
  return link
}

const userOf = (tx: Queryable, { user_id }: LinkRow) => lockUser(tx, user_id ?? '')

/** Locks the user until the transaction ends, so that a new password ends every session that the old one has started. */
async function lockUser(tx: Queryable, id: string): Promise<User> {
  const [row] = await tx.query<UserRow>(
    `update users set created_at = created_at where id = $1 returning ${USER_COLUMNS}`,
    [id],
  )
  if (row === undefined) throw new Refusal()
  return toUser(row)
}

/** Creates the user of a link to sign up. The address is proven, so an account that the operator opened for it is theirs. */
async function openUser(
  tx: Transaction,
  { email }: LinkRow,
  passwordHash: string | undefined,
  openingFor: (email: string) => Opening,
): Promise<User> {
  if (email === null || passwordHash === undefined) throw new Refusal()
  const opening = openingFor(email)
  if (await insertAccount(tx, opening.account, opening.grants)) {
    return insertUser(tx, { email, passwordHash, isConfirmed: true, opening })
  }
  const [account] = await tx.query<{ id: string }>(
    'select id from accounts where email = $1 and not exists (select 1 from users where account_id = accounts.id)',
    [email],
  )
  if (account === undefined) throw new Refusal()
  return insertUser(tx, { email, passwordHash, isConfirmed: true, opening, accountId: account.id })
}

/** Throws unless the user has no second factor, or the code is one of theirs and was not used before. */
async function prove(tx: Queryable, userId: string, proof: Proof | undefined): Promise<void> {
  const statement =
    proof === undefined
      ? { sql: 'select id from users where id = $1 and totp_confirmed_at is null', values: [userId] }
      : 'step' in proof
        ? {
            sql: `update users set totp_step = $2
                  where id = $1 and totp_confirmed_at is not null and coalesce(totp_step, 0) < $2 returning id`,
            values: [userId, proof.step],
          }
        : {
            sql: 'delete from recovery_codes where user_id = $1 and hash = $2 returning hash',
            values: [userId, proof.codeHash],
          }
  const proven = await tx.query(statement.sql, statement.values)
  if (proven.length === 0) throw new Refusal()
}

async function changeEmail(tx: Queryable, user: User, email: string): Promise<void> {
  const taken = await tx.query(
    `select id from users where email = $1 and oidc_subject is null and id <> $2
     union all select id from accounts where email = $1 and id <> $3`,
    [email, user.id, user.accountId ?? ''],
  )
  if (taken.length > 0) throw new Refusal()
  await tx.query('update users set email = $2, is_confirmed = 1 where id = $1', [user.id, email])
  await tx.query('update accounts set email = $2 where id = $1 and email = $3', [user.accountId, email, user.email])
}

async function replacePassword(
  tx: Queryable,
  userId: string,
  passwordHash: string,
  keptSessionId?: string,
): Promise<void> {
  await tx.query('update users set password_hash = $2 where id = $1', [userId, passwordHash])
  // Also those of a change of address, which an attacker may have asked for.
  await tx.query('delete from sign_in_links where user_id = $1', [userId])
  await endSessions(tx, userId, keptSessionId)
}
