import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'

/**
 * Keeps single records in memory until a version changes, so that the same record is the same object, whose answer the
 * pipeline caches. Only where this process is the only writer: elsewhere each record is read.
 */
export class KeptRecords<Record extends object> {
  readonly #db: Db
  readonly #versions: () => Promise<readonly unknown[]>
  readonly #kept: LRUCache<string, Record>
  #current: readonly unknown[] = []

  /** `versions` returns values of which at least one changes whenever a record does, such as heads of feeds. */
  constructor(
    db: Db,
    versions: () => Promise<readonly unknown[]>,
    options: { maxBytes: number; sizeOf(record: Record): number },
  ) {
    this.#db = db
    this.#versions = versions
    this.#kept = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: (record, key) => options.sizeOf(record) + key.length,
    })
  }

  async get(key: string, read: () => Promise<Record | undefined>): Promise<Record | undefined> {
    if (!this.#db.exclusive) return read()
    const versions = await this.#versions()
    if (!areEqual(versions, this.#current)) this.#kept.clear()
    this.#current = versions
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const record = await read()
    // A change meanwhile may have made it old.
    if (record !== undefined && areEqual(versions, await this.#versions())) this.#kept.set(key, record)
    return record
  }
}

const areEqual = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, place) => value === other[place])
