import type { OffsetPage } from '../../model/paging.ts'
import type { Db } from '../db.ts'
import { refuseOthers } from '../lists/filters.ts'
import { Params, where } from '../sql.ts'

/** The object at the payment processor that an event names. */
export interface EventSubject {
  kind: 'checkout' | 'invoice' | 'subscription' | 'payment'
  id: string
}

export interface ReceivedEvent {
  id: string
  type: string
  subject: EventSubject
}

/** An event as it is stored. */
export interface StoredEvent extends ReceivedEvent {
  receivedAt: number
  /** Null until it is processed. */
  doneAt: number | null
  attempts: number
  nextAt: number
  /** Why the last attempt failed. */
  error: string | null
}

export interface EventFilters {
  isProcessed?: boolean
}

interface EventRow extends Omit<StoredEvent, 'subject'> {
  kind: EventSubject['kind']
  subjectId: string
}

const COLUMNS = `id, type, about_kind as kind, about_id as "subjectId", received_at as "receivedAt", done_at as "doneAt",
  attempts, next_at as "nextAt", error`

/** Rows per transaction that removes events. */
const PORTION = 500

export type ProcessorEvents = ReturnType<typeof processorEventsStore>

/** The inbox of processor events. An event is stored before it is processed, and retried until that succeeds. */
export function processorEventsStore(db: Db) {
  return {
    /** Stores the event. Returns false if it was processed before. */
    receive({ id, type, subject }: ReceivedEvent, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        await tx.query(
          `insert into processor_events (id, type, about_kind, about_id, received_at, attempts, next_at)
           values ($1, $2, $3, $4, $5, 0, $6) on conflict do nothing`,
          [id, type, subject.kind, subject.id, now, now],
        )
        const [row] = await tx.query<{ done_at: number | null }>('select done_at from processor_events where id = $1', [
          id,
        ])
        return row?.done_at === null
      })
    },

    async isKnown(id: string): Promise<boolean> {
      const rows = await db.query('select 1 from processor_events where id = $1', [id])
      return rows.length > 0
    },

    done(id: string, now: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          'update processor_events set done_at = $2, attempts = attempts + 1, error = null where id = $1',
          [id, now],
        )
      })
    },

    /** Schedules a retry. */
    putOff(id: string, until: number, error: string): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('update processor_events set next_at = $2, attempts = attempts + 1, error = $3 where id = $1', [
          id,
          until,
          error,
        ])
      })
    },

    async find(id: string): Promise<StoredEvent | undefined> {
      const [row] = await db.query<EventRow>(`select ${COLUMNS} from processor_events where id = $1`, [id])
      return row && toEvent(row)
    },

    /** Returns a page, newest first. */
    async page(filters: EventFilters, limit: number, offset: number): Promise<OffsetPage<StoredEvent>> {
      const { isProcessed, ...unread } = filters
      refuseOthers(unread)
      const conditions = isProcessed === undefined ? [] : [`done_at is ${isProcessed ? 'not ' : ''}null`]
      const [total] = await db.heavy.query<{ count: number }>(
        `select count(*) as count from processor_events${where(conditions)}`,
      )
      const params = new Params()
      const rows = await db.heavy.query<EventRow>(
        `select ${COLUMNS} from processor_events${where(conditions)}
         order by received_at desc, id desc limit ${params.add(limit)} offset ${params.add(offset)}`,
        params.values,
      )
      return { data: rows.map(toEvent), totalCount: total?.count ?? 0 }
    },

    /** Returns the number of events that are not processed yet. */
    async countWaiting(): Promise<number> {
      const [row] = await db.query<{ count: number }>(
        'select count(*) as count from processor_events where done_at is null',
      )
      return row?.count ?? 0
    },

    /** Returns the processor whose events were listed last. */
    async lastSwept(): Promise<string | undefined> {
      const [row] = await db.query<{ processor: string }>(
        'select processor from processor_sweeps order by until desc limit 1',
      )
      return row?.processor
    },

    /** Returns the time up to which all events of the processor are stored; undefined if they were never listed. */
    async sweptUntil(processor: string): Promise<number | undefined> {
      const [row] = await db.query<{ until: number }>('select until from processor_sweeps where processor = $1', [
        processor,
      ])
      return row?.until
    },

    setSweptUntil(processor: string, until: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query(
          `insert into processor_sweeps (processor, until) values ($1, $2)
           on conflict (processor) do update set until = excluded.until where processor_sweeps.until < excluded.until`,
          [processor, until],
        )
      })
    },

    /** Removes processed events that were received before a time. `mayGoOn` is asked before each portion. */
    async removeBefore(time: number, mayGoOn: () => boolean): Promise<void> {
      for (let portion = PORTION; portion === PORTION && mayGoOn(); ) {
        const removed = await db.transaction((tx) =>
          tx.query(
            `delete from processor_events where id in (
               select id from processor_events where done_at is not null and received_at < $1 limit ${PORTION})
             returning id`,
            [time],
          ),
        )
        portion = removed.length
      }
    },

    async listDue(now: number, limit: number): Promise<StoredEvent[]> {
      const rows = await db.query<EventRow>(
        `select ${COLUMNS} from processor_events where done_at is null and next_at <= $1 order by next_at, id limit $2`,
        [now, limit],
      )
      return rows.map(toEvent)
    },
  }
}

const toEvent = ({ kind, subjectId, ...event }: EventRow): StoredEvent => ({
  ...event,
  subject: { kind, id: subjectId },
})
