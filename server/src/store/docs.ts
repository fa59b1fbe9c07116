import { Json } from '../model/json.ts'
import type { Db } from './db.ts'

/** The documents of rows of a feed's table, by their `seq` and in that order, as they are answered. */
export async function readDocs<T>(db: Db, table: string, seqs: readonly number[]): Promise<Json<T[]>> {
  if (seqs.length === 0) return new Json<T[]>('[]')
  const [row] = await db.query<{ list: string | Uint8Array | null }>(db.dialect.listSql(table), [JSON.stringify(seqs)])
  return new Json<T[]>(row?.list ?? '[]')
}
