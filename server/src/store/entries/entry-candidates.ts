import type { Entry } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import type { Db } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { Params } from '../sql.ts'

/** The newest entries with any of the words, which are cut and folded already. */
export async function findHits(db: Db, words: readonly string[], headSeq: number, limit: number): Promise<number[]> {
  const { search } = db.dialect
  const params = new Params()
  const hits = search.hits(
    'entries',
    params.add(search.queryValue({ groups: [words.map((word) => [word])], excluded: [] })),
    false,
  )
  // In one row, since thousands of rows of one number each would take longer to hand over than to find.
  // Not `heavy`: it is short, and the other connections start with an empty cache after every commit.
  const [row] = await db.query<{ seqs: string | null }>(
    `select string_agg(cast(h.seq as text), ',') as seqs from
       (select seq from ${hits} m where seq <= ${params.add(headSeq)} order by seq desc limit ${Math.trunc(limit)}) h`,
    params.values,
  )
  // An aggregate keeps no order.
  return row?.seqs
    ? row.seqs
        .split(',')
        .map(Number)
        .sort((one, other) => other - one)
    : []
}

export interface EntryWords {
  seq: number
  publishedAt: number
  title: string
  /** The beginning of its full text, or what there is of it. */
  lead: string
}

const LEAD_LENGTH = 300

export async function listTexts(db: Db, seqs: readonly number[]): Promise<EntryWords[]> {
  const found: EntryWords[] = []
  await forEachChunk(seqs, async (params, list) => {
    const rows = await db.query<{ seq: number; published_at: number; doc: string; lead: string | null }>(
      `select e.seq, e.published_at, e.doc, substr(c.content, 1, ${LEAD_LENGTH}) as lead
       from entries e left join entry_contents c on c.seq = e.seq where e.seq in (${list})`,
      params.values,
    )
    for (const { seq, published_at: publishedAt, doc, lead } of rows) {
      const { title, excerpt }: Entry = JSON.parse(doc)
      found.push({ seq, publishedAt, title, lead: lead ?? excerpt ?? '' })
    }
  })
  return found
}

/** An entry with what it was made of, for tasks that go through all of them. */
export interface EntrySource {
  seq: number
  publisherRef: number
  entry: Entry
  content: string | null
}

export interface SourceRange {
  from: number
  to: number
  limit: number
  order: 'asc' | 'desc'
  /** How much of the full text is wanted. */
  contentLength: number
}

/** Entries with from < seq <= to, from the one end or the other. */
export async function listSources(db: Db, range: SourceRange): Promise<EntrySource[]> {
  const rows = await db.query<{ seq: number; publisher_ref: number; doc: string; content: string | null }>(
    `select e.seq, e.publisher_ref, e.doc, substr(c.content, 1, ${Math.trunc(range.contentLength)}) as content
     from entries e left join entry_contents c on c.seq = e.seq
     where e.seq > $1 and e.seq <= $2 order by e.seq ${range.order} limit ${Math.trunc(range.limit)}`,
    [range.from, range.to],
  )
  return rows.map(({ seq, publisher_ref, doc, content }) => ({
    seq,
    publisherRef: publisher_ref,
    entry: JSON.parse(doc),
    content,
  }))
}

/** Entries in the order of `seq`, without their full text. */
export async function listBySeq(db: Db, seqs: readonly number[]): Promise<Omit<EntrySource, 'content'>[]> {
  const found: Omit<EntrySource, 'content'>[] = []
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
