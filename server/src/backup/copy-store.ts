import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../config.ts'
import { SQLITE_FILES } from '../store/engines/sqlite.ts'
import { onDiskOf } from './on-disk-of.ts'

/** Pages per step; the thread pool copies a step at once. */
const PAGES_PER_STEP = 5_000

/**
 * Copies both files of a store as they were at one moment, also while a service writes to them. Its commits continue;
 * until the copy is complete, they only lengthen the write-ahead logs.
 */
export async function copyStore(folder: string, into: string): Promise<void> {
  const { data: dataFile, ledger: ledgerFile } = SQLITE_FILES
  for (const name of [dataFile, ledgerFile]) {
    if (!existsSync(join(folder, name))) throw new OperatorError(`DATA_DIR: there is no store in ${folder}`)
  }
  const open = (name: string) =>
    onDiskOf(folder, () => new DatabaseSync(join(folder, name), { readOnly: true, timeout: 5_000 }))
  using ledger = await open(ledgerFile)
  using ledgerWatch = await open(ledgerFile)
  using data = await open(dataFile)
  await onDiskOf(folder, () => beginTogether(ledger, data, ledgerWatch))
  // A backup within a transaction copies the snapshot of that transaction.
  await backup(ledger, join(into, ledgerFile), { rate: PAGES_PER_STEP })
  await backup(data, join(into, dataFile), { rate: PAGES_PER_STEP })
}

/**
 * Begins a snapshot of each file. If no transaction of the first file was committed until the second snapshot began,
 * both show the moment at which that one began; otherwise it begins anew.
 */
export function beginTogether(first: DatabaseSync, second: DatabaseSync, watchOfFirst: DatabaseSync): void {
  for (;;) {
    const version = versionOf(watchOfFirst)
    beginSnapshot(first)
    beginSnapshot(second)
    if (versionOf(watchOfFirst) === version) return
    first.exec('rollback')
    second.exec('rollback')
  }
}

function beginSnapshot(database: DatabaseSync): void {
  database.exec('begin; select 1 from sqlite_master')
}

/** Returns a number that changes with every commit of another connection. */
function versionOf(database: DatabaseSync): unknown {
  return database.prepare('pragma data_version').get()?.data_version
}
