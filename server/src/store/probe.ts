import { randomUUID } from 'node:crypto'
import { DAY } from '../model/time.ts'
import type { Db, Procedure } from './db.ts'
import { appliedMigrations, migrationNames } from './engines/migrate.ts'

/** Repeats the digits of a time to 65 KB. SQLite writes them to 16 pages (a charge to 11), PostgreSQL compresses them. */
const FILLER_REPEATS = 5_000
const PREFIX = 'write-probe'

export type Probe = ReturnType<typeof probeStore>

interface ProbeRow {
  name: string
  value: string
  /** Rows of instances that have ended are older. */
  oldest: string
}

/** Writes as much to the ledger as a charge does, other bytes each time: SQLite does not write unchanged pages. */
export const writeProbe: Procedure<ProbeRow, void> = {
  module: import.meta.url,
  name: 'writeProbe',
  async work(tx, { name, value, oldest }) {
    await tx.query(`delete from store_facts where name like '${PREFIX}%' and value < $1`, [oldest])
    await tx.query(
      'insert into store_facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [name, value],
    )
  },
}

/** Tries the work of a charged call. Each function throws if a charged call would fail. */
export function probeStore(db: Db) {
  // A row per instance: instances that share a row would wait for one that hangs.
  const name = db.exclusive ? PREFIX : `${PREFIX}:${randomUUID()}`
  const migrations = migrationNames()
  const { search } = db.dialect
  const hits = search.hits('entries', '$1')
  const rareWord = search.queryValue({ groups: [[[PREFIX.replace('-', '')]]], excluded: [] })
  return {
    async write(now: number): Promise<void> {
      const value = String(now).repeat(FILLER_REPEATS)
      await db.ledger.run(writeProbe, { name, value, oldest: String(now - DAY) })
    },

    async read(): Promise<void> {
      await db.ledger.query('select id from accounts limit 1')
      await db.query('select seq from entries order by seq desc limit 1')
    },

    async search(): Promise<void> {
      // Not with `limit 1`, for which PostgreSQL may read all texts.
      await db.query(`select count(*) as count from ${hits} h`, [rareWord])
    },

    /** Fails if, for example, an older backup was restored while the service runs. */
    async migrations(): Promise<void> {
      const applied = await appliedMigrations(db)
      const missing = migrations.filter((name) => !applied.has(name))
      if (missing.length > 0) throw new Error(`the store lacks ${missing.join(', ')}`)
    },
  }
}
