import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db, Queryable, Transaction } from '../db.ts'

const FOLDER = join(import.meta.dirname, '../migrations')

export interface Migration {
  name: string
  text: string
  /** Changes tables of the ledger: the first line of the file is `-- database: ledger`. */
  isOfLedger: boolean
}

export function listMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      return { name, text, isOfLedger: text.startsWith('-- database: ledger\n') }
    })
}

/**
 * Applies the files of `migrations/` that are not applied yet, in the order of their names; returns the new ones. Both
 * engines share the files, except for the dialect's `{{…}}` and statements marked `-- only sqlite` or
 * `-- only postgres`. A migration that SQL cannot express is a TypeScript file.
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

async function applyMissing(
  db: Db,
  migrations: readonly Migration[],
  known: readonly Migration[],
  now: number,
): Promise<string[]> {
  // Most starts have nothing to apply and need no transaction. A new store has no table to read.
  const applied = await listApplied(db, known).catch(() => undefined)
  if (applied !== undefined && migrations.every(({ name }) => applied.has(name))) return []
  // `create table` is under the lock as well: two instances that start at once would race.
  return db.transaction(async (tx) => {
    await tx.query('create table if not exists migrations (name text primary key, applied_at bigint not null)')
    const applied = await listApplied(tx, known)
    const due = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, text } of due) {
      if (name.endsWith('.ts')) await ((await import(join(FOLDER, name))) as TypeScriptMigration).migrate(tx)
      else for (const statement of statementsOf(text, db)) await tx.query(statement)
      await tx.query('insert into migrations (name, applied_at) values ($1, $2)', [name, now])
    }
    return due.map(({ name }) => name)
  }, 'migrate')
}

async function listApplied(db: Queryable, known: readonly Migration[]): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map(({ name }) => name))
  const unknown = applied.difference(new Set(known.map(({ name }) => name)))
  if (unknown.size === 0) return applied
  throw new Error(
    `a newer version of Mintick has written to this store (unknown migrations: ${[...unknown].join(', ')})`,
  )
}

interface TypeScriptMigration {
  migrate(tx: Transaction): Promise<void>
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
