import { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import type { PastSignal, Signal, SignalChange } from '../../model/signals.ts'
import type { Db, Queryable } from '../db.ts'
import type { Lease } from '../leases.ts'
import type { ListWalk, PageRequest, WalkRequest } from '../lists/feed-pages.ts'
import { type Feed, versionsOf } from '../lists/feeds.ts'
import { KeptRecords } from '../lists/kept-records.ts'
import type { AsOf } from '../lists/past-query.ts'
import { saveProgress, type TaskProgress } from '../progress.ts'
import { withoutRemoved } from './signal-evidence.ts'
import { findVersion } from './signal-history.ts'
import { appendEvents } from './signal-log.ts'
import { judgeSignals, type KindOutcomes, listDue, listOutcomes, type Verdict } from './signal-outcomes.ts'
import type { SignalFilters, SignalRecords } from './signal-records.ts'
import { applyChanges, insertSignals } from './signal-writes.ts'
import { removeUnproven } from './unproven-signals.ts'

const MAX_PER_ENTRY = 100
const BY_ENTRY_BYTES = 500_000

export type Signals = ReturnType<typeof signalsStore>

/** `log` is the feed of the signal log. */
export function signalsStore(db: Db, records: SignalRecords, log: Feed) {
  const byEntry = new KeptRecords<Json<Signal[]>>(db, async () => versionsOf(await records.head()), {
    maxBytes: BY_ENTRY_BYTES,
    sizeOf: ({ size }) => size,
  })
  const expireDue = (now: number) => records.settle({ from: 'active', to: 'expired', column: 'expires_at' }, now)

  return {
    async page(request: PageRequest<SignalFilters & AsOf>, now: number): Promise<CursorPage<Signal>> {
      if (request.filters.asOf !== undefined) return records.versions.page(request)
      await expireDue(now)
      return records.page(request)
    },

    async walk(request: WalkRequest<SignalFilters & AsOf>, now: number): Promise<ListWalk> {
      if (request.filters.asOf !== undefined) return records.versions.walk(request)
      await expireDue(now)
      return records.walk(request)
    },

    /** Finds a signal, as it was at `asOf` if that is given. */
    async find(id: string, now: number, { asOf }: AsOf = {}): Promise<Json<Signal> | undefined> {
      if (asOf !== undefined) {
        const doc = await findVersion(db, id.toLowerCase(), asOf)
        return doc === undefined ? undefined : Json.text(doc)
      }
      await expireDue(now)
      return records.findAnswer(id.toLowerCase())
    },

    /** Lists the signals that name the entry as evidence, newest first. */
    async listByEntry(entryId: string, now: number, limit = MAX_PER_ENTRY): Promise<Json<Signal[]>> {
      await expireDue(now)
      const id = entryId.toLowerCase()
      return byEntry.get(`${limit} ${id}`, () => readByEntry(db, id, limit))
    },

    total: (): Promise<number> => records.total(),

    /** Returns a number that grows with each change of a signal. */
    async version(): Promise<number> {
      const { seq, epoch } = await records.head()
      return seq + epoch
    },

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

    /**
     * Adds historical signals, which are not sent to streams; existing ones stay as they are. Of a signal that changed, all
     * versions are given in their order. A version was known from `knownFrom`, or since the signal was generated.
     */
    async insert(signals: readonly PastSignal[], now: number): Promise<number> {
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

async function readByEntry(db: Queryable, entryId: string, limit: number): Promise<Json<Signal[]>> {
  const rows = await db.query<{ doc: string }>(
    `select r.doc from signal_entries n join signals t on t.seq = n.seq join signals_docs r on r.seq = n.seq
     where n.entry_id = $1 order by t.generated_at desc, t.seq desc limit $2`,
    [entryId, limit],
  )
  return Json.list(Buffer.from(rows.map(({ doc }) => doc).join(',')))
}
