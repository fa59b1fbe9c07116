import type { Db } from './db.ts'

/** Returns the size of each database in bytes. */
export async function readSizes(db: Db): Promise<Record<string, number>> {
  if (db.ledger === db) return { mintick: await sizeOf(db) }
  return { mintick: await sizeOf(db), ledger: await sizeOf(db.ledger) }
}

async function sizeOf(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    db.engine === 'sqlite'
      ? 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size'
      : 'select pg_database_size(current_database()) as bytes',
  )
  return row?.bytes ?? 0
}
