import { DAY } from '../../model/time.ts'
import { type Centroid, unitOrNull } from './centroid.ts'
import type { DocumentFrequencies } from './document-frequencies.ts'
import type { EntryFeatures } from './features.ts'
import { type Fingerprint, isSameSubject, templateShare } from './near-duplicates.ts'
import { type OpenCluster, rangeDistance } from './open-cluster.ts'
import { differsInMonth, differsInQuarter, type Periods } from './periods.ts'

/** An entry or a small cluster, to compare with clusters. */
export interface Candidate {
  /** Its terms and their weights: those of a cluster are the means over its entries. */
  terms: Int32Array
  weights: Float32Array
  hasTerm: (term: number) => boolean
  titleNames: ReadonlyMap<number, number>
  periods: Periods
  fingerprints: readonly Fingerprint[]
  firstAt: number
  lastAt: number
  /** A unit vector; null if the model does not support the language. */
  vector: Float32Array | null
  /** The dot product of the vector and the centroid. */
  common: number
}

/** What clusters are compared against: all recent entries. */
export interface Background {
  frequencies: DocumentFrequencies
  centroid: Centroid
}

/**
 * Weights of the evidence, in natural logarithms of odds. Tuned on server/quality/clusters without held-out.ts, and on
 * two thirds of the recorded headlines that quality/clusters/stories.ts reads.
 */
export const LIMITS = {
  /** The part of a headline's words that is about the event; the others could be in any headline. */
  aboutEvent: 0.5,
  /** The odds that an entry belongs to none of the known clusters rather than to one with a single entry. */
  newCluster: 5,
  /** A cluster with ten times the entries is this much times 2.3 likelier to get the next one. */
  size: 1,
  /** A term that the cluster does not have. */
  newTerm: 0.7,
  /** The strongest term counts less by this share in a cluster of one entry: a company's name alone makes no cluster. */
  firstTermDiscount: 0.3,
  /** Entries that a cluster is assumed to have besides those it has. */
  unseenEntries: 0.5,
  /** The vector cosine that speaks neither for nor against, and the weight of the difference from it. */
  neutralCosine: 0.4,
  cosine: 8,
  /** Minimum vector cosine between languages, which share no terms. */
  acrossLanguages: 0.5,
  // Evidence against:
  otherNames: 4,
  noSharedName: 5,
  otherQuarter: 8,
  /** Smaller than for a quarter: one headline may name the month of a decision, another the month it takes effect. */
  otherMonth: 3,
  /** Headlines that differ in their subject only. */
  otherSubject: 12,
  /** Per day between the entry and the cluster. */
  perDay: 3.5,
  perDayAcrossLanguages: 0.04,
}

export function entryCandidate(
  features: EntryFeatures,
  publishedAt: number,
  vector: Float32Array | null,
  { centroid }: Background,
): Candidate {
  return {
    terms: features.terms,
    weights: features.weights,
    hasTerm: (term) => features.allTerms.has(term),
    titleNames: new Map(Array.from(features.titleNames, (name) => [name, 1])),
    periods: features.periods,
    fingerprints: [features.fingerprint],
    firstAt: publishedAt,
    lastAt: publishedAt,
    vector,
    common: vector === null ? 0 : centroid.dot(vector),
  }
}

export function clusterCandidate(cluster: OpenCluster, { centroid }: Background): Candidate {
  const { keys, terms, vectors, titleNames, periods, fingerprints, firstAt, lastAt } = cluster
  const vector = vectors === null ? null : unitOrNull(vectors.sum)
  return {
    terms: Int32Array.from(terms.keys()),
    weights: Float32Array.from(terms.values(), ({ weight }) => weight / keys.length),
    hasTerm: (term) => terms.has(term),
    titleNames,
    periods,
    fingerprints,
    firstAt,
    lastAt,
    vector,
    common: vector === null ? 0 : centroid.dot(vector),
  }
}

/**
 * Returns the logarithm of the odds that a candidate belongs to a cluster and not to a new one, as a naive Bayes
 * classifier computes it: each shared term counts by how much more common it is in the cluster than outside, and the
 * size of the cluster is the prior.
 */
