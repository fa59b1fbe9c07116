import { type NewSignal, type PastSignal, Signal, type SignalChange } from '../../model/signals.ts'
import { isoTime } from '../../model/time.ts'
import type { Transaction } from '../db.ts'
import { inSchemaOrder } from '../lists/docs.ts'
import type { NewRow } from '../lists/records.ts'
import { getRef, refsBy } from '../lists/refs.ts'
import { insertRecords } from '../sql.ts'
import type { ChangedSignal } from './signal-log.ts'
import { countOutcomes } from './signal-outcomes.ts'
import type { SignalRecords } from './signal-records.ts'
import { appendVersions, type SignalVersion } from './signal-versions.ts'

type Asset = { ref: number; id: string }

/** Adds signals and returns the new ones; existing ones stay as they are. The last version of each is the current one. */
export async function insertSignals(
  tx: Transaction,
  records: SignalRecords,
  given: readonly PastSignal[],
  now: number,
): Promise<Signal[]> {
  const fresh = await records.onlyNew(tx, [...new Map(given.map((signal) => [signal.id, signal])).values()])
  if (fresh.length === 0) return []
  const assets = await assetsOf(tx, fresh)
  const assetOf = ({ assetKey }: Pick<NewSignal, 'assetKey'>) => getRef(assets, assetKey, 'asset')
  const stored = ({ knownFrom = 0, ...signal }: PastSignal) =>
    toSignal(signal, {
      assetId: assetOf(signal).id,
      createdAt: isoTime(now),
      updatedAt: isoTime(Math.max(knownFrom, Date.parse(signal.generatedAt))),
      now,
    })
  const signals = fresh.map(stored)
  const rows = signals.map((signal) => rowOf(signal, assetOf(signal)))
  const firstSeq = await records.append(tx, rows, now)
  const isFresh = new Set(fresh.map(({ id }) => id))
  const versions = given.filter(({ id }) => isFresh.has(id))
  await appendVersions(
    tx,
    records,
    versions.map((version) => versionOf(stored(version), assetOf(version), version.knownFrom ?? 0)),
    now,
  )
  await insertEvidence(
    tx,
    signals.map((signal, index) => ({ seq: firstSeq + index, signal })),
  )
  await countOutcomes(tx, signals)
  return signals
}

/** Applies changes in their order; returns the signals that are new or differ. */
export async function applyChanges(
  tx: Transaction,
  records: SignalRecords,
  changes: readonly SignalChange[],
  now: number,
): Promise<ChangedSignal[]> {
  const changed: ChangedSignal[] = []
  for (const change of changes) {
    const { signal } = change
    const seq = (await records.seqsOf(tx, [signal.id])).get(signal.id)
    if (seq === undefined) {
      const added = await insertSignals(tx, records, [{ ...signal, knownFrom: now }], now)
      changed.push(...added.map((signal) => ({ signal, change: 'new' as const })))
      if (change.type === 'new') await supersede(tx, records, change.supersedes, now)
    } else if (change.type === 'update') {
      const updated = await updateSignal(tx, records, seq, signal, now)
      if (updated !== undefined) changed.push({ signal: updated, change: 'updated' })
    }
  }
  return changed
}

/** Updates a signal but keeps its outcome and creation time; returns it only if it differs. */
async function updateSignal(
  tx: Transaction,
  records: SignalRecords,
  seq: number,
  given: NewSignal,
  now: number,
): Promise<Signal | undefined> {
  const before = await records.docOf(tx, seq)
  const isSuperseded = given.isSuperseded || before.status === 'superseded'
  const outcome = before.outcome ?? given.outcome
  const asset = getRef(await assetsOf(tx, [given]), given.assetKey, 'asset')
  const { createdAt, updatedAt } = before
  const same = toSignal({ ...given, isSuperseded, outcome }, { assetId: asset.id, createdAt, updatedAt, now })
  if (JSON.stringify(same) === JSON.stringify(before)) return undefined
  const signal = { ...same, updatedAt: isoTime(now) }
  await records.replace(tx, seq, rowOf(signal, asset))
  await appendVersions(tx, records, [versionOf(signal, asset, now)], now)
  await removeEvidence(tx, seq, before)
  await insertEvidence(tx, [{ seq, signal }])
  if (before.outcome === null) await countOutcomes(tx, [signal])
  return signal
}

async function supersede(tx: Transaction, records: SignalRecords, ids: readonly string[], now: number): Promise<void> {
  const status = 'superseded'
  for (const seq of (await records.seqsOf(tx, ids)).values()) {
    const before = await records.docOf(tx, seq)
    if (before.status === status) continue
    const signal = { ...before, status, updatedAt: isoTime(now) } as const
    await records.edit(tx, seq, { status, updated_at: now }, signal)
    const [asset] = (await refsBy<Asset>(tx, 'assets', 'key', [before.assetKey], ['id'])).values()
    if (asset !== undefined) await appendVersions(tx, records, [versionOf(signal, asset, now)], now)
  }
}

function assetsOf(tx: Transaction, signals: readonly NewSignal[]): Promise<Map<string, Asset>> {
  const keys = signals.map(({ assetKey }) => assetKey)
  return refsBy<Asset>(tx, 'assets', 'key', keys, ['id'])
}

export async function removeEvidence(tx: Transaction, seq: number, { entryIds }: Signal): Promise<void> {
  for (const id of new Set(entryIds)) {
    await tx.query('delete from signal_entries where entry_id = $1 and seq = $2', [id, seq])
  }
}

export function insertEvidence(tx: Transaction, signals: readonly { seq: number; signal: Signal }[]): Promise<void> {
  const rows = signals.flatMap(({ seq, signal }) => [...new Set(signal.entryIds)].map((id) => ({ entry_id: id, seq })))
  return insertRecords(tx, 'signal_entries', rows)
}

function toSignal(
  given: NewSignal,
  { now, ...known }: Pick<Signal, 'assetId' | 'createdAt' | 'updatedAt'> & { now: number },
): Signal {
  const { isSuperseded, ...rest } = given
  const isExpired = Date.parse(given.expiresAt) <= now
  const status = isSuperseded ? 'superseded' : isExpired ? 'expired' : 'active'
  return inSchemaOrder(Signal, { ...rest, ...known, status })
}

function rowOf(signal: Signal, asset: Asset): NewRow {
  const expiresAt = Date.parse(signal.expiresAt)
  return {
    columns: {
      id: signal.id,
      kind: signal.kind,
      direction: signal.direction,
      asset_ref: asset.ref,
      horizon: signal.horizon,
      status: signal.status,
      strength: signal.strength,
      confidence: signal.confidence,
      generated_at: Date.parse(signal.generatedAt),
      expires_at: expiresAt,
      updated_at: Date.parse(signal.updatedAt),
      due_at: signal.outcome === null ? expiresAt : null,
      is_hit: signal.outcome && Number(signal.outcome.isHit),
    },
    doc: signal,
    text: textOf(signal),
  }
}

const versionOf = (signal: Signal, asset: Asset, knownFrom: number): SignalVersion => ({
  signal,
  columns: rowOf(signal, asset).columns,
  text: textOf(signal),
  knownFrom,
})

/** Returns the text to search in. */
export const textOf = ({ title, summary, assetKey }: Signal) => `${title} ${summary} ${assetKey}`
