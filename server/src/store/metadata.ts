import type { Db } from './db.ts'

export type Metadata = ReturnType<typeof metadataStore>

/** Facts about the store itself, each written once. */
export function metadataStore(db: Db) {
  return {
    /** Stores the value unless the name has one already; returns the stored value. */
    remember(name: string, value: string): Promise<string> {
      return db.transaction(async (tx) => {
        await tx.query('insert into store_facts (name, value) values ($1, $2) on conflict do nothing', [name, value])
        const [row] = await tx.query<{ value: string }>('select value from store_facts where name = $1', [name])
        return row?.value ?? value
      })
    },

    async find(name: string): Promise<string | undefined> {
      const [row] = await db.query<{ value: string }>('select value from store_facts where name = $1', [name])
      return row?.value
    },
  }
}
