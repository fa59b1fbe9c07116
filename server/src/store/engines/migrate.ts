import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Db, Queryable, Transaction } from '../db.ts'

const FOLDER = join(import.meta.dirname, '../migrations')

export interface Migration {
  name: string
  text: string
  checksum: string
  /** Changes tables of the ledger: the first line of the file is `-- database: ledger`. */
  isOfLedger: boolean
}

export function listMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => !name.endsWith('.js'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      // A checkout may have other line ends.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
      return { name, text, checksum, isOfLedger: text.startsWith('-- database: ledger\n') }
    })
}

/**
 * Applies the files of `migrations/` that are not applied yet, in the order of their names; returns the new ones. Both
 * engines share the files, except for the dialect's `{{…}}` and statements marked `-- only sqlite` or
 * `-- only postgres`. A migration that SQL cannot express is a TypeScript file; the package has it in JavaScript, too.
 */
export async function migrate(db: Db, now: number): Promise<string[]> {
  const all = listMigrations()
  if (db.ledger === db) return applyMissing(db, all, all, now)
  return [
    ...(await applyMissing(
      db.ledger,
      all.filter(({ isOfLedger }) => isOfLedger),
      all,
      now,
    )),
    ...(await applyMissing(
      db,
      all.filter(({ isOfLedger }) => !isOfLedger),
      all,
      now,
    )),
  ]
}

/** Returns the names of the migrations in this store. */
export async function appliedMigrations(db: Db): Promise<Set<string>> {
  const names = await Promise.all(
    [db, db.ledger].map((database) => database.query<{ name: string }>('select name from migrations')),
  )
  return new Set(names.flat().map(({ name }) => name))
}

async function applyMissing(
  db: Db,
  migrations: readonly Migration[],
  known: readonly Migration[],
  now: number,
): Promise<string[]> {
  // Most starts have nothing to apply and need no transaction. A new store has no table to read.
  const applied = await listApplied(db, known).catch(() => undefined)
  if (applied !== undefined && migrations.every(({ name }) => applied.get(name) != null)) return []
  // `create table` is under the lock as well: two instances that start at once would race.
  return db.transaction(
    async (tx) => {
      await tx.query('create table if not exists migrations (name text primary key, applied_at bigint not null)')
      await tx.query('create table if not exists migration_checksums (name text primary key, checksum text not null)')
      const applied = await listApplied(tx, known)
      const due = migrations.filter(({ name }) => !applied.has(name))
      for (const { name, text } of due) {
        if (name.endsWith('.ts')) await (await importMigration(name)).migrate(tx, db.engine)
        else for (const statement of statementsOf(text, db)) await tx.query(statement)
        await tx.query('insert into migrations (name, applied_at) values ($1, $2)', [name, now])
      }
      // Also those of migrations that were applied before checksums were kept.
      for (const { name, checksum } of migrations) {
        await tx.query(
          `insert into migration_checksums (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum`,
          [name, checksum],
        )
      }
      return due.map(({ name }) => name)
    },
    'migrate',
    true,
  )
}

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
  migrate(tx: Transaction, engine: Db['engine']): Promise<void>
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
