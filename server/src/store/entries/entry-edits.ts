import { Entry, type EntryEdit } from '../../model/entries.ts'
import { isoTime } from '../../model/time.ts'
import { refreshClusters } from '../clusters/cluster-changes.ts'
import { CountChanges, type CountedEntry } from '../counts/count-changes.ts'
import { type CountedRow, countedEntries } from '../counts/counts.ts'
import type { Queryable, Transaction, Value } from '../db.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import { forEachChunk, getRef, refsBy } from '../lists/refs.ts'
import { insertRecords, Params } from '../sql.ts'
import { wordsOf } from './entry-batch.ts'
import { LAST_CHANGE } from './entry-changes.ts'
import { ENTRY_COLUMN_NAMES, ENTRY_COLUMNS } from './entry-columns.ts'
import type { EntryFeeds } from './entry-feeds.ts'
import { listKnown } from './entry-known.ts'
import { insertEntrySides, removeEntrySides } from './entry-sides.ts'
import { extendSpans } from './entry-spans.ts'
import type { PublisherRef } from './entry-writes.ts'

/** An entry of the store. */
interface EntryState extends CountedRow {
  seq: number
  country_code: string | null
  entry: Entry
  /** The full text; undefined if it is neither read nor edited. */
  content: string | null | undefined
}

interface Revision {
  before: EntryState
  after: EntryState
}

/** Changes entries in place and updates all that is derived from them. Returns the ids of the changed entries. */
export async function updateEntries(
  tx: Transaction,
  feeds: EntryFeeds,
  edits: readonly EntryEdit[],
  now: number,
): Promise<string[]> {
  await feeds.entries.lock(tx)
  const revisions = await listRevisions(tx, await withoutTakenUrls(tx, edits))
  if (revisions.length === 0) return []

  await feeds.entries.touch(tx)
  const old = await countedEntries(
    tx,
    revisions.map(({ before }) => before),
  )
  const fresh = await countedEntries(
    tx,
    revisions.map(({ after }) => after),
  )
  for (const revision of revisions) {
    await updateColumns(tx, revision)
    await updateTexts(tx, revision)
  }
  const withSeq = (entry: CountedEntry, place: number) => ({ ...entry, seq: revisions[place]?.after.seq ?? 0 })
  const placed = fresh.map(withSeq)
  await removeEntrySides(tx, old.map(withSeq))
  await insertEntrySides(tx, placed)
  await extendSpans(tx, placed)
  await insertAliases(tx, edits, revisions)
  feeds.changes.revised(
    tx,
    'entries',
    revisions.map(({ after }) => after.seq),
  )
  await refreshClusters(
    tx,
    feeds.clusters,
    revisions.map(({ before, after }) => ({ before: memberOf(before), after: memberOf(after) })),
    now,
  )
  await CountChanges.removed(tx, old)
  await CountChanges.inserted(tx, fresh)
  return revisions.map(({ after }) => after.entry.id)
}

function memberOf({ seq, publisher_ref: publisherRef, entry }: EntryState) {
  return { seq, publisherRef, entry }
}

/** Drops the new address of edits if another entry has it. */
async function withoutTakenUrls(tx: Queryable, edits: readonly EntryEdit[]): Promise<EntryEdit[]> {
  const known = await listKnown(
    tx,
    edits.flatMap(({ alias }) => alias ?? []),
  )
  return edits.map((edit) => {
    if (edit.alias === undefined || (known.get(edit.alias) ?? edit.id) === edit.id) return edit
    const { url: _url, urlDomain: _urlDomain, alias: _alias, ...rest } = edit
    return rest
  })
}

async function listRevisions(tx: Queryable, edits: readonly EntryEdit[]): Promise<Revision[]> {
  const byId = new Map(edits.map((edit) => [edit.id, edit]))
  const publisherIds = edits.flatMap(({ publisherId }) => publisherId ?? [])
  const publishers = await refsBy<PublisherRef>(tx, 'publishers', 'id', publisherIds, ['country_code'])
  const states = await listStates(tx, byId)
  return states.flatMap((before) => {
    const edit = byId.get(before.entry.id)
    if (edit === undefined) return []
    const publisher = edit.publisherId === undefined ? undefined : getRef(publishers, edit.publisherId, 'publisher')
    const after = edited(before, edit, publisher)
    const isSame =
      after.doc === before.doc &&
      after.publisher_ref === before.publisher_ref &&
      after.content === before.content &&
      after.asset_scores === before.asset_scores
    return isSame ? [] : [{ before, after }]
  })
}

