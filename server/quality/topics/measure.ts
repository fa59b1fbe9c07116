/** What was found for one text, against what a reader found. */
export interface MeasuredRow {
  found: readonly string[]
  topics: readonly string[]
  /** Right if found, no miss if not. */
  optional?: readonly string[]
}

export interface Measure {
  precision: number
  recall: number
  f1: number
}

/** Counted over all pairs of text and topic. Optional topics are left out of both. */
export function measureTopics(rows: readonly MeasuredRow[]): Measure {
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
