import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './config.ts'

const MARK = 'data-is-in-postgres'
const MARK_TEXT = `A service with DATABASE_URL has used this folder: its data is in PostgreSQL.
Delete this file to use the embedded store in this folder again.
`

/**
 * Leaves a mark in the folder of a service that uses PostgreSQL. Commands that lack its DATABASE_URL would otherwise work
 * on an embedded store that nobody uses any more, or create one.
 */
export function markUnused(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, MARK), MARK_TEXT, { flag: 'wx' })
  } catch {
    // The mark is there. Or all secrets are in the settings, and the service needs no folder that it can write to.
  }
}

/** Throws if the data is in PostgreSQL. */
export function checkUsed(folder: string): void {
  const mark = join(folder, MARK)
  if (!existsSync(mark)) return
  throw new OperatorError(
    `DATABASE_URL is not set, but the service of ${folder} uses PostgreSQL; set it as for the service, or delete ${mark} to use the embedded store again`,
  )
}
