import type { Signal } from '../../model/signals.ts'
import type { Transaction, Value } from '../db.ts'
import { forEachChunk } from '../lists/refs.ts'
import type { SignalRecords } from './signal-records.ts'

/** A state of a signal, with the columns of its row. */
export interface SignalVersion {
  signal: Signal
  columns: Record<string, Value>
  text: string
  knownFrom: number
}

interface StoredVersion {
  seq: number
  signalId: string
  knownFrom: number
}

/** Adds versions in their order and ends those before them. To be called inside `write`. */
export async function appendVersions(
  tx: Transaction,
  { versions }: SignalRecords,
  given: readonly SignalVersion[],
  now: number,
): Promise<void> {
  if (given.length === 0) return
  const lasts = new Map<string, SignalVersion>()
  const rows = given.map((version) => {
    const { signal, columns, text } = version
    const last = lasts.get(signal.id)
    const knownFrom = Math.max(version.knownFrom, Date.parse(signal.generatedAt), last?.knownFrom ?? 0)
    lasts.set(signal.id, { ...version, knownFrom })
    const { id: _, status: __, due_at: ___, is_hit: ____, ...own } = columns
    const isSuperseded = signal.status === 'superseded'
    return {
      columns: {
        ...own,
        signal_id: signal.id,
        is_superseded: Number(isSuperseded),
        known_from: knownFrom,
        known_to: null as number | null,
        active_to: Math.max(knownFrom, Date.parse(signal.expiresAt)),
      },
      doc: { ...signal, status: isSuperseded ? 'superseded' : 'active' },
      text,
    }
  })
  // Ends the versions that others of the same call follow.
  const next = new Map<string, number>()
  for (const { columns } of rows.toReversed()) {
    columns.known_to = next.get(columns.signal_id) ?? null
    columns.active_to = Math.min(columns.active_to, columns.known_to ?? Infinity)
    next.set(columns.signal_id, columns.known_from)
  }
  await endVersions(tx, versions, next)
  await versions.append(tx, rows, now)
}

/** Ends the current versions of signals, each at a time. */
async function endVersions(
  tx: Transaction,
  versions: SignalRecords['versions'],
  ends: ReadonlyMap<string, number>,
): Promise<void> {
  let isEdited = false
  for (const { seq, signalId, knownFrom } of await listSeqs(tx, [...ends.keys()], 'and known_to is null')) {
    await tx.query(
      `update signal_versions set known_to = $1, active_to = case when active_to > $1 then $1 else active_to end
       where seq = $2`,
      [Math.max(knownFrom, ends.get(signalId) ?? 0), seq],
    )
    isEdited = true
  }
  if (isEdited) await versions.touch(tx)
}

/** Writes the outcome into the current version of a signal; it tells its own time. */
export async function setOutcome(tx: Transaction, { versions }: SignalRecords, signal: Signal): Promise<void> {
  for (const { seq } of await listSeqs(tx, [signal.id], 'and known_to is null')) {
    await versions.edit(tx, seq, {}, { ...(await versions.docOf(tx, seq)), outcome: signal.outcome })
  }
}

/** Changes all versions of a signal, as when evidence is withdrawn for good; removes those without a result. */
export async function changeVersions(
  tx: Transaction,
  { versions }: SignalRecords,
  signalId: string,
  change: (signal: Signal) => Signal | undefined,
  textOf: (signal: Signal) => string,
): Promise<void> {
  for (const { seq } of await listSeqs(tx, [signalId])) {
    const before = await versions.docOf(tx, seq)
    const after = change(before)
    if (after === undefined) await versions.remove(tx, seq)
    else if (after !== before) await versions.replace(tx, seq, { columns: {}, doc: after, text: textOf(after) })
  }
}

export async function removeVersions(
  tx: Transaction,
  { versions }: SignalRecords,
  signalIds: readonly string[],
): Promise<void> {
  const rows = await listSeqs(tx, signalIds)
  await versions.removeAll(
    tx,
    rows.map(({ seq }) => seq),
  )
}

async function listSeqs(tx: Transaction, signalIds: readonly string[], condition = ''): Promise<StoredVersion[]> {
  const found: StoredVersion[] = []
  await forEachChunk(signalIds, async (params, list) => {
    const columns = 'seq, signal_id as "signalId", known_from as "knownFrom"'
    const sql = `select ${columns} from signal_versions where signal_id in (${list}) ${condition}`
    found.push(...(await tx.query<StoredVersion>(sql, params.values)))
  })
  return found
}
