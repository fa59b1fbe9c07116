import type { Signal, SignalChange } from '../../model/signals.ts'
import type { ShrunkCluster } from '../clusters/cluster-changes.ts'
import type { Queryable, Transaction } from '../db.ts'
import { listRemoved } from '../entries/entry-changes.ts'
import { forEachChunk } from '../lists/refs.ts'
import { Params } from '../sql.ts'
import { countOutcomes } from './signal-outcomes.ts'
import type { SignalRecords } from './signal-records.ts'
import { changeVersions, removeVersions } from './signal-versions.ts'
import { insertEvidence, removeEvidence, textOf } from './signal-writes.ts'

/**
 * Takes removed entries out of signals and their log. A signal is gone once it has no evidence left or its cluster is gone.
 * Streams are not notified: a signal with less evidence is no news.
 */
export async function withdrawEvidence(
  tx: Transaction,
  records: SignalRecords,
  entryIds: readonly string[],
  clusters: readonly ShrunkCluster[],
): Promise<void> {
  await records.lock(tx)
  const removed = new Set(entryIds)
  // A signal about a cluster repeats its title, even if it does not name the removed entry.
  const named = [...removed, ...clusters.flatMap((cluster) => cluster.entryIds)]
  for (const seq of await listSeqs(tx, named)) {
    const before = await records.docOf(tx, seq)
    const after = withoutEvidence(before, removed, clusters)
    if (after === before) continue
    await removeEvidence(tx, seq, before)
    if (after === undefined) {
      await records.remove(tx, seq)
      await removeVersions(tx, records, [before.id])
      await countOutcomes(tx, [before], -1)
    } else {
      const change = (version: Signal) => withoutEvidence(version, removed, clusters)
      await changeVersions(tx, records, before.id, change, textOf)
      await records.replace(tx, seq, { columns: { id: after.id }, doc: after, text: textOf(after) })
      await insertEvidence(tx, [{ seq, signal: after }])
    }
  }
  await withdrawEvents(tx, removed, clusters)
}

/** Takes entries that were removed since the detectors saw them out of changes; drops changes left without evidence. */
export async function withoutRemoved(tx: Queryable, changes: readonly SignalChange[]): Promise<SignalChange[]> {
  const removed = await listRemoved(
    tx,
    changes.flatMap(({ signal }) => signal.entryIds),
  )
  return changes.flatMap((change) => {
    const signal = withoutEvidence(change.signal, removed, [])
    return signal === undefined ? [] : { ...change, signal }
  })
}

type Evident = Pick<Signal, 'title' | 'entryIds' | 'clusterId' | 'secRecords' | 'predictionMarketIds'>

/** Returns undefined if no evidence is left, and the same object if the signal has none of it. */
function withoutEvidence<S extends Evident>(
  signal: S,
  removed: ReadonlySet<string>,
  clusters: readonly ShrunkCluster[],
): S | undefined {
  const entryIds = signal.entryIds.filter((id) => !removed.has(id))
  const isLess = entryIds.length < signal.entryIds.length
  if (isLess && entryIds.length + signal.secRecords.length + signal.predictionMarketIds.length === 0) return undefined
  const cluster = clusters.find(({ ids }) => ids.has(signal.clusterId ?? ''))
  if (cluster === undefined) return isLess ? { ...signal, entryIds } : signal
  if (cluster.title === undefined) return undefined
  const title = retitled(signal.title, cluster.oldTitles, cluster.title)
  return isLess || title !== signal.title ? { ...signal, entryIds, title } : signal
}

function retitled(title: string, oldTitles: readonly string[], newTitle: string): string {
  const old = oldTitles.find((one) => title.includes(one))
  return old === undefined ? title : title.replace(old, () => newTitle)
}

async function listSeqs(tx: Queryable, entryIds: readonly string[]): Promise<Set<number>> {
  const seqs = new Set<number>()
  await forEachChunk(entryIds, async (params, list) => {
    const rows = await tx.query<{ seq: number }>(
      `select distinct seq from signal_entries where entry_id in (${list})`,
      params.values,
    )
    for (const { seq } of rows) seqs.add(seq)
  })
  return seqs
}

/** Ids to look for in one scan of the log, which has the events of a day. */
const IDS_PER_SCAN = 50

async function withdrawEvents(
  tx: Queryable,
  removed: ReadonlySet<string>,
  clusters: readonly ShrunkCluster[],
): Promise<void> {
  const ids = [...removed, ...clusters.flatMap(({ ids: all }) => [...all])]
  for (let start = 0; start < ids.length; start += IDS_PER_SCAN) {
    const params = new Params()
    const isNamed = ids.slice(start, start + IDS_PER_SCAN).map((id) => `doc like ${params.add(`%${id}%`)}`)
    const events = await tx.query<{ id: number; doc: string }>(
      `select id, doc from signal_events where ${isNamed.join(' or ')} order by id`,
      params.values,
    )
    for (const { id, doc } of events) {
      const signal = withoutEvidence(JSON.parse(doc) as Signal, removed, clusters)
      if (signal === undefined) await tx.query('delete from signal_events where id = $1', [id])
      else await tx.query('update signal_events set doc = $2 where id = $1', [id, JSON.stringify(signal)])
    }
  }
}
