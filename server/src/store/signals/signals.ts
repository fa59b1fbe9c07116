import { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import type { NewSignal, Signal, SignalChange } from '../../model/signals.ts'
import type { Db } from '../db.ts'
import type { Lease } from '../leases.ts'
import type { FeedList } from '../lists/feed-list.ts'
import type { PageRequest } from '../lists/feed-pages.ts'
import type { Feed } from '../lists/feeds.ts'
import { anyRef, anySymbol, anyText, type FilterValues, fullText, indexed, least, most } from '../lists/filters.ts'
import { Records } from '../lists/records.ts'
import { saveProgress, type TaskProgress } from '../progress.ts'
import { withoutRemoved } from './signal-evidence.ts'
import { appendEvents } from './signal-log.ts'
import { judgeSignals, type KindOutcomes, listDue, listOutcomes, type Verdict } from './signal-outcomes.ts'
import { applyChanges, insertSignals } from './signal-writes.ts'
import { removeUnproven } from './unproven-signals.ts'

const SIGNAL_LIST = {
  table: 'signals',
  filters: {
    search: fullText(),
    assetKey: anyRef('asset_ref', 'assets', 'key', 'strength'),
    ticker: anySymbol('asset_ref', 'strength'),
    symbol: anySymbol('asset_ref', 'strength'),
    assetId: anyRef('asset_ref', 'assets', 'id', 'strength'),
    kind: indexed(anyText('kind'), 'strength'),
    status: indexed(anyText('status'), 'strength'),
    direction: indexed(anyText('direction')),
    horizon: anyText('horizon'),
    strengthMin: least('strength'),
    confidenceMin: least('confidence'),
    generatedAfter: least('generated_at'),
    generatedBefore: most('generated_at'),
  },
  sorts: { generatedAt: 'generated_at', strength: 'strength', confidence: 'confidence' },
} satisfies FeedList

export type SignalFilters = FilterValues<typeof SIGNAL_LIST.filters>

const MAX_PER_ENTRY = 100

export type Signals = ReturnType<typeof signalsStore>

export const signalRecords = (db: Db) => new Records<Signal, typeof SIGNAL_LIST>(db, SIGNAL_LIST)

/** `log` is the feed of the signal log. */
export function signalsStore(db: Db, records: ReturnType<typeof signalRecords>, log: Feed) {
  const expireDue = (now: number) => records.settle({ from: 'active', to: 'expired', column: 'expires_at' }, now)

  return {
    async page(request: PageRequest<SignalFilters>, now: number): Promise<CursorPage<Signal>> {
      await expireDue(now)
      return records.page(request)
    },

    async find(id: string, now: number): Promise<Json<Signal> | undefined> {
      await expireDue(now)
      const found = await records.find('id', id.toLowerCase())
      return found && Json.text(found.doc)
    },

    /** Lists the signals that name the entry as evidence, newest first. */
    async listByEntry(entryId: string, now: number): Promise<Signal[]> {
      await expireDue(now)
      const rows = await db.query<{ doc: string }>(
        `select r.doc from signal_entries n join signals t on t.seq = n.seq join signals_docs r on r.seq = n.seq
         where n.entry_id = $1 order by t.generated_at desc, t.seq desc limit ${MAX_PER_ENTRY}`,
        [entryId.toLowerCase()],
      )
      return rows.map(({ doc }) => JSON.parse(doc))
    },

    total: (): Promise<number> => records.total(),

    /** Lists signals that were neither expired nor superseded at a time. */
    async listActiveAt(time: number): Promise<Signal[]> {
      // Sorted here: for `order by seq`, SQLite would scan all signals.
      const rows = await db.query<{ seq: number; doc: string }>(
        `select t.seq, r.doc from signals t join signals_docs r on r.seq = t.seq
         where t.expires_at > $1 and t.status <> 'superseded'`,
        [time],
      )
      return rows.sort((one, other) => one.seq - other.seq).map(({ doc }) => JSON.parse(doc))
    },

    /** Adds historical signals, which are not sent to streams; existing ones stay as they are. */
    async insert(signals: readonly NewSignal[], now: number): Promise<number> {
      return (await records.write((tx) => insertSignals(tx, records, signals, now))).length
    },

    /**
     * Applies changes, logs new and changed signals, and saves the progress of detection, all in one transaction; writes
     * nothing if `lease` is lost. Returns the number of logged events.
     */
    async apply(
      changes: readonly SignalChange[],
      progress: readonly TaskProgress[],
      now: number,
      lease?: Lease,
    ): Promise<number> {
      if (changes.length === 0) {
        await db.transaction(async (tx) => {
          await lease?.verify(tx)
          await saveProgress(tx, progress)
        })
        return 0
      }
      try {
        return await records.write(async (tx) => {
          await lease?.verify(tx)
          const changed = await applyChanges(tx, records, await withoutRemoved(tx, changes), now)
          await appendEvents(tx, log, changed, now)
          await saveProgress(tx, progress)
          return changed.length
        })
      } finally {
        log.changed()
      }
    },

    /** Removes, of the next `limit` signals after a seq, those that name evidence which the store does not have. */
    removeUnproven: (after: number, limit: number) => records.write((tx) => removeUnproven(tx, records, after, limit)),

    /** Lists signals whose outcome is due, longest due first. */
    listDue: (now: number, limit: number): Promise<Signal[]> => listDue(db, now, limit),

    /** Writes outcomes; a signal that has one stays as it is. */
    judge: (verdicts: readonly Verdict[]): Promise<void> => records.write((tx) => judgeSignals(tx, records, verdicts)),

    /** Lists the hit statistics of all kinds. */
    listOutcomes: (): Promise<KindOutcomes[]> => listOutcomes(db),
  }
}
