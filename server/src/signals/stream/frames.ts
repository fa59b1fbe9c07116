import type { Static } from 'typebox'
import { Frame } from '../../http/wire.ts'
import type { SignalEvent } from '../../model/signals.ts'
import type { ClosingReason, STREAM_EVENTS, StreamEventName } from '../../model/streams.ts'

type Data<Name extends StreamEventName> = Static<(typeof STREAM_EVENTS)[Name]>

/** `id` is the last event of the log that the client has been told of, or that its filters kept from it. */
export function frameOf<Name extends StreamEventName>(id: number, event: Name, data: Data<Name>): Frame {
  return new Frame(id, event, JSON.stringify(data))
}

export function signalFrame({ id, doc }: SignalEvent): Frame {
  return new Frame(id, 'signal' satisfies StreamEventName, `{"signal":${doc}}`)
}

/** When to try again, in milliseconds: at the least, and how much more by chance, so that not all come back at once. */
const RECONNECT: Record<ClosingReason, { least: number; spread: number }> = {
  rotation: { least: 0, spread: 3_000 },
  slow_consumer: { least: 1_000, spread: 2_000 },
  plan_changed: { least: 1_000, spread: 2_000 },
  shutdown: { least: 1_000, spread: 9_000 },
  // Trying again is in vain until someone has done something about it.
  credits_exhausted: { least: 60_000, spread: 30_000 },
  key_revoked: { least: 60_000, spread: 30_000 },
}

export function closingFrame(id: number, reason: ClosingReason): Frame {
  const { least, spread } = RECONNECT[reason]
  return frameOf(id, 'closing', { reason, reconnectAfterMs: least + Math.round(Math.random() * spread) })
}
