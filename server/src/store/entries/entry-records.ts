import { LRUCache } from 'lru-cache'
import type { Entry } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import type { Db } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'

const CACHE_BYTES = 4_000_000

interface EntryRecord {
  doc: Json<Entry>
  createdAt: number
}

/** Reads single entries. Where this process is the only writer, it returns the same object until entries are edited. */
export class EntryRecords {
  readonly #db: Db
  readonly #feed: Feed
  readonly #known = new LRUCache<string, EntryRecord>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ doc }, id) => doc.size + id.length,
  })
  #epoch = 0

  constructor(db: Db, feed: Feed) {
    this.#db = db
    this.#feed = feed
  }

  async find(id: string): Promise<EntryRecord | undefined> {
    if (!this.#db.exclusive) return this.#read(id)
    const { epoch } = await this.#feed.head()
    if (epoch !== this.#epoch) this.#known.clear()
    this.#epoch = epoch
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const record = await this.#read(id)
    // An edit meanwhile may have made it old.
    if (record !== undefined && epoch === (await this.#feed.head()).epoch) this.#known.set(id, record)
    return record
  }

  async #read(id: string): Promise<EntryRecord | undefined> {
    const [row] = await this.#db.query<{ doc: string; createdAt: number }>(
      'select doc, created_at as "createdAt" from entries where id = $1',
      [id],
    )
    return row && { doc: Json.text<Entry>(row.doc), createdAt: row.createdAt }
  }
}
