import type { AdminToken } from '../../model/operators.ts'
import type { Db } from '../db.ts'

export type AdminTokens = ReturnType<typeof adminTokensStore>

const COLUMNS = `name, scope, prefix, created_by as "createdBy", created_at as "createdAt", revoked_at as "revokedAt"`

export function adminTokensStore(db: Db) {
  return {
    /** Returns undefined if a token has or had this name. */
    insert(token: Omit<AdminToken, 'revokedAt'> & { hash: string }): Promise<AdminToken | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<AdminToken>(
          `insert into admin_tokens (name, scope, prefix, hash, created_by, created_at) values ($1, $2, $3, $4, $5, $6)
           on conflict do nothing returning ${COLUMNS}`,
          [token.name, token.scope, token.prefix, token.hash, token.createdBy, token.createdAt],
        )
        return row
      })
    },

    /** Returns undefined if there is no such token, or if it is revoked. */
    async findByHash(hash: string): Promise<AdminToken | undefined> {
      const [row] = await db.query<AdminToken>(
        `select ${COLUMNS} from admin_tokens where hash = $1 and revoked_at is null`,
        [hash],
      )
      return row
    },

    /** Lists all tokens, newest first. */
    list(): Promise<AdminToken[]> {
      return db.query<AdminToken>(`select ${COLUMNS} from admin_tokens order by created_at desc, name`)
    },

    /** Returns undefined if no token has this name. A token keeps the time of its first revocation. */
    revoke(name: string, now: number): Promise<AdminToken | undefined> {
      return db.transaction(async (tx) => {
        const [row] = await tx.query<AdminToken>(
          `update admin_tokens set revoked_at = coalesce(revoked_at, $2) where name = $1 returning ${COLUMNS}`,
          [name, now],
        )
        return row
      })
    },
  }
}
