/** A stretch of time in which the service ran. */
export interface Span {
  start: number
  end: number
}

/** Returns the share of the time from `from` to `to` that the spans cover, from 0 to 1. They are in order of their starts. */
export function coveredShare(spans: readonly Span[], from: number, to: number): number {
  let covered = 0
  let reached = from
  for (const { start, end } of spans) {
    const begin = Math.max(start, reached)
    const stop = Math.min(end, to)
    if (stop <= begin) continue
    covered += stop - begin
    reached = stop
  }
  return to <= from ? 1 : covered / (to - from)
}
