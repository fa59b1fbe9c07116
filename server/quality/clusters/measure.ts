import { Clusterer } from '../../src/enrich/clusters/clusterer.ts'
import type { FixtureEntry } from './fixture.ts'

/** Clusters labelled entries and scores the result. */
export function measureClusterer(entries: readonly FixtureEntry[], vectors: readonly Float32Array[]): ClusterScores {
  const clusterer = new Clusterer()
  for (const [index, entry] of entries.entries()) clusterer.add({ ...entry, vector: vectors[index] ?? null })
  return measureClusters(
    entries.map(({ cluster }) => cluster),
    // Where the entries are in the end: clusters may be merged.
    entries.map(({ key }) => clusterer.clusterOf(key) ?? `dropped ${key}`),
  )
}

/** Scores found clusters against the true ones by B-cubed: every entry counts once, so large clusters get no bonus. */
export function measureClusters(gold: readonly Label[], found: readonly Label[]): ClusterScores {
  if (gold.length !== found.length) throw new RangeError('Each entry needs a true and a found cluster')
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

type Label = number | string

interface ClusterScores {
  b3Precision: number
  b3Recall: number
  b3F1: number
}

function sizesOf(labels: readonly Label[]): Map<Label, number> {
  const sizes = new Map<Label, number>()
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1)
  return sizes
}
