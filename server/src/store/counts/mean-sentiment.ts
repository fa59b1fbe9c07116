/** Returns the mean of scores summed in millionths; null without scores. */
export function meanSentiment(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count / 100) / 10_000 + 0
}