export function similarityMargin(cluster: OpenCluster, candidate: Candidate, background: Background): number {
  const cosine = vectorCosine(cluster, candidate, background)
  return (
    termEvidence(cluster, candidate, background.frequencies) +
    LIMITS.size * Math.log(cluster.keys.length) -
    LIMITS.newCluster +
    (cosine === null ? 0 : LIMITS.cosine * (cosine - LIMITS.neutralCosine)) -
    penaltyOf(cluster, candidate)
  )
}

/** Returns the margin for a cluster in another language; null without vectors. */
export function crossLanguageMargin(cluster: OpenCluster, candidate: Candidate, background: Background): number | null {
  const cosine = vectorCosine(cluster, candidate, background)
  if (cosine === null) return null
  return cosine - LIMITS.acrossLanguages - (LIMITS.perDayAcrossLanguages * rangeDistance(cluster, candidate)) / DAY
}

function vectorCosine(
  { vectors }: OpenCluster,
  { vector, common }: Candidate,
  { centroid }: Background,
): number | null {
  return vector === null || vectors === null ? null : centroid.cosine(vector, common, vectors)
}

function termEvidence(cluster: OpenCluster, candidate: Candidate, frequencies: DocumentFrequencies): number {
  const size = cluster.keys.length
  let sum = 0
  let largest = 0
  for (let index = 0; index < candidate.terms.length; index++) {
    const term = candidate.terms[index] ?? 0
    const weight = candidate.weights[index] ?? 0
    const known = cluster.terms.get(term)
    if (known === undefined) {
      sum -= weight * LIMITS.newTerm
      continue
    }
    const share = known.entries / (size + LIMITS.unseenEntries)
    const ratio = share / frequencies.shareOutside(term, known.entries, size)
    const evidence = weight * Math.log(LIMITS.aboutEvent * ratio + 1 - LIMITS.aboutEvent)
    sum += evidence
    if (evidence > largest) largest = evidence
  }
  return sum - (LIMITS.firstTermDiscount * largest) / Math.sqrt(size)
}

function penaltyOf(cluster: OpenCluster, candidate: Candidate): number {
  const overlap = nameOverlap(cluster, candidate)
  return (
    (LIMITS.perDay * rangeDistance(cluster, candidate)) / DAY +
    LIMITS.otherNames * (1 - overlap) +
    (overlap === 0 ? LIMITS.noSharedName : 0) +
    LIMITS.otherSubject * maxTemplateShare(cluster.fingerprints, candidate.fingerprints) +
    (differsInQuarter(cluster.periods, candidate.periods) ? LIMITS.otherQuarter : 0) +
    (differsInMonth(cluster.periods, candidate.periods) ? LIMITS.otherMonth : 0)
  )
}

/**
 * Returns the share of one side's title names that the other side mentions, the higher of both directions. "Apple beats
 * estimates" and "Intel beats estimates" differ in this alone. 1 if one side has no names.
 */
function nameOverlap(cluster: OpenCluster, { titleNames, hasTerm }: Candidate): number {
  if (cluster.titleNames.size === 0 || titleNames.size === 0) return 1
  return Math.max(
    shareOf(titleNames, (name) => cluster.terms.has(name)),
    shareOf(cluster.titleNames, hasTerm),
  )
}

/** Returns how much the headlines follow one template with different subjects; 0 if two have the same subject. */
function maxTemplateShare(ofCluster: readonly Fingerprint[], ofCandidate: readonly Fingerprint[]): number {
  let most = 0
  for (const known of ofCluster) {
    for (const fingerprint of ofCandidate) {
      if (isSameSubject(known, fingerprint)) return 0
      most = Math.max(most, templateShare(known, fingerprint))
    }
  }
  return most
}

function shareOf(names: ReadonlyMap<number, number>, isFound: (name: number) => boolean): number {
  let all = 0
  let found = 0
  for (const [name, count] of names) {
    all += count
    if (isFound(name)) found += count
  }
  return all === 0 ? 1 : found / all
}
