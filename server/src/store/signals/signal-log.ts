import { setImmediate } from 'node:timers/promises'
import type { Signal, SignalEvent } from '../../model/signals.ts'
import type { Db, Transaction } from '../db.ts'
import type { Feed } from '../lists/feeds.ts'
import { insertRecords } from '../sql.ts'

/** The row of `feeds` that counts the events. */
export const SIGNAL_EVENTS = 'signal_events'

const REMOVED_AT_ONCE = 500

const FACTS = 'id, kind, direction, asset_key as "assetKey", strength, confidence'

/** What a filter of a stream looks at. */
export type SignalFacts = Omit<SignalEvent, 'doc'>

export type SignalLog = ReturnType<typeof signalLogStore>

/** The signals that were found or changed, in the order of commits. */
export function signalLogStore(db: Db, feed: Feed) {
  return {
    /** The id of the last event, 0 when there never was one. */
    head: async (): Promise<number> => (await feed.head()).seq,

    /** The id of the oldest event that is kept; that of the next one when none is. */
    async oldest(): Promise<number> {
      const [row] = await db.query<{ id: number }>(
        `select coalesce((select min(id) from signal_events), last_seq + 1) as id from feeds where name = $1`,
        [SIGNAL_EVENTS],
      )
      return row?.id ?? 1
    },

    /** Events with after < id <= upTo, oldest first. */
    listAfter: (after: number, upTo: number, limit: number): Promise<SignalEvent[]> =>
      db.query(
        `select ${FACTS}, doc from signal_events where id > $1 and id <= $2 order by id limit ${Math.trunc(limit)}`,
        [after, upTo],
      ),

    /** The same without the documents. */
    listFactsAfter: (after: number, upTo: number, limit: number): Promise<SignalFacts[]> =>
      db.query(`select ${FACTS} from signal_events where id > $1 and id <= $2 order by id limit ${Math.trunc(limit)}`, [
        after,
        upTo,
      ]),

    /** Removes the events from before a time, and with them all that were logged earlier: the log has no gaps. */
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
         select id from signal_events where id <= $1 order by id limit ${REMOVED_AT_ONCE}
       )`,
      [last],
    )
  })
}

/** Inside a transaction, after which the feed has to be told that it changed. */
export async function appendEvents(
  tx: Transaction,
  feed: Feed,
  signals: readonly Signal[],
  now: number,
): Promise<void> {
  if (signals.length === 0) return
  const { firstSeq } = await feed.append(tx, signals.length, now)
  const events = signals.map((signal, index) => ({
    id: firstSeq + index,
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
