import { setImmediate } from 'node:timers/promises'
import type { Signal, SignalEvent } from '../../model/signals.ts'
import type { Db, Transaction } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { insertRecords } from '../sql.ts'

/** The name of the feed of events, in the table `feeds`. */
export const SIGNAL_EVENTS = 'signal_events'

const REMOVED_PER_TRANSACTION = 500

const FACTS = 'id, change, kind, direction, asset_key as "assetKey", strength, confidence'

/** A signal that was added or updated. */
export type ChangedSignal = { signal: Signal } & Pick<SignalEvent, 'change'>

/** The fields that stream filters use. */
export type SignalFacts = Omit<SignalEvent, 'doc'>

export type SignalLog = ReturnType<typeof signalLogStore>

/** New and changed signals, in the order of commits. */
export function signalLogStore(db: Db, feed: Feed) {
  return {
    /** Returns the id of the last event; 0 if there never was one. */
    head: async (): Promise<number> => (await feed.head()).seq,

    /** Returns the id of the oldest event in the log, or that of the next event if the log is empty. */
    async oldest(): Promise<number> {
      const [row] = await db.query<{ id: number }>(
        `select coalesce((select min(id) from signal_events), last_seq + 1) as id from feeds where name = $1`,
        [SIGNAL_EVENTS],
      )
      return row?.id ?? 1
    },

    /** Lists events with after < id <= upTo, oldest first. */
    listAfter: (after: number, upTo: number, limit: number): Promise<SignalEvent[]> =>
      db.query(
        `select ${FACTS}, doc from signal_events where id > $1 and id <= $2 order by id limit ${Math.trunc(limit)}`,
        [after, upTo],
      ),

    /** Lists the same events without their documents. */
    listFactsAfter: (after: number, upTo: number, limit: number): Promise<SignalFacts[]> =>
      db.query(`select ${FACTS} from signal_events where id > $1 and id <= $2 order by id limit ${Math.trunc(limit)}`, [
        after,
        upTo,
      ]),

    /** Removes events from before a time and all events logged before them, so that the log has no gaps. */
    async prune(before: number): Promise<void> {
      const [old] = await db.query<{ last: number | null }>('select max(id) as last from signal_events where at < $1', [
        before,
      ])
      const last = old?.last ?? 0
      while ((await this.oldest()) <= last) {
        await removePortion(db, last)
        await setImmediate()
      }
    },
  }
}

function removePortion(db: Db, last: number): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(
      `delete from signal_events where id in (
         select id from signal_events where id <= $1 order by id limit ${REMOVED_PER_TRANSACTION}
       )`,
      [last],
    )
  })
}

/** Appends events within a transaction. The caller calls `feed.changed()` after the commit. */
export async function appendEvents(
  tx: Transaction,
  feed: Feed,
  changed: readonly ChangedSignal[],
  now: number,
): Promise<void> {
  if (changed.length === 0) return
  const { firstSeq } = await feed.append(tx, changed.length, now)
  const events = changed.map(({ signal, change }, index) => ({
    id: firstSeq + index,
    change,
    kind: signal.kind,
    direction: signal.direction,
    asset_key: signal.assetKey,
    strength: signal.strength,
    confidence: signal.confidence,
    at: now,
    doc: JSON.stringify(signal),
  }))
  await insertRecords(tx, 'signal_events', events)
}
