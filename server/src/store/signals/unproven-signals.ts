import type { Signal } from '../../model/signals.ts'
import type { Transaction } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import { SEC_TABLES } from '../sec/sec-tables.ts'
import { countOutcomes } from './signal-outcomes.ts'
import type { SignalRecords } from './signal-records.ts'
import { removeVersions } from './signal-versions.ts'
import { removeEvidence } from './signal-writes.ts'

interface Checked {
  removed: number
  /** The last signal that was looked at; undefined if there was none. */
  last: number | undefined
}

/** Removes, of the next `limit` signals after a seq, those that name evidence which the store does not have. */
export async function removeUnproven(
  tx: Transaction,
  records: SignalRecords,
  after: number,
  limit: number,
): Promise<Checked> {
  const rows = await tx.query<{ seq: number; doc: string }>(
    `select seq, doc from signals_docs where seq > $1 order by seq limit ${Math.trunc(limit)}`,
    [after],
  )
  const signals = rows.map(({ seq, doc }) => ({ seq, signal: JSON.parse(doc) as Signal }))
  const known = await knownEvidence(
    tx,
    signals.map(({ signal }) => signal),
  )
  const removed = signals.filter(({ signal }) => !evidenceOf(signal).every((name) => known.has(name)))
  const seqs = removed.map(({ seq }) => seq)
  for (const { seq, signal } of removed) await removeEvidence(tx, seq, signal)
  await records.removeAll(tx, seqs)
  await removeVersions(
    tx,
    records,
    removed.map(({ signal }) => signal.id),
  )
  await countOutcomes(
    tx,
    removed.map(({ signal }) => signal),
    -1,
  )
  return { removed: seqs.length, last: rows.at(-1)?.seq }
}

/** Clusters are no evidence: they come and go as entries arrive. */
const evidenceOf = ({ entryIds, secRecords, predictionMarketIds }: Signal): string[] => [
  ...entryIds,
  ...secRecords.map(({ id }) => id),
  ...predictionMarketIds,
]

/** Returns the ids of evidence that the store has. */
async function knownEvidence(tx: Transaction, signals: readonly Signal[]): Promise<Set<string>> {
  const known = new Set<string>()
  const add = (table: string, ids: readonly string[]) =>
    forEachChunk(ids, async (params, list) => {
      const rows = await tx.query<{ id: string }>(`select id from ${table} where id in (${list})`, params.values)
      for (const { id } of rows) known.add(id)
    })
  await add(
    'entries',
    signals.flatMap(({ entryIds }) => entryIds),
  )
  await add(
    'prediction_markets',
    signals.flatMap(({ predictionMarketIds }) => predictionMarketIds),
  )
  const filings = signals.flatMap(({ secRecords }) => secRecords)
  for (const [dataset, named] of Map.groupBy(filings, (filing) => filing.dataset)) {
    await add(
      SEC_TABLES[dataset].list.table,
      named.map(({ id }) => id),
    )
  }
  return known
}
