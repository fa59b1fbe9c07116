import { listMigrations } from './migrate.ts'
import type { Connection } from './sqlite-connection.ts'

/**
 * Moves the tables of the ledger out of the data file, where older versions kept them. The copy is one transaction of the
 * ledger's file; only after it are the tables dropped from the data file. After a crash the next start therefore either
 * copies again from the beginning, or drops what it has copied.
 */
export function moveLedger(data: Connection, ledger: Connection, dataFile: string): void {
  if (!hasTable(data, 'accounts')) return
  const migrations = listMigrations().filter(({ isOfLedger }) => isOfLedger)
  const names = migrations.map(({ name }) => `'${name}'`).join(', ')
  const tables = migrations
    .flatMap(({ text }) => [...text.matchAll(/^(?:create table|alter table \w+ rename to) (\w+)/gm)])
    .map(([, table = '']) => table)
    .filter((table) => hasTable(data, table))

  if (!hasTable(ledger, 'accounts')) {
    ledger.exec(`attach '${dataFile.replaceAll("'", "''")}' as old`)
    inTransaction(ledger, () => {
      ledger.exec('create table migrations (name text primary key, applied_at bigint not null)')
      ledger.exec(`insert into migrations select * from old.migrations where name in (${names})`)
      for (const table of tables) copyTable(ledger, table)
    })
    ledger.exec('detach old')
  }
  inTransaction(data, () => {
    for (const table of tables) data.exec(`drop table ${table}`)
    data.exec(`delete from migrations where name in (${names})`)
  })
}

function copyTable(ledger: Connection, table: string): void {
  const schema = ledger.all<{ sql: string }>(
    `select sql from old.sqlite_master where tbl_name = $1 and sql is not null order by type = 'index'`,
    [table],
  )
  const [create, ...indexes] = schema.map(({ sql }) => sql)
  if (create === undefined) throw new Error(`there is no table ${table}`)
  ledger.exec(create)
  ledger.exec(`insert into main.${table} select * from old.${table}`)
  for (const index of indexes) ledger.exec(index)
}

function hasTable(connection: Connection, table: string): boolean {
  return connection.all("select 1 from sqlite_master where type = 'table' and name = $1", [table]).length > 0
}

/** Foreign keys are not checked: the tables are whole only at the end. */
function inTransaction(connection: Connection, work: () => void): void {
  connection.exec('pragma foreign_keys = off; begin immediate')
  try {
    work()
    connection.exec('commit')
  } catch (error) {
    connection.exec('rollback')
    throw error
  }
}
