import type { Db } from '../db.ts'

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
        await tx.query('update processor_events set done_at = $2, attempts = attempts + 1 where id = $1', [id, now])
      })
    },

    /** Schedules a retry. */
    putOff(id: string, until: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('update processor_events set next_at = $2, attempts = attempts + 1 where id = $1', [id, until])
      })
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

    async listDue(now: number, limit: number): Promise<(ReceivedEvent & { attempts: number })[]> {
      const rows = await db.query<{
        id: string
        type: string
        kind: EventSubject['kind']
        subjectId: string
        attempts: number
      }>(
        `select id, type, about_kind as kind, about_id as "subjectId", attempts from processor_events
         where done_at is null and next_at <= $1 order by next_at, id limit $2`,
        [now, limit],
      )
      return rows.map(({ kind, subjectId, ...event }) => ({ ...event, subject: { kind, id: subjectId } }))
    },
  }
}
