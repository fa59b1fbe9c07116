import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db, Transaction } from '../db.ts'

const FOLDER = join(import.meta.dirname, '../migrations')

/**
 * Applies the files of `migrations/` that are not applied yet, in the order of their names; returns the new ones. Both
 * engines share the files, except for the dialect's `{{…}}` and statements marked `-- only sqlite` or
 * `-- only postgres`. A migration that SQL cannot express is a TypeScript file.
 */
export async function migrate(db: Db, now: number): Promise<string[]> {
  // `create table` is under the lock as well: two instances that start at once would race.
  return db.transaction(async (tx) => {
    await tx.query('create table if not exists migrations (name text primary key, applied_at bigint not null)')
    const applied = new Set((await tx.query<{ name: string }>('select name from migrations')).map((row) => row.name))
    const files = readdirSync(FOLDER).sort()
    const unknown = [...applied].filter((name) => !files.includes(name))
    if (unknown.length > 0) {
      throw new Error(
        `a newer version of Mintick has written to this store (unknown migrations: ${unknown.join(', ')})`,
      )
    }
    const due = files.filter((name) => !applied.has(name))
    for (const name of due) {
      const file = join(FOLDER, name)
      if (name.endsWith('.ts')) await ((await import(file)) as TypeScriptMigration).migrate(tx)
      else for (const statement of statementsOf(readFileSync(file, 'utf8'), db)) await tx.query(statement)
      await tx.query('insert into migrations (name, applied_at) values ($1, $2)', [name, now])
    }
    return due
  }, 'migrate')
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
