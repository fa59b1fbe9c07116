import type { Db, Queryable, ReadOnlyDb } from './db.ts'
import { readVersion } from './lists/feeds.ts'
import { sharedRead } from './lists/shared-read.ts'
import { createStore, type Store } from './store.ts'

/**
 * A store over a replica of the database. Its lists, totals and copies of catalogues are cached apart from those of the
 * primary, so that nothing old is ever cached under a version of the primary.
 */
export class Replica {
  readonly store: Store
  /** Requests for data that the replica answered with success, and those that it left to the primary. */
  readonly reads = { replica: 0, primary: 0 }
  readonly #version: () => Promise<number>
  readonly #primaryVersion: () => Promise<number>

  constructor(db: ReadOnlyDb, primary: Queryable) {
    this.store = createStore(failingDb(db))
    this.#version = sharedRead(() => readVersion(db))
    this.#primaryVersion = sharedRead(() => readVersion(primary))
  }

  /**
   * Calls `read` with true if the replica has all data that the primary has by now, and otherwise with false. So an
   * answer is never older than any earlier one, nor than a change that was made before the request. If the replica
   * fails, `read` is called again.
   */
  async read<T>(read: (isFromReplica: boolean) => Promise<T>): Promise<T> {
    if (await this.#isCurrent()) {
      try {
        const answer = await read(true)
        this.reads.replica += 1
        return answer
      } catch (error) {
        if (!(error instanceof ReplicaFailed)) throw error
      }
    }
    this.reads.primary += 1
    return read(false)
  }

  async #isCurrent(): Promise<boolean> {
    const [version, primaryVersion] = await Promise.all([
      this.#version().catch(() => Number.NEGATIVE_INFINITY),
      this.#primaryVersion(),
    ])
    return version >= primaryVersion
  }

  close(): Promise<void> {
    return this.store.close()
  }
}

/** The replica could not do what was asked of it; the primary may. */
class ReplicaFailed extends Error {}

/** Returns the database with failures that tell where they come from. Every write fails. */
function failingDb(replica: ReadOnlyDb): Db {
  const readsOf = (source: Queryable): Queryable => ({
    query: (sql, params) =>
      source.query<never>(sql, params).catch((cause: unknown) => {
        throw new ReplicaFailed('the replica did not answer', { cause })
      }),
  })
  const fails = () => Promise.reject(new ReplicaFailed('a replica cannot write'))
  const db: Db = {
    ...replica,
    ...readsOf(replica),
    heavy: readsOf(replica.heavy),
    get ledger() {
      return db
    },
    transaction: fails,
    run: fails,
    deferRuns: fails,
    bulkLoad: fails,
  }
  return db
}
