import { recountTopics } from '../counts/count-changes.ts'
import type { Transaction } from '../db.ts'

/** Topics count the entries of topics below them. */
export function migrate(tx: Transaction): Promise<void> {
  return recountTopics(tx)
}
