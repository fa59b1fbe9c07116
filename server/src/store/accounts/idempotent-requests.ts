import type { Db } from '../db.ts'

/** The key that a caller gave to a request, and what the request asks for. */
export interface IdempotentRequest {
  /** The account, or `operator:` and the name of the admin token. */
  owner: string
  key: string
  /** Digest of route, parameters and body. */
  digest: string
}

export interface StartedRequest {
  digest: string
  /** Null while the request runs, and for ever if the service ended meanwhile. */
  answer: string | null
  startedAt: number
}

export type IdempotentRequests = ReturnType<typeof idempotentRequestsStore>

export function idempotentRequestsStore(db: Db) {
  return {
    /** Notes that a request starts, unless its key is in use: then returns what is known. Forgets those before `oldest`. */
    start({ owner, key, digest }: IdempotentRequest, now: number, oldest: number): Promise<StartedRequest | undefined> {
      return db.transaction(async (tx) => {
        await tx.query('delete from idempotent_requests where started_at < $1', [oldest])
        const [added] = await tx.query(
          `insert into idempotent_requests (owner, key, digest, started_at) values ($1, $2, $3, $4)
           on conflict (owner, key) do nothing returning key`,
          [owner, key, digest, now],
        )
        if (added !== undefined) return undefined
        const [known] = await tx.query<StartedRequest>(
          `select digest, answer, started_at as "startedAt" from idempotent_requests where owner = $1 and key = $2`,
          [owner, key],
        )
        return known
      })
    },

    finish({ owner, key }: IdempotentRequest, answer: string): Promise<unknown> {
      return db.transaction((tx) =>
        tx.query('update idempotent_requests set answer = $3 where owner = $1 and key = $2', [owner, key, answer]),
      )
    },

    /** Frees the key of a request that had no effect. */
    forget({ owner, key }: IdempotentRequest): Promise<unknown> {
      return db.transaction((tx) =>
        tx.query('delete from idempotent_requests where owner = $1 and key = $2', [owner, key]),
      )
    },
  }
}
