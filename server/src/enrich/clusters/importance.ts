export interface ClusterSpread {
  entryCount: number
  publisherCount: number
  /** Entries per hour. */
  velocity: number
  /** How well known the subject is, 0 to 1. */
  prominence?: number
}

/**
 * Returns the importance of a cluster from 0 to 1: half of it comes from the number of publishers, a quarter from the
 * velocity, the rest from the number of entries and the prominence. It never falls when one of them grows; the tenth
 * publisher adds less than the second.
 */
export function importanceOf({ entryCount, publisherCount, velocity, prominence = 0 }: ClusterSpread): number {
  const publishers = 1 - Math.exp(-atLeast0(publisherCount - 1) / 4)
  const pace = 1 - 1 / (1 + atLeast0(velocity) / 4)
  const entries = 1 - Math.exp(-atLeast0(entryCount - 1) / 10)
  const score = 0.5 * publishers + 0.25 * pace + 0.15 * entries + 0.1 * Math.min(atLeast0(prominence), 1)
  return Math.round(score * 1000) / 1000
}

/** Counts NaN as 0. */
function atLeast0(value: number): number {
  return value > 0 ? value : 0
}
