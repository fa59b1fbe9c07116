import type { Db, Queryable } from './db.ts'

export type Metadata = ReturnType<typeof metadataStore>

/** Facts about the store itself, each written once. */
export function metadataStore(db: Db) {
  async function find(name: string, from: Queryable = db): Promise<string | undefined> {
    const [row] = await from.query<{ value: string }>('select value from store_facts where name = $1', [name])
    return row?.value
  }
  return {
    /** Stores the value unless the name has one already; returns the stored value. */
    async remember(name: string, value: string): Promise<string> {
      // A later start needs no transaction, for which it would wait until the thread that writes has started.
      const known = await find(name)
      if (known !== undefined) return known
      return db.transaction(async (tx) => {
        await tx.query('insert into store_facts (name, value) values ($1, $2) on conflict do nothing', [name, value])
        return (await find(name, tx)) ?? value
      })
    },

    find: (name: string) => find(name),
  }
}
