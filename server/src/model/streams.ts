import Type from 'typebox'
import { count, id, nullable, text, time } from './schema.ts'
import { EVENT_CHANGES, Signal } from './signals.ts'
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

/** The data of each event of a signal stream. */
export const STREAM_EVENTS = {
  ready: Type.Object(
    {
      connectionId: id('Id of this stream, for reports of problems'),
      plan: text("Slug of the caller's plan"),
      serverTime: time('Time of the request, by the clock of the server'),
      resumedFrom: nullable(count('Id of the last event, as you sent it; null for a new stream')),
      replayCount: count('Missed signals that match the filters and are sent next'),
      creditsPerMinute: count('Cost of a minute on this plan'),
    },
    { description: 'The first event' },
  ),
  signal: Type.Object(
    {
      signal: Signal,
      change: Type.Enum(EVENT_CHANGES, {
        description:
          'new: the first event of this signal; updated: it replaces the signal sent before with the same id',
      }),
    },
    { description: 'A new or changed signal' },
  ),
  heartbeat: Type.Object(
    { at: time('Time of the heartbeat, by the clock of the server') },
    { description: 'Shows that the stream is alive' },
  ),
  gap: Type.Object(
    {
      fromId: count('First event that is no longer available'),
      toId: count('Last event that is no longer available'),
    },
    {
      description:
        'Missed events that cannot be sent again. If the service was restored from a backup, fromId follows its last event, and others that you missed may be lost as well',
    },
  ),
  closing: Type.Object(
    {
      reason: Type.Enum(CLOSING_REASONS, {
        description: 'rotation: long streams are renewed; slow_consumer: events were not read fast enough',
      }),
      reconnectAfterMs: count('Milliseconds to wait before reconnecting'),
    },
    { description: 'The last event, before the service closes the stream' },
  ),
} as const

export type StreamEventName = keyof typeof STREAM_EVENTS

export const StreamEvent = Type.Union(
  Object.entries(STREAM_EVENTS).map(([event, data]) =>
    Type.Object({
      id: count(
        'Id of the event, an integer that never decreases: send the last one to resume after it. The id of the signal is data.signal.id',
      ),
      event: Type.Literal(event, { description: 'Name of the event' }),
      data,
    }),
  ),
  { description: 'An event of a stream: a WebSocket message, or the three parts of a server-sent event' },
)
