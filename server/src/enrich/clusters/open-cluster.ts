import { type VectorSum, withSum, withVector } from './centroid.ts'
import type { EntryFeatures } from './features.ts'
import type { Fingerprint } from './near-duplicates.ts'
import type { Periods } from './periods.ts'
import type { Headline } from './representative-headline.ts'

/** A cluster that may still grow, with a profile of its entries of bounded size. */
export interface OpenCluster {
  id: number
  /** Its row in the indexes. */
  row: number
  language: string
  keys: number[]
  firstAt: number
  lastAt: number
  /** The most common terms of its entries. */
  terms: Map<number, TermCount>
  /** The number of its titles that contain each name. */
  titleNames: Map<number, number>
  /** The sum of its entries' vectors; null if none has one. */
  vectors: VectorSum | null
  periods: Periods
  isRoutine: boolean
  /** Normalised titles, each with its language. */
  titles: Set<string>
  /** Fingerprints of the first entry and the newest ones. */
  fingerprints: Fingerprint[]
  /** Titles that may represent the cluster; the first one does. */
  headlines: Headline[]
  /** The number of entries at which the cluster looks for others to merge with. */
  mergeSize: number
}

/** Immutable: the terms of an entry that have the same weight share one object. */
export interface TermCount {
  /** The number of entries that contain the term. */
  readonly entries: number
  /** The sum of the term's weights in these entries. */
  readonly weight: number
}

export function createCluster(id: number, row: number, language: string): OpenCluster {
  return {
    id,
    row,
    language,
    keys: [],
    firstAt: Infinity,
    lastAt: -Infinity,
    terms: new Map(),
    titleNames: new Map(),
    vectors: null,
    periods: { quarters: 0, months: 0 },
    isRoutine: true,
    titles: new Set(),
    fingerprints: [],
    headlines: [],
    mergeSize: 2,
  }
}

/** Terms are dropped down to the lower number when the higher one is exceeded, so that few entries sort them. */
const MAX_TERMS = 400
const KEPT_TERMS = 300
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
  cluster.periods = unitedPeriods(cluster.periods, features.periods)
  cluster.isRoutine &&= features.isRoutine
  if (cluster.fingerprints.length === MAX_FINGERPRINTS) cluster.fingerprints.splice(1, 1)
  cluster.fingerprints.push(features.fingerprint)
  if (vector !== null) cluster.vectors = withVector(cluster.vectors, vector)
  for (const name of features.titleNames) addName(cluster, name, 1)
  const gained: number[] = []
  const counts = new Map<number, TermCount>()
  for (const [index, term] of features.terms.entries()) {
    const weight = features.weights[index] ?? 0
    const count = counts.get(weight) ?? { entries: 1, weight }
    counts.set(weight, count)
    if (addTerm(cluster, term, count)) gained.push(term)
  }
  return { gained, lost: dropRarest(cluster) }
}

/** Adds the profile and the entries of another cluster. */
export function absorbCluster(cluster: OpenCluster, other: OpenCluster): TermChange {
  cluster.keys.push(...other.keys)
  cluster.firstAt = Math.min(cluster.firstAt, other.firstAt)
  cluster.lastAt = Math.max(cluster.lastAt, other.lastAt)
  cluster.periods = unitedPeriods(cluster.periods, other.periods)
  cluster.isRoutine &&= other.isRoutine
  if (other.vectors !== null) cluster.vectors = withSum(cluster.vectors, other.vectors)
  for (const [name, count] of other.titleNames) addName(cluster, name, count)
  for (const title of other.titles) cluster.titles.add(title)
  const gained: number[] = []
  for (const [term, count] of other.terms) {
    if (addTerm(cluster, term, count)) gained.push(term)
  }
  return { gained, lost: dropRarest(cluster) }
}

function addName({ titleNames }: OpenCluster, name: number, count: number): void {
  const known = titleNames.get(name)
  if (known !== undefined || titleNames.size < MAX_NAMES) titleNames.set(name, (known ?? 0) + count)
}

/** Reports whether the term is new. */
function addTerm({ terms }: OpenCluster, term: number, count: TermCount): boolean {
  const known = terms.get(term)
  const sum =
    known === undefined ? count : { entries: known.entries + count.entries, weight: known.weight + count.weight }
  terms.set(term, sum)
  return known === undefined
}

function dropRarest({ terms }: OpenCluster): number[] {
  if (terms.size <= MAX_TERMS) return []
  const commonFirst = [...terms].sort(([termA, a], [termB, b]) => b.weight - a.weight || termA - termB)
  const lost = commonFirst.slice(KEPT_TERMS).map(([term]) => term)
  for (const term of lost) terms.delete(term)
  return lost
}

function unitedPeriods(a: Periods, b: Periods): Periods {
  return { quarters: a.quarters | b.quarters, months: a.months | b.months }
}

/** Returns the milliseconds between a time and the cluster's time range; 0 inside it. */
export function timeDistance({ firstAt, lastAt }: TimeRange, at: number): number {
  return Math.max(0, at - lastAt, firstAt - at)
}

/** Returns the milliseconds between two time ranges; 0 if they overlap. */
export function rangeDistance(a: TimeRange, b: TimeRange): number {
  return Math.max(0, a.firstAt - b.lastAt, b.firstAt - a.lastAt)
}

interface TimeRange {
  firstAt: number
  lastAt: number
}
