import type { Static, TObject } from 'typebox'
import { Json } from '../../model/json.ts'
import type { SortKey } from '../../model/paging.ts'
import type { Db, Queryable, Value } from '../db.ts'

/** Rows of a feed in page order: their sort keys, and their documents as the engine joined them. */
export class DocRows {
  readonly keys: readonly SortKey[]
  /** Bytes of each document. */
  readonly sizes: readonly number[]
  readonly #docs: Buffer

  constructor(keys: readonly SortKey[], docs: Buffer, sizes: readonly number[]) {
    this.keys = keys
    this.sizes = sizes
    this.#docs = docs
  }

  static async read(
    db: Db,
    runner: Queryable,
    table: string,
    query: { keysSql: string; columns: readonly string[]; params: readonly Value[] },
  ): Promise<DocRows> {
    const sql = db.dialect.docsSql(table, query.keysSql, query.columns)
    const [row] = await runner.query<{ docs: string | Uint8Array | null } & Record<string, string>>(sql, query.params)
    if (row === undefined || row.docs === null) return new DocRows([], Buffer.alloc(0), [])
    const { docs } = row
    const bytes = typeof docs === 'string' ? Buffer.from(docs) : Buffer.from(docs.buffer, docs.byteOffset, docs.length)
    const columns = query.columns.map((column): number[] => JSON.parse(row[column] ?? '[]'))
    const sizes: number[] = JSON.parse(row.sizes ?? '[]')
    return new DocRows(
      sizes.map((_, index) => columns.map((values) => values[index] ?? 0)),
      bytes,
      sizes,
    )
  }

  /** The documents, separated by commas. */
  get joined(): Buffer {
    return this.#docs
  }

  /** Returns the rows from `start` up to `end`, without copying documents. */
  slice(start: number, end: number): DocRows {
    const sizes = this.sizes.slice(start, end)
    const from = bytesOf(this.sizes.slice(0, start))
    const to = from + Math.max(0, bytesOf(sizes) - 1)
    return new DocRows(this.keys.slice(start, end), this.#docs.subarray(from, to), sizes)
  }

  /** Returns the rows in reverse order. */
  reversed(): DocRows {
    return new DocRows(this.keys.toReversed(), joined(this.each().toReversed()), this.sizes.toReversed())
  }

  /** Returns the rows with other documents for those that contain the text. */
  async restated(text: string, restate: (docs: string[]) => string[] | Promise<string[]>): Promise<DocRows> {
    if (!this.#docs.includes(text)) return this
    const docs = this.each()
    const places = docs.flatMap((doc, place) => (doc.includes(text) ? [place] : []))
    const others = await restate(places.map((place) => String(docs[place])))
    for (const [index, place] of places.entries()) docs[place] = Buffer.from(others[index] ?? '')
    return new DocRows(
      this.keys,
      joined(docs),
      docs.map(({ length }) => length),
    )
  }

  /** Returns the documents one by one, without copying them. */
  each(): Buffer[] {
    let end = -1
    return this.sizes.map((size) => {
      const from = end + 1
      end = from + size
      return this.#docs.subarray(from, end)
    })
  }

  list<T>(): Json<T[]> {
    return Json.list<T>(this.#docs)
  }
}

const COMMA = Buffer.from(',')

const joined = (docs: readonly Buffer[]) =>
  Buffer.concat(docs.flatMap((doc, index) => (index === 0 ? [doc] : [COMMA, doc])))

/** Returns the size of documents, each with the comma after it. */
const bytesOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size + 1, 0)

/** Returns the value with its fields in the order of the schema. */
export function inSchemaOrder<S extends TObject>(schema: S, value: Static<S>): Static<S> {
  const given = value as Record<string, unknown>
  const ordered: Record<string, unknown> = {}
  for (const field in schema.properties) ordered[field] = given[field]
  return ordered as Static<S>
}
