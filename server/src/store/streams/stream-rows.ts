import type { Queryable } from '../db.ts'
import { Params } from '../sql.ts'
import type { Share } from './minutes.ts'

/** A stream that has a slot, and its time up to some moment. */
export interface StreamTime extends Share {
  id: string
  instanceId: string
}

/** A stream that has ended, and when, on the clock of its instance. */
export interface ClosedStream {
  id: string
  closedMs: number
}

interface StreamTimeRow extends Omit<StreamTime, 'unchargedMs'> {
  openedMs: number
  chargedMs: number
  closedMs: number | null
  elapsedMs: number
}

/** The streams of an account, oldest first. `untilMs` says up to when one was open, if not to the last beat of its instance. */
export async function listStreamTimes(
  tx: Queryable,
  accountId: string,
  untilMs: (stream: { id: string; instanceId: string }) => number | undefined = () => undefined,
): Promise<StreamTime[]> {
  const rows = await tx.query<StreamTimeRow>(
    `select s.id, s.api_key_id as "apiKeyId", s.endpoint, s.instance_id as "instanceId", s.opened_ms as "openedMs",
       s.charged_ms as "chargedMs", s.closed_ms as "closedMs", i.elapsed_ms as "elapsedMs"
     from streams s join stream_instances i on i.id = s.instance_id
     where s.account_id = $1 order by s.opened_at, s.id`,
    [accountId],
  )
  return rows.map(({ openedMs, chargedMs, closedMs, elapsedMs, ...stream }) => ({
    ...stream,
    // A stream may be younger than the last beat.
    unchargedMs: Math.max(0, (closedMs ?? untilMs(stream) ?? elapsedMs) - openedMs) - chargedMs,
  }))
}

/** What is left of the time of streams that have ended. */
export async function findCarried(tx: Queryable, accountId: string): Promise<Share | undefined> {
  const [row] = await tx.query<Share>(
    `select api_key_id as "apiKeyId", endpoint, carried_ms as "unchargedMs" from stream_time where account_id = $1`,
    [accountId],
  )
  return row
}

export async function writeCarried(tx: Queryable, accountId: string, carried: Share): Promise<void> {
  await tx.query(
    `insert into stream_time (account_id, carried_ms, api_key_id, endpoint) values ($1, $2, $3, $4)
     on conflict (account_id) do update set
       carried_ms = excluded.carried_ms, api_key_id = excluded.api_key_id, endpoint = excluded.endpoint`,
    [accountId, carried.unchargedMs, carried.apiKeyId, carried.endpoint],
  )
}

/** Frees the slots of streams that have ended and adds what is left of their time to what is carried. */
export async function carryOver(
  tx: Queryable,
  accountId: string,
  carried: Share | undefined,
  ended: readonly StreamTime[],
): Promise<Share | undefined> {
  const last = ended.at(-1)
  if (last === undefined) return carried
  const params = new Params()
  await tx.query(`delete from streams where id in (${params.list(ended.map(({ id }) => id))})`, params.values)
  const unchargedMs = ended.reduce((sum, stream) => sum + stream.unchargedMs, carried?.unchargedMs ?? 0)
  const sum = { apiKeyId: last.apiKeyId, endpoint: last.endpoint, unchargedMs }
  await writeCarried(tx, accountId, sum)
  return sum
}
