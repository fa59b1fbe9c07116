import { setImmediate } from 'node:timers/promises'
import { Frame } from '../http/wire.ts'
import type { SignalEvent } from '../model/signals.ts'
import type { SignalFacts, SignalLog } from '../store/signals/signal-log.ts'
import type { StreamSource } from './stream-source.ts'

const PAGE = 100
const FACTS_PAGE = 1_000

/** Filters of a stream; a list matches any of its values. */
export interface SignalFilter {
  assetKey?: readonly string[]
  kind?: readonly string[]
  direction?: readonly string[]
  strengthMin?: number
  confidenceMin?: number
}

/** New and changed signals. */
export function signalEvents(log: SignalLog): StreamSource<SignalEvent, SignalFilter> {
  return {
    topic: 'signals',
    // Events of withdrawn signals leave the log.
    isDense: true,
    head: () => log.head(),
    oldest: () => log.oldest(),

    async list(after, upTo) {
      const events = await log.listAfter(after, upTo, PAGE)
      return { events, reached: events.at(-1)?.id ?? upTo }
    },

    async countPassing(filter, after, upTo) {
      let count = 0
      for (let from = after; from < upTo; ) {
        const facts = await log.listFactsAfter(from, upTo, FACTS_PAGE)
        count += facts.filter((event) => passes(filter, event)).length
        from = facts.at(-1)?.id ?? upTo
        if (from < upTo) await setImmediate()
      }
      return count
    },

    passes,

    frameOf: ({ id, change, doc }) => new Frame(id, 'signal', `{"signal":${doc},"change":"${change}"}`),
  }
}

function passes(filter: SignalFilter, signal: SignalFacts): boolean {
  return (
    (filter.assetKey?.includes(signal.assetKey) ?? true) &&
    (filter.kind?.includes(signal.kind) ?? true) &&
    (filter.direction?.includes(signal.direction) ?? true) &&
    signal.strength >= (filter.strengthMin ?? 0) &&
    signal.confidence >= (filter.confidenceMin ?? 0)
  )
}
