import { DAY } from '../../model/time.ts'
import type { Centroid } from './centroid.ts'
import type { EntryFeatures } from './features.ts'
import { type Fingerprint, templateShare } from './near-duplicates.ts'
import { hasTerm, type OpenCluster, timeDistance } from './open-cluster.ts'
import { differsInMonth, differsInQuarter } from './routine-titles.ts'

/** An entry on its way to a story. */
export interface Comparison {
  reading: EntryFeatures
  publishedAt: number
  /** Unit length; null when the model does not know the language. */
  vector: Float32Array | null
  /** Of the vector and the centre. */
  common: number
  centre: Centroid
  /** Weights of the entry by term, 0 for all others. */
  weights: Float32Array
}

/** Chosen on headlines (server/quality/clusters; later.ts had no part in it); those of long texts on a few dozen articles. */
export const LIMITS = {
  /** Of the mean of both cosines, that of vectors and that of terms: of headlines, and of long texts, which use other words. */
  mean: 0.29,
  meanOfLong: 0.24,
  /** Of the cosine of terms, where there is no vector. */
  termsAlone: 0.13,
  termsAloneOfLong: 0.12,
  /** Of the cosine of vectors, between languages: they share no terms. */
  acrossLanguages: 0.5,
  /** The most telling term counts so much less: the name of a company alone makes no story. */
  firstTermDiscount: 0.5,
  // What the limit is raised by:
  otherNames: 0.2,
  noSharedName: 0.15,
  otherQuarter: 0.5,
  /** Less sure: one tells when it was decided, another when it begins. */
  otherMonth: 0.2,
  /** For a headline that differs in nothing but its subject. */
  otherSubject: 0.5,
  /** For each day between the entry and the story. */
  perDay: 0.04,
  /** The same for a headline without names, which would fit on any day. */
  perDayWithoutNames: 0.1,
  /** For each day from the middle of the story, so that it ends some day even if something like it comes every day. */
  perDayOfAge: 0.01,
  mostForAge: 0.1,
}

/** By how much an entry exceeds what a story asks for; below 0 it does not belong there. */
export function similarityMargin(story: OpenCluster, entry: Comparison): number {
  const terms = termCosine(story, entry.weights)
  const hindrance = penaltyOf(story, entry)
  const vectors = vectorCosine(story, entry)
  const { length } = entry.reading.terms
  if (vectors === null) return terms - between(LIMITS.termsAlone, LIMITS.termsAloneOfLong, length) - hindrance
  return (vectors + terms) / 2 - between(LIMITS.mean, LIMITS.meanOfLong, length) - hindrance
}

const HEADLINE_TERMS = 20
const LONG_TERMS = 60

/** The limit for a text of so many terms. */
function between(ofHeadline: number, ofLong: number, terms: number): number {
  const part = Math.min(Math.max((terms - HEADLINE_TERMS) / (LONG_TERMS - HEADLINE_TERMS), 0), 1)
  return ofHeadline + part * (ofLong - ofHeadline)
}

/** The same for a story in another language; null when only terms could tell. */
export function crossLanguageMargin(story: OpenCluster, entry: Comparison): number | null {
  const vectors = vectorCosine(story, entry)
  if (vectors === null) return null
  return vectors - LIMITS.acrossLanguages - timePenalty(story, entry)
}

function vectorCosine({ vectors }: OpenCluster, { vector, common, centre }: Comparison): number | null {
  return vector === null || vectors === null ? null : centre.cosine(vector, common, vectors)
}

/**
 * With the whole story and not with one of its entries, so that no chain grows. The length lies halfway, as a geometric
 * mean, between that of the entries (average linkage, which keeps closing a story that is told in many ways) and that
 * of their mean (which opens it ever more).
 */
function termCosine({ terms, weights, keys }: OpenCluster, entryWeights: Float32Array): number {
  let sum = 0
  let most = 0
  let squares = 0
  for (let index = 0; index < terms.length; index++) {
    const product = (weights[index] ?? 0) * (entryWeights[terms[index] ?? 0] ?? 0)
    sum += product
    squares += (weights[index] ?? 0) ** 2
    if (product > most) most = product
  }
  const mean = (sum - LIMITS.firstTermDiscount * most) / keys.length
  const length = Math.sqrt(squares) / keys.length
  return length === 0 ? 0 : mean / Math.sqrt(length)
}

function penaltyOf(story: OpenCluster, entry: Comparison): number {
  const agreement = nameOverlap(story, entry.reading)
  return (
    timePenalty(story, entry) +
    LIMITS.otherNames * (1 - agreement) +
    (agreement === 0 ? LIMITS.noSharedName : 0) +
    LIMITS.otherSubject * leastTemplateShare(story, entry.reading.copyMarks) +
    (differsInQuarter(story.periods, entry.reading.periods) ? LIMITS.otherQuarter : 0) +
    (differsInMonth(story.periods, entry.reading.periods) ? LIMITS.otherMonth : 0)
  )
}

function timePenalty(story: OpenCluster, { publishedAt, reading }: Comparison): number {
  const perDay = reading.titleNames.size === 0 ? LIMITS.perDayWithoutNames : LIMITS.perDay
  const age = Math.abs(publishedAt - story.timeSum / story.keys.length) / DAY
  return (perDay * timeDistance(story, publishedAt)) / DAY + Math.min(LIMITS.perDayOfAge * age, LIMITS.mostForAge)
}

/**
 * The share of the names in the headline of one that the other mentions, the better of both directions: "Apple beats
 * estimates" and "Intel beats estimates" agree in all but this. 1 when one of them has no names.
 */
function nameOverlap(story: OpenCluster, { titleNames, allTerms: met }: EntryFeatures): number {
  if (story.titleNames.size === 0 || titleNames.size === 0) return 1
  return Math.max(
    shareOf(titleNames, (name) => hasTerm(story, name)),
    shareOf(story.titleNames, (name) => met.has(name)),
  )
}

/** One headline about the same subject is enough. */
function leastTemplateShare({ copyMarks }: OpenCluster, marks: Fingerprint): number {
  const shares = copyMarks.filter(({ subject }) => subject !== null).map((known) => templateShare(known, marks))
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
