/** The topics found for one text and those a human reader gave it. */
interface MeasuredRow {
  found: readonly string[]
  topics: readonly string[]
  /** Neither a hit nor a miss. */
  optional?: readonly string[]
}

interface TopicScores {
  precision: number
  recall: number
  f1: number
}

/** Computes micro-averaged scores over all pairs of text and topic, leaving optional topics out. */
export function measureTopics(rows: readonly MeasuredRow[]): TopicScores {
  let right = 0
  let found = 0
  let expected = 0
  for (const row of rows) {
    const judged = row.found.filter((slug) => row.optional?.includes(slug) !== true)
    right += judged.filter((slug) => row.topics.includes(slug)).length
    found += judged.length
    expected += row.topics.length
  }
  const precision = found === 0 ? 1 : right / found
  const recall = expected === 0 ? 1 : right / expected
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}
