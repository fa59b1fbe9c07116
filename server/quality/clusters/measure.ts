/** How well found stories agree with the true ones, by B-cubed: each entry counts once, large stories are no bonus. */
export function measureClusters(gold: readonly Label[], found: readonly Label[]): ClusterScores {
  if (gold.length !== found.length) throw new RangeError('Each entry needs a true and a found story')
  if (gold.length === 0) return { b3Precision: 1, b3Recall: 1, b3F1: 1 }
  const goldSizes = sizesOf(gold)
  const foundSizes = sizesOf(found)
  const pairs = new Map<Label, Map<Label, number>>()
  for (const [index, truth] of gold.entries()) {
    const row = pairs.get(truth) ?? new Map<Label, number>()
    const label = found[index] ?? ''
    row.set(label, (row.get(label) ?? 0) + 1)
    pairs.set(truth, row)
  }
  let precision = 0
  let recall = 0
  for (const [truth, row] of pairs) {
    for (const [label, shared] of row) {
      precision += shared ** 2 / (foundSizes.get(label) ?? 1)
      recall += shared ** 2 / (goldSizes.get(truth) ?? 1)
    }
  }
  const b3Precision = precision / gold.length
  const b3Recall = recall / gold.length
  return { b3Precision, b3Recall, b3F1: (2 * b3Precision * b3Recall) / (b3Precision + b3Recall) }
}

export type Label = number | string

export interface ClusterScores {
  b3Precision: number
  b3Recall: number
  b3F1: number
}

function sizesOf(labels: readonly Label[]): Map<Label, number> {
  const sizes = new Map<Label, number>()
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1)
  return sizes
}
