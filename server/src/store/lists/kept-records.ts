import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'
import { type Known, withKnown } from '../known.ts'

interface Kept<Record> {
  record: Record
  versions: readonly number[]
}

/**
 * Keeps single records in memory until a version changes, so that the same record is the same object, whose answer the
 * pipeline caches.
 */
export class KeptRecords<Record extends object> {
  readonly #db: Db
  readonly #versions: () => Known<readonly number[]>
  readonly #kept: LRUCache<string, Kept<Record>>
  #lastVersions: readonly number[] = []

  /** `versions` returns numbers of which at least one grows whenever a record changes, such as heads of feeds. */
  constructor(
    db: Db,
    versions: () => Known<readonly number[]>,
    options: { maxBytes: number; sizeOf(record: Record): number },
  ) {
    this.#db = db
    this.#versions = versions
    this.#kept = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ record }, key) => options.sizeOf(record) + key.length,
    })
  }

  /** Returns a record at once if it is kept. */
  get<Found extends Record | undefined>(key: string, read: () => Promise<Found>): Known<Found | Record> {
    const kept = this.#kept.get(key)
    const mayServe = kept !== undefined && areEqual(kept.versions, this.#lastVersions)
    // Where others write too, versions cost a statement: without a record that they may confirm, only the record is read.
    const versions = this.#db.exclusive || mayServe ? this.#versions() : this.#lastVersions
    return withKnown<readonly number[], Found | Record>(versions, (current) => {
      this.#lastVersions = current
      return kept !== undefined && areEqual(kept.versions, current) ? kept.record : this.#read(key, current, read)
    })
  }

  /** Reads a record after its versions: it may be newer than they are, but not older. */
  async #read<Found extends Record | undefined>(
    key: string,
    versions: readonly number[],
    read: () => Promise<Found>,
  ): Promise<Found> {
    const record = await read()
    if (record !== undefined) this.#kept.set(key, { record, versions })
    return record
  }
}

const areEqual = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((value, place) => value === other[place])
