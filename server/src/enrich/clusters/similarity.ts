import { DAY } from '../../model/time.ts'
import type { Centroid } from './centroid.ts'
import type { EntryFeatures } from './features.ts'
import { type Fingerprint, templateShare } from './near-duplicates.ts'
import { hasTerm, type OpenCluster, timeDistance } from './open-cluster.ts'
import { differsInMonth, differsInQuarter } from './periods.ts'

/** An entry to compare with clusters. */
export interface Comparison {
  features: EntryFeatures
  publishedAt: number
  /** A unit vector; null if the model does not support the language. */
  vector: Float32Array | null
  /** The dot product of the vector and the centroid. */
  common: number
  centroid: Centroid
  /** The entry's weights by term, 0 for all other terms. */
  weights: Float32Array
}

/**
 * Thresholds and penalties, tuned on the headlines of server/quality/clusters without held-out.ts; those for long texts
 * on a few dozen articles.
 */
const LIMITS = {
  /** Minimum mean of the vector cosine and the term cosine. Long texts vary more in their words than headlines. */
  mean: 0.29,
  meanOfLong: 0.24,
  /** Minimum term cosine where there is no vector. */
  termsAlone: 0.13,
  termsAloneOfLong: 0.12,
  /** Minimum vector cosine between languages, which share no terms. */
  acrossLanguages: 0.5,
  /** The heaviest shared term loses this share of its weight: a company's name alone makes no cluster. */
  firstTermDiscount: 0.5,
  // Penalties, which raise the minimum:
  otherNames: 0.2,
  noSharedName: 0.15,
  otherQuarter: 0.5,
  /** Smaller than for a quarter: one headline may name the month of a decision, another the month it takes effect. */
  otherMonth: 0.2,
  /** Headlines that differ in their subject only. */
  otherSubject: 0.5,
  /** Per day between the entry and the cluster. */
  perDay: 0.04,
  /** The same for a headline without names, which would fit any day. */
  perDayWithoutNames: 0.1,
  /** Per day from the cluster's mean time, so that a cluster ends even if similar entries arrive every day. */
  perDayOfAge: 0.01,
  maxForAge: 0.1,
}

/** Returns how far an entry exceeds the similarity that a cluster requires; negative if it does not belong there. */
export function similarityMargin(cluster: OpenCluster, entry: Comparison): number {
  const terms = termCosine(cluster, entry.weights)
  const penalty = penaltyOf(cluster, entry)
  const vectors = vectorCosine(cluster, entry)
  const { length } = entry.features.terms
  if (vectors === null) return terms - between(LIMITS.termsAlone, LIMITS.termsAloneOfLong, length) - penalty
  return (vectors + terms) / 2 - between(LIMITS.mean, LIMITS.meanOfLong, length) - penalty
}

const HEADLINE_TERMS = 20
const LONG_TERMS = 60

/** Interpolates between the limit of headlines and that of long texts. */
function between(ofHeadline: number, ofLong: number, terms: number): number {
  const part = Math.min(Math.max((terms - HEADLINE_TERMS) / (LONG_TERMS - HEADLINE_TERMS), 0), 1)
  return ofHeadline + part * (ofLong - ofHeadline)
}

/** Returns the margin for a cluster in another language; null without vectors. */
export function crossLanguageMargin(cluster: OpenCluster, entry: Comparison): number | null {
  const vectors = vectorCosine(cluster, entry)
  if (vectors === null) return null
  return vectors - LIMITS.acrossLanguages - timePenalty(cluster, entry)
}

function vectorCosine({ vectors }: OpenCluster, { vector, common, centroid }: Comparison): number | null {
  return vector === null || vectors === null ? null : centroid.cosine(vector, common, vectors)
}

/**
 * Compares the entry with the whole cluster and not with its nearest entry, which would let chains grow. The length
 * used is the geometric mean of the entries' length and that of their mean: the first alone (average linkage) would
 * close clusters whose entries vary in wording, the second alone would let them accept more and more.
 */
function termCosine({ terms, weights, keys }: OpenCluster, entryWeights: Float32Array): number {
  let sum = 0
  let largest = 0
  let squares = 0
  for (let index = 0; index < terms.length; index++) {
    const product = (weights[index] ?? 0) * (entryWeights[terms[index] ?? 0] ?? 0)
    sum += product
    squares += (weights[index] ?? 0) ** 2
    if (product > largest) largest = product
  }
  const mean = (sum - LIMITS.firstTermDiscount * largest) / keys.length
  const length = Math.sqrt(squares) / keys.length
  return length === 0 ? 0 : mean / Math.sqrt(length)
}

function penaltyOf(cluster: OpenCluster, entry: Comparison): number {
  const overlap = nameOverlap(cluster, entry.features)
  return (
    timePenalty(cluster, entry) +
    LIMITS.otherNames * (1 - overlap) +
    (overlap === 0 ? LIMITS.noSharedName : 0) +
    LIMITS.otherSubject * minTemplateShare(cluster, entry.features.fingerprint) +
    (differsInQuarter(cluster.periods, entry.features.periods) ? LIMITS.otherQuarter : 0) +
    (differsInMonth(cluster.periods, entry.features.periods) ? LIMITS.otherMonth : 0)
  )
}

function timePenalty(cluster: OpenCluster, { publishedAt, features }: Comparison): number {
  const perDay = features.titleNames.size === 0 ? LIMITS.perDayWithoutNames : LIMITS.perDay
  const age = Math.abs(publishedAt - cluster.timeSum / cluster.keys.length) / DAY
  return (perDay * timeDistance(cluster, publishedAt)) / DAY + Math.min(LIMITS.perDayOfAge * age, LIMITS.maxForAge)
}

/**
 * Returns the share of one side's title names that the other side mentions, the higher of both directions. "Apple beats
 * estimates" and "Intel beats estimates" differ in this alone. 1 if one side has no names.
 */
function nameOverlap(cluster: OpenCluster, { titleNames, allTerms }: EntryFeatures): number {
  if (cluster.titleNames.size === 0 || titleNames.size === 0) return 1
  return Math.max(
    shareOf(titleNames, (name) => hasTerm(cluster, name)),
    shareOf(cluster.titleNames, (name) => allTerms.has(name)),
  )
}

/** One headline about the same subject is enough to avoid the penalty. */
function minTemplateShare({ fingerprints }: OpenCluster, fingerprint: Fingerprint): number {
  const shares = fingerprints
    .filter(({ subject }) => subject !== null)
    .map((known) => templateShare(known, fingerprint))
  return shares.length === 0 ? 0 : Math.min(...shares)
}

function shareOf(names: ReadonlyMap<number, number>, isFound: (name: number) => boolean): number {
  let all = 0
  let found = 0
  for (const [name, weight] of names) {
    all += weight
    if (isFound(name)) found += weight
  }
  return all === 0 ? 1 : found / all
}
