import { type VectorSum, withVector } from './centroid.ts'
import type { EntryFeatures } from './features.ts'
import type { Fingerprint } from './near-duplicates.ts'
import type { Headline } from './representative-headline.ts'
import type { Periods } from './routine-titles.ts'

/** A story as far as it is needed to find what else belongs to it. */
export interface OpenCluster {
  number: number
  /** Its place in the indexes. */
  row: number
  language: string
  keys: number[]
  firstAt: number
  lastAt: number
  timeSum: number
  /** Sum of the terms of its entries, ascending by term. */
  terms: Int32Array
  weights: Float32Array
  /** Of the entries that have a vector. */
  vectors: VectorSum | null
  titleNames: Map<number, number>
  periods: Periods
  isRoutine: boolean
  /** Normalised, with their language. */
  titles: Set<string>
  /** Of the first and of the newest entries. */
  copyMarks: Fingerprint[]
  /** Those that may represent it, the one that does first. */
  headlines: Headline[]
}

export function createCluster(number: number, row: number, language: string): OpenCluster {
  return {
    number,
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
    copyMarks: [],
    headlines: [],
  }
}

const MOST_TERMS = 250
const MOST_NAMES = 60
const MOST_COPY_MARKS = 6

/** What an index has to learn: terms that a story did not have before, and those it gave up. */
export interface TermChange {
  gained: number[]
  lost: number[]
}

export function addToCluster(
  story: OpenCluster,
  entry: { key: number; publishedAt: number },
  reading: EntryFeatures,
  vector: Float32Array | null,
): TermChange {
  story.keys.push(entry.key)
  story.firstAt = Math.min(story.firstAt, entry.publishedAt)
  story.lastAt = Math.max(story.lastAt, entry.publishedAt)
  story.timeSum += entry.publishedAt
  story.periods = {
    quarters: story.periods.quarters | reading.periods.quarters,
    months: story.periods.months | reading.periods.months,
  }
  story.isRoutine &&= reading.isRoutine
  for (const [name, weight] of reading.titleNames) {
    const sum = story.titleNames.get(name)
    if (sum !== undefined || story.titleNames.size < MOST_NAMES) story.titleNames.set(name, (sum ?? 0) + weight)
  }
  if (story.copyMarks.length === MOST_COPY_MARKS) story.copyMarks.splice(1, 1)
  story.copyMarks.push(reading.copyMarks)
  if (vector !== null) story.vectors = withVector(story.vectors, vector)
  return addTerms(story, reading)
}

function addTerms(story: OpenCluster, { terms, weights }: EntryFeatures): TermChange {
  const sums = new Map<number, number>()
  for (const [index, term] of story.terms.entries()) sums.set(term, story.weights[index] ?? 0)
  const gained: number[] = []
  for (const [index, term] of terms.entries()) {
    if (!sums.has(term)) gained.push(term)
    sums.set(term, (sums.get(term) ?? 0) + (weights[index] ?? 0))
  }
  const lost = forgetLightest(sums)
  const kept = Int32Array.from(sums.keys()).sort()
  story.terms = kept
  story.weights = Float32Array.from(kept, (term) => sums.get(term) ?? 0)
  return { gained, lost }
}

function forgetLightest(sums: Map<number, number>): number[] {
  if (sums.size <= MOST_TERMS) return []
  const heaviestFirst = [...sums].sort(([termA, a], [termB, b]) => b - a || termA - termB)
  const lost = heaviestFirst.slice(MOST_TERMS).map(([term]) => term)
  for (const term of lost) sums.delete(term)
  return lost
}

/** Milliseconds between a time and the nearest end of the story; 0 within it. */
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
