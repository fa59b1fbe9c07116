import { MINUTE } from '../model/time.ts'
import type { Span } from '../model/uptime.ts'
import type { Db } from './db.ts'

/** A shorter interruption is not noticed. */
export const LEAST_GAP_MS = MINUTE

export type Uptime = ReturnType<typeof uptimeStore>

/** When the service ran, from the heartbeats of all instances. */
export function uptimeStore(db: Db) {
  return {
    /** Notes that an instance runs now. */
    beat(now: number): Promise<void> {
      return db.transaction(async (tx) => {
        const continued = await tx.query(
          `update uptime_spans set ended_at = case when ended_at < $1 then $1 else ended_at end where ended_at >= $2
           returning started_at`,
          [now, now - LEAST_GAP_MS],
        )
        if (continued.length > 0) return
        await tx.query('insert into uptime_spans (started_at, ended_at) values ($1, $1) on conflict do nothing', [now])
      })
    },

    /** Lists the spans that reach beyond a time, in their order. */
    list: (since: number): Promise<Span[]> =>
      db.query<Span>(
        'select started_at as "start", ended_at as "end" from uptime_spans where ended_at > $1 order by started_at',
        [since],
      ),

    /** Returns the time of the first heartbeat; undefined if there was none. */
    async knownSince(): Promise<number | undefined> {
      const [row] = await db.query<{ first: number | null }>('select min(started_at) as first from uptime_spans')
      return row?.first ?? undefined
    },
  }
}
