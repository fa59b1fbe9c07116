import type { EmptyBefore } from '../../model/paging.ts'
import type { Queryable } from '../db.ts'

/** Finds the first record of an account, if that is not before `toAt`, the end of a range of time. */
export async function findStart(
  db: Queryable,
  table: 'request_log' | 'transfers',
  { accountId, toAt }: { accountId: string; toAt: number },
): Promise<EmptyBefore | undefined> {
  const [first] = await db.query<{ startsAt: number }>(
    `select created_at as "startsAt" from ${table} where account_id = $1
     order by ${table === 'transfers' ? 'id' : 'created_at'} limit 1`,
    [accountId],
  )
  return first !== undefined && toAt <= first.startsAt ? { filter: 'createdBefore', ...first } : undefined
}
