import type { Db } from '../db.ts'

/** What an event of the payment processor is about: where to look. */
export interface EventSubject {
  kind: 'checkout' | 'invoice' | 'subscription' | 'payment'
  id: string
}

export interface ReceivedEvent {
  id: string
  type: string
  about: EventSubject
}

export type ProcessorEvents = ReturnType<typeof processorEventsStore>

/** The inbox: an event is kept before anything is done about it, and until it is done. */
export function processorEventsStore(db: Db) {
  return {
    /** False when it is known and done. */
    receive({ id, type, about }: ReceivedEvent, now: number): Promise<boolean> {
      return db.transaction(async (tx) => {
        await tx.query(
          `insert into processor_events (id, type, about_kind, about_id, received_at, attempts, next_at)
           values ($1, $2, $3, $4, $5, 0, $6) on conflict do nothing`,
          [id, type, about.kind, about.id, now, now],
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

    /** It could not be done now. */
    putOff(id: string, until: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('update processor_events set next_at = $2, attempts = attempts + 1 where id = $1', [id, until])
      })
    },

    /** The processor whose events were looked through last. */
    async lastSwept(): Promise<string | undefined> {
      const [row] = await db.query<{ processor: string }>(
        'select processor from processor_sweeps order by until desc limit 1',
      )
      return row?.processor
    },

    /** Up to which time all events of this processor are here; undefined when it was never looked. */
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

    /** Of what is done, what was received before. */
    forget(before: number): Promise<void> {
      return db.transaction(async (tx) => {
        await tx.query('delete from processor_events where done_at is not null and received_at < $1', [before])
      })
    },

    async listDue(now: number, limit: number): Promise<(ReceivedEvent & { attempts: number })[]> {
      const rows = await db.query<{
        id: string
        type: string
        kind: EventSubject['kind']
        about: string
        attempts: number
      }>(
        `select id, type, about_kind as kind, about_id as about, attempts from processor_events
         where done_at is null and next_at <= $1 order by next_at, id limit $2`,
        [now, limit],
      )
      return rows.map(({ id, type, kind, about, attempts }) => ({ id, type, about: { kind, id: about }, attempts }))
    },
  }
}
