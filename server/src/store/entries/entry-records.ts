import type { Entry } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import type { Db } from '../db.ts'
import { type Known, withKnown } from '../known.ts'
import type { Feed } from '../lists/feeds.ts'
import { KeptRecords } from '../lists/kept-records.ts'
import { forEachChunk } from '../lists/refs.ts'
import { batchedRead } from '../lists/shared-read.ts'

const CACHE_BYTES = 4_000_000

interface EntryRecord {
  doc: Json<Entry>
  createdAt: number
}

/** Reads single entries. Returns the same object until entries are edited. */
export class EntryRecords {
  readonly #kept: KeptRecords<EntryRecord>
  readonly #read: (id: string) => Promise<EntryRecord | undefined>

  constructor(db: Db, feed: Feed) {
    this.#kept = new KeptRecords(db, () => withKnown(feed.head(), ({ epoch }) => [epoch]), {
      maxBytes: CACHE_BYTES,
      sizeOf: ({ doc }) => doc.size,
    })
    this.#read = batchedRead((ids) => readRecords(db, ids))
  }

  find(id: string): Known<EntryRecord | undefined> {
    return this.#kept.get(id, () => this.#read(id))
  }
}

async function readRecords(db: Db, ids: readonly string[]): Promise<Map<string, EntryRecord>> {
  const found = new Map<string, EntryRecord>()
  await forEachChunk(ids, async (params, list) => {
    const rows = await db.query<{ id: string; doc: string; createdAt: number }>(
      `select id, doc, created_at as "createdAt" from entries where id in (${list})`,
      params.values,
    )
    for (const { id, doc, createdAt } of rows) found.set(id, { doc: Json.text<Entry>(doc), createdAt })
  })
  return found
}
