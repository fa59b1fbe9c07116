import type { Db, Dialect } from './db.ts'

/** Tests replace the clock. */
type PacedDb = Pick<Db, 'transaction'> & { dialect: Pick<Dialect, 'now'> }

/** Paces work that all instances share, such as requests to a service with a limit. Times are by the clock of the engine. */
export class Pace {
  readonly #db: PacedDb

  constructor(db: PacedDb) {
    this.#db = db
  }

  /** Reserves the next moment that is free; returns the milliseconds until then. */
  async reserve(name: string, gapMs: number): Promise<number> {
    const { now } = this.#db.dialect
    const rows = await this.#db.transaction((tx) =>
      tx.query<{ wait: number }>(
        `insert into leases (name, holder, expires_at) values ($1, '', ${now} + $2)
         on conflict (name) do update set
           expires_at = case when leases.expires_at > ${now} then leases.expires_at else ${now} end + $2
         returning expires_at - $2 - ${now} as wait`,
        [PREFIX + name, gapMs],
      ),
    )
    return Math.max(Number(rows[0]?.wait ?? 0), 0)
  }

  /** Allows nothing for a while. */
  async pause(name: string, ms: number): Promise<void> {
    const { now } = this.#db.dialect
    await this.#db.transaction((tx) =>
      tx.query(
        `insert into leases (name, holder, expires_at) values ($1, '', ${now} + $2)
         on conflict (name) do update set expires_at = excluded.expires_at`,
        [PREFIX + name, ms],
      ),
    )
  }
}

const PREFIX = 'pace '
