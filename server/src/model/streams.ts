import Type from 'typebox'
import { id, nullable, time } from './schema.ts'
import { Signal } from './signals.ts'
import { DAY, SECOND } from './time.ts'

/** Why the service ends a stream. */
const CLOSING_REASONS = [
  'rotation',
  'slow_consumer',
  'key_revoked',
  'plan_changed',
  'credits_exhausted',
  'shutdown',
] as const
export type ClosingReason = (typeof CLOSING_REASONS)[number]

/** How long what was told can be told again. */
export const LOG_KEPT_MS = DAY
export const HEARTBEAT_MS = 15 * SECOND

const eventId = (description: string) => Type.Integer({ minimum: 0, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

/** What each event of a stream of signals carries. */
export const STREAM_EVENTS = {
  ready: Type.Object({
    connectionId: id(),
    plan: Type.String({ description: 'Slug of the plan of the caller' }),
    serverTime: time(),
    resumedFrom: nullable(eventId('The id that the stream goes on after')),
    replayCount: count('Signals since then that pass the filters; they follow'),
    creditsPerMinute: count('What a minute costs on this plan'),
  }),
  signal: Type.Object({ signal: Signal }),
  heartbeat: Type.Object({ at: time() }),
  gap: Type.Object({
    fromId: eventId('First event that is no longer kept'),
    toId: eventId('Last event that is no longer kept'),
  }),
  closing: Type.Object({
    reason: Type.Enum(CLOSING_REASONS),
    reconnectAfterMs: count('How long to wait before the next try'),
  }),
} as const

export type StreamEventName = keyof typeof STREAM_EVENTS

/** An event as a WebSocket carries it; server-sent events have the same three parts. */
export const StreamEvent = Type.Union(
  Object.entries(STREAM_EVENTS).map(([event, data]) =>
    Type.Object({ id: eventId('Never falls; send the last one to go on after it'), event: Type.Literal(event), data }),
  ),
)
