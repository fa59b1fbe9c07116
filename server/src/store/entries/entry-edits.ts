import type { Entry, EntryFindings } from '../../model/entries.ts'
import { CountChanges } from '../counts/count-changes.ts'
import { type CountedRow, countedEntries } from '../counts/counts.ts'
import type { Transaction } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { forEachChunk } from '../lists/refs.ts'
import { insertEntrySides, removeEntrySides } from './entry-sides.ts'

type EntryRow = CountedRow & { seq: number }

/** Puts new findings in the place of the old ones. Gives the entries that were changed by it. */
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
  for (const [place, { seq, sentiment_score, doc }] of after.entries()) {
    await removeEntrySides(tx, seq, old[place])
    const { language, assetKeys }: Entry = JSON.parse(doc)
    await tx.query('update entries set language = $2, has_assets = $3, sentiment_score = $4, doc = $5 where seq = $1', [
      seq,
      language,
      assetKeys.length > 0 ? 1 : 0,
      sentiment_score,
      doc,
    ])
  }
  await insertEntrySides(
    tx,
    fresh.map((entry, place) => ({ ...entry, seq: after[place]?.seq ?? 0 })),
  )
  await CountChanges.removed(tx, old)
  await CountChanges.inserted(tx, fresh)
  return after.map(({ seq }) => seq)
}

/** The fields keep their order, because a document is answered as it is written. */
function withFindings(row: EntryRow, findings: EntryFindings | undefined): EntryRow {
  if (findings === undefined) return row
  const { language, sentimentScore, assetKeys, topicSlugs } = findings
  const entry: Entry = JSON.parse(row.doc)
  const doc = JSON.stringify({ ...entry, language, sentimentScore, assetKeys, topicSlugs })
  return { ...row, sentiment_score: sentimentScore, doc }
}
