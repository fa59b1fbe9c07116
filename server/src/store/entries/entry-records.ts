import type { Entry } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import type { Db } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { KeptRecords } from '../lists/kept-records.ts'

const CACHE_BYTES = 4_000_000

interface EntryRecord {
  doc: Json<Entry>
  createdAt: number
}

/** Reads single entries. Returns the same object until entries are edited. */
export class EntryRecords {
  readonly #db: Db
  readonly #kept: KeptRecords<EntryRecord>

  constructor(db: Db, feed: Feed) {
    this.#db = db
    this.#kept = new KeptRecords(db, async () => [(await feed.head()).epoch], {
      maxBytes: CACHE_BYTES,
      sizeOf: ({ doc }) => doc.size,
    })
  }

  find(id: string): Promise<EntryRecord | undefined> {
    return this.#kept.get(id, () => this.#read(id))
  }

  async #read(id: string): Promise<EntryRecord | undefined> {
    const [row] = await this.#db.query<{ doc: string; createdAt: number }>(
      'select doc, created_at as "createdAt" from entries where id = $1',
      [id],
    )
    return row && { doc: Json.text<Entry>(row.doc), createdAt: row.createdAt }
  }
}
