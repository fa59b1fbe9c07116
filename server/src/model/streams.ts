import Type, { type TObject } from 'typebox'
import { Entry } from './entries.ts'
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

/** The data of the events that every stream has. */
export const CONTROL_EVENTS = {
  ready: Type.Object(
    {
      connectionId: id('Id of this stream, for reports of problems'),
      plan: text("Slug of the caller's plan"),
      serverTime: time('Time of the request, by the clock of the server'),
      resumedFrom: nullable(count('Id of the last event, as you sent it; null for a new stream')),
      replayCount: count('Missed events that match the filters and are sent next'),
      creditsPerMinute: count('Cost of a minute on this plan'),
    },
    { description: 'The first event' },
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
      reconnectAfterMs: nullable(
        count(
          'Milliseconds to wait before reconnecting; null if the key no longer works, so that only another one helps',
        ),
      ),
    },
    { description: 'The last event, before the service closes the stream' },
  ),
} as const

const changeOf = (noun: string) =>
  Type.Enum(EVENT_CHANGES, {
    description: `new: the first event of this ${noun}; updated: it replaces the ${noun} sent before with the same id`,
  })

/** An event of a stream of signals or of entries. */
export const SignalStreamEvent = eventOf('signal', {
  signal: Type.Object({ signal: Signal, change: changeOf('signal') }, { description: 'A new or changed signal' }),
})
export const EntryStreamEvent = eventOf('entry', {
  entry: Type.Object({ entry: Entry, change: changeOf('entry') }, { description: 'A new or changed entry' }),
})

function eventOf(noun: string, own: Record<string, TObject>) {
  const { ready, ...others } = CONTROL_EVENTS
  return Type.Union(
    Object.entries<TObject>({ ready, ...own, ...others }).map(([event, data]) =>
      Type.Object({
        id: count(
          `Id of the event, an integer that never decreases: send the last one to resume after it. The id of the ${noun} is data.${noun}.id`,
        ),
        event: Type.Literal(event, { description: 'Name of the event' }),
        data,
      }),
    ),
    { description: 'An event of a stream: a WebSocket message, or the three parts of a server-sent event' },
  )
}
