import type { Static } from 'typebox'
import { Frame } from '../http/wire.ts'
import type { ClosingReason, CONTROL_EVENTS } from '../model/streams.ts'

type Data<Name extends keyof typeof CONTROL_EVENTS> = Static<(typeof CONTROL_EVENTS)[Name]>

/** `id` is the last log event that the client has received or that its filters have dropped. */
export function frameOf<Name extends keyof typeof CONTROL_EVENTS>(id: number, event: Name, data: Data<Name>): Frame {
  return new Frame(id, event, JSON.stringify(data))
}

/** Reconnect delay: a minimum plus random jitter, so that clients do not all return at once; null if it would fail. */
const RECONNECT: Record<ClosingReason, { minMs: number; jitterMs: number } | null> = {
  rotation: { minMs: 0, jitterMs: 3_000 },
  slow_consumer: { minMs: 1_000, jitterMs: 2_000 },
  plan_changed: { minMs: 1_000, jitterMs: 2_000 },
  shutdown: { minMs: 1_000, jitterMs: 9_000 },
  // Reconnecting fails until somebody adds credits.
  credits_exhausted: { minMs: 60_000, jitterMs: 30_000 },
  key_revoked: null,
}

export function closingFrame(id: number, reason: ClosingReason): Frame {
  const wait = RECONNECT[reason]
  const reconnectAfterMs = wait && wait.minMs + Math.round(Math.random() * wait.jitterMs)
  return frameOf(id, 'closing', { reason, reconnectAfterMs })
}
