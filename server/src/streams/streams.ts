import type { Caller } from '../admission/caller.ts'
import type { StreamMeter } from '../admission/streams/stream-meter.ts'
import type { Bus } from '../bus/bus.ts'
import type { Clock } from '../clock.ts'
import type { ApiError } from '../model/errors.ts'
import type { SignalEvent } from '../model/signals.ts'
import type { EntryEvent } from '../store/entries/entry-events.ts'
import type { Store } from '../store/store.ts'
import { type EntryFilter, entryEvents } from './entry-events.ts'
import { LiveStreams } from './live-streams.ts'
import { type SignalFilter, signalEvents } from './signal-events.ts'

export type SignalStreams = LiveStreams<SignalEvent, SignalFilter>
export type EntryStreams = LiveStreams<EntryEvent, EntryFilter>

export type Streams = ReturnType<typeof createStreams>

/** Creates the streams of each kind. They share the meter, and so the connections of a plan. */
export function createStreams({
  store,
  ...parts
}: {
  store: Pick<Store, 'signalLog' | 'entries' | 'changes'>
  bus: Bus
  meter: Pick<StreamMeter, 'open' | 'refusalOf' | 'creditsPerMinute'>
  clock: Clock
  onError: (error: unknown) => void
}) {
  const signals: SignalStreams = new LiveStreams({ ...parts, source: signalEvents(store.signalLog) })
  const entries: EntryStreams = new LiveStreams({ ...parts, source: entryEvents(store, parts.clock) })
  const all = [signals, entries]
  return {
    signals,
    entries,

    /** Number of open streams on this instance. */
    get count(): number {
      return all.reduce((sum, { count }) => sum + count, 0)
    },

    /** Returns the refusal that opening a stream would throw. */
    refusalOf: (caller: Caller): Promise<ApiError | undefined> => parts.meter.refusalOf(caller),

    async start(): Promise<void> {
      store.changes.subscribe(() => parts.bus.publish('changes', ''))
      for (const streams of all) await streams.start()
    },

    /** Ends all streams. Resolves once their time is settled. */
    async close(): Promise<void> {
      await Promise.all(all.map((streams) => streams.close()))
    },
  }
}
