import type { Db } from '../src/store/db.ts'
import type { Store } from '../src/store/store.ts'
import type { BenchQuery } from './pages.ts'

/** One or more lists over the same rows: how to fill a store, and the queries to measure. */
export interface BenchList {
  name: string
  /** The list uses the store that is filled with entries. */
  isOfEntries?: true
  /** Rows to add to the store. */
  rows?: {
    /** The record table and its side tables, for a bulk load; empty if a bulk load gains nothing. */
    tables: readonly string[]
    /** Rows per entry; 1 by default. */
    perEntry?: number
    fill(target: { store: Store; db: Db; count: number }): Promise<void>
  }
  queries: Readonly<Record<string, BenchQuery>>
  /** The list accepts `asOf`. */
  hasPast?: true
}

/** Returns query strings as paths of a list. */
export function pathsOf(list: string, queries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, `/api/v1${list}?${query}`]))
}
