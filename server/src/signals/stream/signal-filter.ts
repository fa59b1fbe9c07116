import type { SignalFacts } from '../../store/signals/signal-log.ts'

/** Filters of a stream; a list matches any of its values. */
export interface SignalFilter {
  assetKey?: readonly string[]
  kind?: readonly string[]
  direction?: readonly string[]
  strengthMin?: number
  confidenceMin?: number
}

export function passes(filter: SignalFilter, signal: SignalFacts): boolean {
  return (
    (filter.assetKey?.includes(signal.assetKey) ?? true) &&
    (filter.kind?.includes(signal.kind) ?? true) &&
    (filter.direction?.includes(signal.direction) ?? true) &&
    signal.strength >= (filter.strengthMin ?? 0) &&
    signal.confidence >= (filter.confidenceMin ?? 0)
  )
}
