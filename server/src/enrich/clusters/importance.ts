export interface ClusterSpread {
  entryCount: number
  publisherCount: number
  /** Entries per hour. */
  velocity: number
  /** How well known what it is about is, 0 to 1. */
  prominence?: number
}

/**
 * From 0 to 1: half is how many publishers tell the story, a quarter how fast it is told, the rest how often and about
 * whom. More of any of them never makes a story less important; the tenth publisher adds less than the second.
 */
export function importanceOf({ entryCount, publisherCount, velocity, prominence = 0 }: ClusterSpread): number {
  const publishers = 1 - Math.exp(-atLeast0(publisherCount - 1) / 4)
  const pace = 1 - 1 / (1 + atLeast0(velocity) / 4)
  const entries = 1 - Math.exp(-atLeast0(entryCount - 1) / 10)
  const score = 0.5 * publishers + 0.25 * pace + 0.15 * entries + 0.1 * Math.min(atLeast0(prominence), 1)
  return Math.round(score * 1000) / 1000
}

/** What is no number counts as nothing. */
function atLeast0(value: number): number {
  return value > 0 ? value : 0
}
