import type { Entry, EntryFindings } from '../../model/entries.ts'
import { CountChanges } from '../counts/count-changes.ts'
import { type CountedRow, countedEntries } from '../counts/counts.ts'
import type { Queryable, Transaction } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { forEachChunk } from '../lists/refs.ts'
import { Params } from '../sql.ts'
import { ENTRY_COLUMN_NAMES, ENTRY_COLUMNS } from './entry-columns.ts'
import { insertEntrySides, removeEntrySides } from './entry-sides.ts'

type EntryRow = CountedRow & { seq: number }

/** Replaces the findings of entries. Returns the entries that changed. */
export async function reviseEntries(
  tx: Transaction,
  feed: Feed,
  findings: ReadonlyMap<number, EntryFindings>,
): Promise<number[]> {
  await feed.lock(tx)
  const before: EntryRow[] = []
  const after: EntryRow[] = []
  await forEachChunk([...findings.keys()], async (params, list) => {
    const rows = await tx.query<EntryRow>(
      `select seq, publisher_ref, published_at, sentiment_score, doc from entries where seq in (${list})`,
      params.values,
    )
    for (const row of rows) {
      const revised = withFindings(row, findings.get(row.seq))
      if (revised.doc === row.doc) continue
      before.push(row)
      after.push(revised)
    }
  })
  if (after.length === 0) return []

  await feed.touch(tx)
  const old = await countedEntries(tx, before)
  const fresh = await countedEntries(tx, after)
  for (const [place, row] of after.entries()) {
    await removeEntrySides(tx, row.seq, old[place])
    await updateRow(tx, before[place]?.doc ?? row.doc, row)
  }
  await insertEntrySides(
    tx,
    fresh.map((entry, place) => ({ ...entry, seq: after[place]?.seq ?? 0 })),
  )
  await CountChanges.removed(tx, old)
  await CountChanges.inserted(tx, fresh)
  return after.map(({ seq }) => seq)
}

/** Writes a document and the columns whose value it changes. */
async function updateRow(tx: Queryable, docBefore: string, { seq, doc }: EntryRow): Promise<void> {
  const before: Entry = JSON.parse(docBefore)
  const entry: Entry = JSON.parse(doc)
  const params = new Params()
  const changes = ENTRY_COLUMN_NAMES.filter((name) => ENTRY_COLUMNS[name](before) !== ENTRY_COLUMNS[name](entry)).map(
    (name) => `${name} = ${params.add(ENTRY_COLUMNS[name](entry))}`,
  )
  changes.push(`doc = ${params.add(doc)}`)
  await tx.query(`update entries set ${changes.join(', ')} where seq = ${params.add(seq)}`, params.values)
}

/** Replaces findings in a document. The fields keep their order, because the response is the stored text. */
function withFindings(row: EntryRow, findings: EntryFindings | undefined): EntryRow {
  if (findings === undefined) return row
  const { language, sentimentScore, assetKeys, topicSlugs } = findings
  const entry: Entry = JSON.parse(row.doc)
  const doc = JSON.stringify({ ...entry, language, sentimentScore, assetKeys, topicSlugs })
  return { ...row, sentiment_score: sentimentScore, doc }
}
