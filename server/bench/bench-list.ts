import type { Db } from '../src/store/db.ts'
import type { Store } from '../src/store/store.ts'
import type { Question } from './pages.ts'

/** A list, or several of the same rows: how to fill a store for it, and what to ask. */
export interface BenchList {
  name: string
  /** Its store is one that is filled with as many entries. */
  isOfEntries?: true
  /** What is added to the store besides. */
  rows?: {
    /** The table of records and its side tables; none where there is nothing to gain from a bulk load. */
    tables: readonly string[]
    /** How many there are for each entry; one if it does not say. */
    perEntry?: number
    fill(target: { store: Store; db: Db; count: number }): Promise<void>
  }
  questions: Readonly<Record<string, Question>>
}

/** Questions as paths below a list. */
export function pathsOf(list: string, questions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(questions).map(([name, query]) => [name, `/api/v1${list}?${query}`]))
}
