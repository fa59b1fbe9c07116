import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { recordRequests } from '../accounts/record-requests.ts'
import type { Db, Queryable, Transaction } from '../db.ts'
import { together } from '../sql.ts'

const FOLDER = join(import.meta.dirname, '../migrations')

export interface Migration {
  name: string
  text: string
  checksum: string
  /** Changes tables of the ledger: the first line of the file is `-- database: ledger`. */
  isOfLedger: boolean
}

export function listMigrations(): Migration[] {
  return migrationNames().map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8')
    // A checkout may have other line ends.
    const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
    return { name, text, checksum, isOfLedger: text.startsWith('-- database: ledger\n') }
  })
}

export function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => !name.endsWith('.js'))
    .sort()
}

/**
 * Applies the files of `migrations/` that are not applied yet, in the order of their names; returns the new ones. Both
 * engines share the files, except for the dialect's `{{…}}` and statements marked `-- only sqlite` or
 * `-- only postgres`. A migration that SQL cannot express is a TypeScript file; the package has it in JavaScript, too.
 *
 * At the end it writes the charges that the last process deferred, so call it before reading a store.
 */
export async function migrate(db: Db, now: number, locks: LockWaits = LOCK_WAITS): Promise<string[]> {
  const applied = await applyAll(db, now, locks)
  await db.ledger.deferRuns(recordRequests)
  return applied
}

async function applyAll(db: Db, now: number, locks: LockWaits): Promise<string[]> {
  const known = listMigrations()
  if (db.ledger === db) return applyMissing(db, { migrations: known, known, now }, locks)
  const [ofLedger = [], others = []] = [true, false].map((isOfLedger) =>
    known.filter((migration) => migration.isOfLedger === isOfLedger),
  )
  const applied = await together([
    applyMissing(db.ledger, { migrations: ofLedger, known, now }, locks),
    applyMissing(db, { migrations: others, known, now }, locks),
  ])
  return applied.flat()
}

/** How a migration waits for locks while other instances use the store. */
interface LockWaits {
  /** How long it waits each time; the requests of other instances then wait behind it. */
  waitMs: number
  /** How long the others then have their turn. */
  pauseMs: number
  attempts: number
}

const LOCK_WAITS: LockWaits = { waitMs: 2_000, pauseMs: 1_000, attempts: 60 }

interface Missing {
  /** The migrations of the database. */
  migrations: readonly Migration[]
  /** All migrations. */
  known: readonly Migration[]
  now: number
}

/** Returns the names of the migrations in this store. */
export async function appliedMigrations(db: Db): Promise<Set<string>> {
  const names = await Promise.all(
    [db, db.ledger].map((database) => database.query<{ name: string }>('select name from migrations')),
  )
  return new Set(names.flat().map(({ name }) => name))
}

async function applyMissing(db: Db, missing: Missing, locks: LockWaits): Promise<string[]> {
  const { migrations, known } = missing
  // Most starts have nothing to apply and need no transaction. A new store has no table to read.
  const applied = await listApplied(db, known).catch(() => undefined)
  if (applied !== undefined && migrations.every(({ name }) => applied.get(name) != null)) return []
  // Other instances may be using the store: each migration is a transaction, so that it holds its locks briefly. Nobody
  // uses a new store.
  const atOnce = applied === undefined ? migrations.length : 1
  const names: string[] = []
  for (;;) {
    const added = await withLocks(locks, () =>
      // `create table` is under the lock as well: two instances that start at once would race.
      db.transaction(
        async (tx) => {
          if (db.engine === 'postgres') await tx.query(`set local lock_timeout = ${locks.waitMs}`)
          return applyNext(db, tx, missing, atOnce)
        },
        'migrate',
        true,
      ),
    )
    if (added.length === 0) return names
    names.push(...added)
  }
}

/** Applies up to `count` migrations and returns their names. */
async function applyNext(
  db: Db,
  tx: Transaction,
  { migrations, known, now }: Missing,
  count: number,
): Promise<string[]> {
  await tx.query('create table if not exists migrations (name text primary key, applied_at bigint not null)')
  await tx.query('create table if not exists migration_checksums (name text primary key, checksum text not null)')
  const applied = await listApplied(tx, known)
  const due = migrations.filter(({ name }) => !applied.has(name)).slice(0, count)
  for (const { name, text } of due) {
    if (name.endsWith('.ts')) await (await importMigration(name)).migrate(tx, db.engine, now)
    else await together(statementsOf(text, db).map((statement) => tx.query(statement)))
    await tx.query('insert into migrations (name, applied_at) values ($1, $2)', [name, now])
  }
  // Also those of migrations that were applied before checksums were kept.
  const unchecked = migrations.filter(({ name }) => applied.get(name) === null)
  await tx.insert(
    'migration_checksums',
    ['name', 'checksum'],
    [...unchecked, ...due].map(({ name, checksum }) => [name, checksum]),
    'on conflict (name) do update set checksum = excluded.checksum',
  )
  return due.map(({ name }) => name)
}

/** Repeats a transaction that did not get its locks in time. */
async function withLocks<T>({ attempts, pauseMs }: LockWaits, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (attempt === attempts) {
        const reason = 'long transactions on the database kept a migration from its locks; end them and start again'
        throw new Error(reason, { cause: error })
      }
      await delay(pauseMs)
    }
  }
}

const isLockTimeout = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code === '55P03'

/** Returns the applied migrations with their checksums. Throws if one is unknown or was edited since. */
async function listApplied(db: Queryable, known: readonly Migration[]): Promise<Map<string, string | null>> {
  const rows = await db.query<{ name: string; checksum: string | null }>(
    'select name, checksum from migrations left join migration_checksums using (name)',
  )
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]))
  const unknown = rows.filter(({ name }) => !checksums.has(name))
  if (unknown.length > 0) {
    throw new Error(`a newer version of Mintick has written to this store (unknown migrations: ${namesOf(unknown)})`)
  }
  const edited = rows.filter(({ name, checksum }) => checksum !== null && checksum !== checksums.get(name))
  if (edited.length > 0) {
    throw new Error(`migrations were edited after this store applied them: ${namesOf(edited)}; restore the files`)
  }
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).join(', ')

interface TypeScriptMigration {
  migrate(tx: Transaction, engine: Db['engine'], now: number): Promise<void>
}

function statementsOf(text: string, db: Db): string[] {
  return text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => {
      const only = /^-- only (\w+)$/m.exec(statement)?.[1]
      return statement !== '' && (only === undefined || only === db.engine)
    })
    .map((statement) =>
      statement
        .replaceAll('{{identity}}', db.dialect.identity)
        .replaceAll('{{blob}}', db.dialect.blob)
        .replaceAll('{{clustered}}', db.dialect.clustered)
        .replaceAll('{{bytes}}', db.dialect.bytes),
    )
}

function importMigration(name: string): Promise<TypeScriptMigration> {
  return import(join(FOLDER, name.replace(/\.ts$/, extname(import.meta.filename))))
}
