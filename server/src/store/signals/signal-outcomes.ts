import { SIGNAL_KINDS, type Signal } from '../../model/signals.ts'
import type { Queryable, Transaction } from '../db.ts'
import { insertRecords } from '../sql.ts'
import type { SignalRecords } from './signal-records.ts'
import { setOutcome } from './signal-versions.ts'

/** Hit statistics of a kind of signal. */
export interface KindOutcomes {
  kind: Signal['kind']
  evaluated: number
  hits: number
}

/** The result of evaluating a signal: its final outcome, or the time of the next attempt. */
export type Verdict =
  | { type: 'settled'; id: string; outcome: Signal['outcome'] }
  | { type: 'waits'; id: string; dueAt: number }

/** Lists the hit statistics of all kinds. */
export async function listOutcomes(db: Queryable): Promise<KindOutcomes[]> {
  const rows = await db.query<KindOutcomes>('select kind, evaluated, hits from signal_outcomes')
  return SIGNAL_KINDS.map((kind) => rows.find((row) => row.kind === kind) ?? { kind, evaluated: 0, hits: 0 })
}

/** Lists signals whose outcome is due, longest due first. */
export async function listDue(db: Queryable, now: number, limit: number): Promise<Signal[]> {
  const rows = await db.query<{ doc: string }>(
    `select r.doc from signals t join signals_docs r on r.seq = t.seq
     where t.due_at <= $1 and t.due_at is not null order by t.due_at, t.seq limit ${Math.trunc(limit)}`,
    [now],
  )
  return rows.map(({ doc }) => JSON.parse(doc))
}

/** Writes outcomes within `records.write`. A signal with an outcome stays as it is. */
export async function judgeSignals(
  tx: Transaction,
  records: SignalRecords,
  verdicts: readonly Verdict[],
): Promise<void> {
  const ids = verdicts.map(({ id }) => id)
  const seqs = await records.seqsOf(tx, ids)
  for (const verdict of verdicts) {
    const seq = seqs.get(verdict.id)
    if (seq === undefined || !(await isDue(tx, seq))) continue
    if (verdict.type === 'waits' || verdict.outcome === null) {
      const dueAt = verdict.type === 'waits' ? verdict.dueAt : null
      await tx.query('update signals set due_at = $1 where seq = $2', [dueAt, seq])
      continue
    }
    const { outcome } = verdict
    const signal = { ...(await records.docOf(tx, seq)), outcome }
    await records.edit(tx, seq, { due_at: null, is_hit: Number(outcome.isHit) }, signal)
    await setOutcome(tx, records, signal)
    await countOutcomes(tx, [signal])
  }
}

async function isDue(tx: Transaction, seq: number): Promise<boolean> {
  return (await tx.query('select 1 from signals where seq = $1 and due_at is not null', [seq])).length > 0
}

/** Adds outcomes to the hit statistics, or subtracts them, within the transaction that writes or removes them. */
export async function countOutcomes(
  tx: Transaction,
  signals: readonly Pick<Signal, 'kind' | 'outcome'>[],
  sign: 1 | -1 = 1,
): Promise<void> {
  const rows = SIGNAL_KINDS.flatMap((kind) => {
    const outcomes = signals.flatMap((signal) => (signal.kind === kind ? (signal.outcome ?? []) : []))
    const hits = outcomes.filter(({ isHit }) => isHit).length
    return outcomes.length === 0 ? [] : [{ kind, evaluated: sign * outcomes.length, hits: sign * hits }]
  })
  await insertRecords(
    tx,
    'signal_outcomes',
    rows,
    `on conflict (kind) do update set evaluated = signal_outcomes.evaluated + excluded.evaluated,
       hits = signal_outcomes.hits + excluded.hits`,
  )
}
