import type { Static } from 'typebox'
import { Frame } from '../http/wire.ts'
import type { ClosingReason, CONTROL_EVENTS } from '../model/streams.ts'

type Data<Name extends keyof typeof CONTROL_EVENTS> = Static<(typeof CONTROL_EVENTS)[Name]>

/** `id` is the last log event that the client has received or that its filters have dropped. */
export function frameOf<Name extends keyof typeof CONTROL_EVENTS>(id: number, event: Name, data: Data<Name>): Frame {
  return new Frame(id, event, JSON.stringify(data))
}

/** Reconnect delay: a minimum plus random jitter, so that clients do not all return at once. */
const RECONNECT: Record<ClosingReason, { minMs: number; jitterMs: number }> = {
  rotation: { minMs: 0, jitterMs: 3_000 },
  slow_consumer: { minMs: 1_000, jitterMs: 2_000 },
  plan_changed: { minMs: 1_000, jitterMs: 2_000 },
  shutdown: { minMs: 1_000, jitterMs: 9_000 },
  // Reconnecting fails until somebody adds credits or replaces the key.
  credits_exhausted: { minMs: 60_000, jitterMs: 30_000 },
  key_revoked: { minMs: 60_000, jitterMs: 30_000 },
}

export function closingFrame(id: number, reason: ClosingReason): Frame {
  const { minMs, jitterMs } = RECONNECT[reason]
  return frameOf(id, 'closing', { reason, reconnectAfterMs: minMs + Math.round(Math.random() * jitterMs) })
}
