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

/** How long events can be replayed. */
export const LOG_KEPT_MS = DAY
export const HEARTBEAT_MS = 15 * SECOND

const eventId = (description: string) => Type.Integer({ minimum: 0, description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The data of each event of a signal stream. */
export const STREAM_EVENTS = {
  ready: Type.Object({
    connectionId: id(),
    plan: Type.String({ description: "Slug of the caller's plan" }),
    serverTime: time(),
    resumedFrom: nullable(eventId('Id of the event after which the stream resumes')),
    replayCount: count('Missed signals that match the filters and are sent next'),
    creditsPerMinute: count('Cost of a minute on this plan'),
  }),
  signal: Type.Object({ signal: Signal }),
  heartbeat: Type.Object({ at: time() }),
  gap: Type.Object({
    fromId: eventId('First event that is no longer available'),
    toId: eventId('Last event that is no longer available'),
  }),
  closing: Type.Object({
    reason: Type.Enum(CLOSING_REASONS),
    reconnectAfterMs: count('Time to wait before reconnecting'),
  }),
} as const

export type StreamEventName = keyof typeof STREAM_EVENTS

/** A WebSocket message; server-sent events have the same three parts. */
export const StreamEvent = Type.Union(
  Object.entries(STREAM_EVENTS).map(([event, data]) =>
    Type.Object({
      id: eventId('Never decreases; send the last one to resume after it'),
      event: Type.Literal(event),
      data,
    }),
  ),
)
