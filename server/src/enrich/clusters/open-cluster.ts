import { type VectorSum, withVector } from './centroid.ts'
import type { EntryFeatures } from './features.ts'
import type { Fingerprint } from './near-duplicates.ts'
import type { Periods } from './periods.ts'
import type { Headline } from './representative-headline.ts'

/** A cluster that may still grow, with the data needed to compare entries with it. */
export interface OpenCluster {
  id: number
  /** Its row in the indexes. */
  row: number
  language: string
  keys: number[]
  firstAt: number
  lastAt: number
  timeSum: number
  /** The terms of its entries in ascending order, with the sums of their weights. */
  terms: Int32Array
  weights: Float32Array
  /** The sum of its entries' vectors; null if none has one. */
  vectors: VectorSum | null
  titleNames: Map<number, number>
  periods: Periods
  isRoutine: boolean
  /** Normalised titles, each with its language. */
  titles: Set<string>
  /** Fingerprints of the first entry and the newest ones. */
  fingerprints: Fingerprint[]
  /** Titles that may represent the cluster; the first one does. */
  headlines: Headline[]
}

export function createCluster(id: number, row: number, language: string): OpenCluster {
  return {
    id,
    row,
    language,
    keys: [],
    firstAt: Infinity,
    lastAt: -Infinity,
    timeSum: 0,
    terms: new Int32Array(),
    weights: new Float32Array(),
    vectors: null,
    titleNames: new Map(),
    periods: { quarters: 0, months: 0 },
    isRoutine: true,
    titles: new Set(),
    fingerprints: [],
    headlines: [],
  }
}

const MAX_TERMS = 250
const MAX_NAMES = 60
const MAX_FINGERPRINTS = 6

/** The terms that a cluster gained and lost, for the inverted index. */
interface TermChange {
  gained: number[]
  lost: number[]
}

export function addToCluster(
  cluster: OpenCluster,
  entry: { key: number; publishedAt: number },
  features: EntryFeatures,
  vector: Float32Array | null,
): TermChange {
  cluster.keys.push(entry.key)
  cluster.firstAt = Math.min(cluster.firstAt, entry.publishedAt)
  cluster.lastAt = Math.max(cluster.lastAt, entry.publishedAt)
  cluster.timeSum += entry.publishedAt
  cluster.periods = {
    quarters: cluster.periods.quarters | features.periods.quarters,
    months: cluster.periods.months | features.periods.months,
  }
  cluster.isRoutine &&= features.isRoutine
  for (const [name, weight] of features.titleNames) {
    const sum = cluster.titleNames.get(name)
    if (sum !== undefined || cluster.titleNames.size < MAX_NAMES) cluster.titleNames.set(name, (sum ?? 0) + weight)
  }
  if (cluster.fingerprints.length === MAX_FINGERPRINTS) cluster.fingerprints.splice(1, 1)
  cluster.fingerprints.push(features.fingerprint)
  if (vector !== null) cluster.vectors = withVector(cluster.vectors, vector)
  return addTerms(cluster, features)
}

function addTerms(cluster: OpenCluster, { terms, weights }: EntryFeatures): TermChange {
  const sums = new Map<number, number>()
  for (const [index, term] of cluster.terms.entries()) sums.set(term, cluster.weights[index] ?? 0)
  const gained: number[] = []
  for (const [index, term] of terms.entries()) {
    if (!sums.has(term)) gained.push(term)
    sums.set(term, (sums.get(term) ?? 0) + (weights[index] ?? 0))
  }
  const lost = dropLightest(sums)
  const kept = Int32Array.from(sums.keys()).sort()
  cluster.terms = kept
  cluster.weights = Float32Array.from(kept, (term) => sums.get(term) ?? 0)
  return { gained, lost }
}

function dropLightest(sums: Map<number, number>): number[] {
  if (sums.size <= MAX_TERMS) return []
  const heaviestFirst = [...sums].sort(([termA, a], [termB, b]) => b - a || termA - termB)
  const lost = heaviestFirst.slice(MAX_TERMS).map(([term]) => term)
  for (const term of lost) sums.delete(term)
  return lost
}

/** Returns the milliseconds between a time and the cluster's time range; 0 inside it. */
export function timeDistance({ firstAt, lastAt }: OpenCluster, at: number): number {
  return Math.max(0, at - lastAt, firstAt - at)
}

export function hasTerm({ terms }: OpenCluster, term: number): boolean {
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = terms[middle] ?? 0
    if (found === term) return true
    if (found < term) low = middle + 1
    else high = middle - 1
  }
  return false
}
