import type { ClosingReason } from '../../model/streams.ts'
import { MINUTE, SECOND } from '../../model/time.ts'
import type { Plan } from '../../plans/plans.ts'
import type { Settled } from '../../store/streams/settle.ts'
import type { ClosedStream } from '../../store/streams/stream-rows.ts'
import type { Caller } from '../caller.ts'

/** A stream that this instance holds open. */
export interface Stream {
  readonly id: string
  readonly endpoint: string
  readonly account: StreamAccount
  readonly key: Caller['key']
  readonly end: (reason: ClosingReason) => void
  /** Credits that the meter holds for it. */
  held: number
  /** The name under which this instance took its slot; undefined before that. */
  instanceId: string | undefined
  /** Whoever opens it has not heard yet that it is open. */
  isOpening: boolean
  endedBy: ClosingReason | undefined
  closedMs: number | undefined
  /** Resolves when it is settled, once it is closed. */
  closed: Promise<void> | undefined
}

/** What this instance knows of an account with streams. */
export interface StreamAccount {
  readonly id: string
  plan: Plan
  /** Oldest first. */
  streams: Stream[]
  /** Closed, but the store has not heard of it. */
  unsettled: Stream[]
  /** When its time has to be reckoned next. */
  dueMs: number
  /** How often in a row that has failed. */
  failures: number
}

/** Many streams make up a minute every second or so: their minutes are posted together. Each stream holds one meanwhile. */
const LEAST_PAUSE_MS = 5 * SECOND

/**
 * When the time of an account makes up a minute, if its streams stay open. The time of other instances is known up to
 * their last beat only: then, too, it is looked at again a little later.
 */
export function nextDueMs(nowMs: number, { unchargedMs, open }: Settled, openHere: number): number {
  const untilMinute = Math.ceil((MINUTE - unchargedMs) / Math.max(open, openHere, 1))
  return nowMs + (open > 1 ? Math.max(untilMinute, LEAST_PAUSE_MS) : untilMinute)
}

const MAX_RETRY_MS = MINUTE

export function retryMs(nowMs: number, failures: number): number {
  return nowMs + Math.min(SECOND * 2 ** (failures - 1), MAX_RETRY_MS)
}

/** Those that the store has to hear of. */
export function closedStreams({ unsettled }: StreamAccount, nowMs: number): ClosedStream[] {
  return unsettled.map(({ id, closedMs = nowMs }) => ({ id, closedMs }))
}