/** Reads entries in the order of the feed, the full text only of those whose text is edited. */
async function listStates(tx: Queryable, edits: ReadonlyMap<string, EntryEdit>): Promise<EntryState[]> {
  const states: EntryState[] = []
  await forEachChunk([...edits.keys()], async (params, list) => {
    const rows = await tx.query<Omit<EntryState, 'entry' | 'content'> & { last_change: number }>(
      `select e.seq, e.publisher_ref, e.country_code, e.published_at, e.sentiment_score, e.asset_scores, e.doc,
         ${LAST_CHANGE} as last_change
       from entries e where e.id in (${list}) order by e.seq`,
      params.values,
    )
    for (const { last_change, ...row } of rows) {
      const entry: Entry = JSON.parse(row.doc)
      const { basedOn = last_change } = edits.get(entry.id) ?? {}
      if (basedOn === last_change) states.push({ ...row, entry, content: undefined })
    }
  })
  const withText = new Map(
    states.filter(({ entry }) => hasText(edits.get(entry.id))).map((state) => [state.seq, state]),
  )
  for (const state of withText.values()) state.content = null
  await forEachChunk([...withText.keys()], async (params, list) => {
    const rows = await tx.query<{ seq: number; content: string }>(
      `select seq, content from entry_contents where seq in (${list})`,
      params.values,
    )
    for (const { seq, content } of rows) Object.assign(withText.get(seq) ?? {}, { content })
  })
  return states
}

const hasText = (edit: EntryEdit | undefined) =>
  edit?.title !== undefined || edit?.excerpt !== undefined || edit?.content !== undefined

function edited(before: EntryState, edit: EntryEdit, publisher: PublisherRef | undefined): EntryState {
  const { content = before.content, publishedAt = before.published_at } = edit
  const { createdAt } = before.entry
  const entry = inSchemaOrder(Entry, { ...before.entry, ...edit, publishedAt: isoTime(publishedAt), createdAt })
  return {
    seq: before.seq,
    publisher_ref: publisher?.ref ?? before.publisher_ref,
    country_code: publisher === undefined ? before.country_code : publisher.country_code,
    published_at: publishedAt,
    sentiment_score: entry.sentimentScore,
    asset_scores: assetScoresOf(before, edit),
    doc: JSON.stringify(entry),
    entry,
    content,
  }
}

/** Scores of assets are only as good as the score and the assets that they were read with. */
function assetScoresOf(before: EntryState, edit: EntryEdit): string | null {
  if (edit.assetScores !== undefined) return edit.assetScores === null ? null : JSON.stringify(edit.assetScores)
  return edit.sentimentScore === undefined && edit.assetKeys === undefined ? before.asset_scores : null
}

/** Writes the columns whose value has changed. */
async function updateColumns(tx: Queryable, { before, after }: Revision): Promise<void> {
  const old = columnsOf(before)
  const params = new Params()
  const changes = Object.entries(columnsOf(after))
    .filter(([name, value]) => value !== old[name])
    .map(([name, value]) => `${name} = ${params.add(value)}`)
  if (changes.length === 0) return
  await tx.query(`update entries set ${changes.join(', ')} where seq = ${params.add(after.seq)}`, params.values)
}

function columnsOf({
  entry,
  publisher_ref,
  country_code,
  published_at,
  asset_scores,
  doc,
}: EntryState): Record<string, Value> {
  const own = ENTRY_COLUMN_NAMES.map((name) => [name, ENTRY_COLUMNS[name](entry)] as const)
  return { ...Object.fromEntries(own), publisher_ref, country_code, published_at, asset_scores, doc }
}

/** Replaces the full text and its words, and drops the vector of another text. The vector task computes a new one. */
async function updateTexts(tx: Transaction, { before, after }: Revision): Promise<void> {
  const { seq, content } = after
  if (content === undefined || before.content === undefined) return
  const words = wordsOf({ ...after.entry, content })
  if (words !== wordsOf({ ...before.entry, content: before.content })) {
    await tx.query('delete from entries_search where rowid = $1', [seq])
    await tx.insert('entries_search', ['rowid', 'words'], [[seq, tx.dialect.search.indexValue(words)]])
  }
  if (content !== before.content) {
    await tx.query('delete from entry_contents where seq = $1', [seq])
    if (content !== null) await tx.insert('entry_contents', ['seq', 'content'], [[seq, content]])
  }
  if (content !== before.content || after.entry.title !== before.entry.title) {
    await tx.query('delete from entry_vectors where seq = $1', [seq])
  }
}

async function insertAliases(
  tx: Transaction,
  edits: readonly EntryEdit[],
  revisions: readonly Revision[],
): Promise<void> {
  const urls = new Map(revisions.map(({ after: { entry } }) => [entry.id, entry.url]))
  const aliases = edits.flatMap(({ id, url, alias }) =>
    alias !== undefined && urls.get(id) === url ? [{ id: alias, entry_id: id }] : [],
  )
  await insertRecords(tx, 'entry_aliases', aliases, 'on conflict (id) do nothing')
}
