import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../config.ts'
import { diskProblem } from '../store/engines/disk-problem.ts'
import { migrate } from '../store/engines/migrate.ts'
import { openSqlite, SQLITE_FILES } from '../store/engines/sqlite.ts'
import { createStore } from '../store/store.ts'

export interface Verified {
  accounts: number
  charges: number
  /** Migrations that the store lacked; they are applied. */
  migrated: string[]
}

/** Checks the files of a store that nobody else uses, brings it up to date, and audits its ledger. */
export async function verifyStore(folder: string, now: number): Promise<Verified> {
  for (const name of Object.values(SQLITE_FILES)) checkIntegrity(folder, name)
  const store = openSqlite(folder)
  try {
    const migrated = await migrate(store, now).catch((error: Error) => {
      throw diskProblem(folder, error) === undefined ? new OperatorError(error.message) : error
    })
    const { isBalanced, problems, accounts, charges } = await createStore(store).audit.run()
    if (!isBalanced) throw new OperatorError(`the ledger does not add up: ${problems[0]} (${problems.length} problems)`)
    return { accounts, charges, migrated }
  } finally {
    await store.close()
  }
}

function checkIntegrity(folder: string, name: string): void {
  let problem: unknown
  try {
    using database = new DatabaseSync(join(folder, name))
    problem = database.prepare('pragma integrity_check(1)').get()?.integrity_check
  } catch (error) {
    if (diskProblem(folder, error) !== undefined) throw error
    problem = error instanceof Error ? error.message : error
  }
  if (problem !== 'ok') throw new OperatorError(`${name} is damaged: ${problem}`)
}
