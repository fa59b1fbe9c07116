import type { Entry } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import type { Db } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { Params } from '../sql.ts'
import { LAST_CHANGE } from './entry-changes.ts'

/** Returns the newest entries with any of the words, which must be folded as by `searchWords`. */
export async function findHits(db: Db, words: readonly string[], headSeq: number, limit: number): Promise<number[]> {
  const { search } = db.dialect
  const params = new Params()
  const hits = search.hits(
    'entries',
    params.add(search.queryValue({ groups: [words.map((word) => [word])], excluded: [] })),
  )
  // As one row: transferring thousands of rows of one number each would take longer than finding them.
  // Not `heavy`: the query is short, and a commit empties the page caches of the other connections.
  const [row] = await db.query<{ seqs: string | null }>(
    `select string_agg(cast(h.seq as text), ',') as seqs from
       (select seq from ${hits} m where seq <= ${params.add(headSeq)} order by seq desc limit ${Math.trunc(limit)}) h`,
    params.values,
  )
  // The order of an aggregate is undefined.
  const seqs: number[] = JSON.parse(`[${row?.seqs ?? ''}]`)
  return seqs.sort((one, other) => other - one)
}

export interface EntryWords {
  seq: number
  publishedAt: number
  title: string
  /** The full text, or else the excerpt. */
  text: string
}

/** Characters of the full text that are scored. Candidates are found by all words of the text. */
const SCORED_LENGTH = 6_000

/** Returns the texts of entries, to score them against a query. */
export async function listTexts(db: Db, seqs: readonly number[]): Promise<EntryWords[]> {
  const found: EntryWords[] = []
  await forEachChunk(seqs, async (params, list) => {
    const rows = await db.query<{ seq: number; published_at: number; doc: string; content: string | null }>(
      `select e.seq, e.published_at, e.doc, substr(c.content, 1, ${SCORED_LENGTH}) as content
       from entries e left join entry_contents c on c.seq = e.seq where e.seq in (${list})`,
      params.values,
    )
    for (const { seq, published_at: publishedAt, doc, content } of rows) {
      const { title, excerpt }: Entry = JSON.parse(doc)
      found.push({ seq, publishedAt, title, text: content ?? excerpt ?? '' })
    }
  })
  return found
}

/** An entry with its full text, for tasks that process the whole feed. */
export interface EntrySource {
  seq: number
  publisherRef: number
  entry: Entry
  content: string | null
  /** Its last change, 0 if it was never changed. */
  lastChange: number
}

export interface SourceRange {
  from: number
  to: number
  limit: number
  order: 'asc' | 'desc'
  /** The number of characters of the full text to return. */
  contentLength: number
}

/** Returns entries with from < seq <= to. */
export async function listSources(db: Db, range: SourceRange): Promise<EntrySource[]> {
  const rows = await db.query<SourceRow>(
    `${sourcesSql(range.contentLength)}
     where e.seq > $1 and e.seq <= $2 order by e.seq ${range.order} limit ${Math.trunc(range.limit)}`,
    [range.from, range.to],
  )
  return rows.map(sourceOf)
}

/** Returns entries by `id` or `seq`. */
export async function listSourcesBy(
  db: Db,
  column: 'id' | 'seq',
  values: readonly (string | number)[],
  contentLength: number,
): Promise<EntrySource[]> {
  const found: EntrySource[] = []
  await forEachChunk(values, async (params, list) => {
    const rows = await db.query<SourceRow>(
      `${sourcesSql(contentLength)} where e.${column} in (${list}) order by e.seq`,
      params.values,
    )
    found.push(...rows.map(sourceOf))
  })
  return found
}

type SourceRow = Omit<EntrySource, 'entry'> & { doc: string }

const sourceOf = ({ doc, ...row }: SourceRow): EntrySource => ({ ...row, entry: JSON.parse(doc) })

function sourcesSql(contentLength: number): string {
  return `select e.seq, e.publisher_ref as "publisherRef", e.doc, ${LAST_CHANGE} as "lastChange",
      substr(t.content, 1, ${Math.trunc(contentLength)}) as content
    from entries e left join entry_contents t on t.seq = e.seq`
}

type PlainSource = Omit<EntrySource, 'content' | 'lastChange'>

/** Returns entries in the order of `seq`, without their full text. */
export async function listBySeq(db: Db, seqs: readonly number[]): Promise<PlainSource[]> {
  const found: PlainSource[] = []
  await forEachChunk(seqs, async (params, list) => {
    const rows = await db.query<{ seq: number; publisher_ref: number; doc: string }>(
      `select seq, publisher_ref, doc from entries where seq in (${list})`,
      params.values,
    )
    for (const { seq, publisher_ref: publisherRef, doc } of rows)
      found.push({ seq, publisherRef, entry: JSON.parse(doc) })
  })
  return found.sort((one, other) => one.seq - other.seq)
}

/** Returns documents in the given order. Skips removed entries. */
export async function listDocs(db: Db, seqs: readonly number[]): Promise<Json<Entry[]>> {
  const docs = new Map<number, string>()
  await forEachChunk(seqs, async (params, list) => {
    const rows = await db.query<{ seq: number; doc: string }>(
      `select seq, doc from entries where seq in (${list})`,
      params.values,
    )
    for (const { seq, doc } of rows) docs.set(seq, doc)
  })
  const known = seqs.flatMap((seq) => docs.get(seq) ?? [])
  return Json.list<Entry>(Buffer.from(known.join(',')))
}
