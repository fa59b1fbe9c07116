import { type DocumentFrequencies, hashTerm } from './document-frequencies.ts'
import { type Fingerprint, fingerprintOf } from './near-duplicates.ts'
import { type Periods, periodsOf } from './periods.ts'
import { isRoutineTitle } from './routine-titles.ts'
import { clusterTokens } from './tokens.ts'

/** The features of one entry that clustering compares. */
export interface EntryFeatures {
  /** The terms with the highest weights, in ascending order. */
  terms: Int32Array
  /** Their TF-IDF weights, as a vector of length 1. */
  weights: Float32Array
  /** Names in the title, with their inverse document frequency. */
  titleNames: ReadonlyMap<number, number>
  /** Every term of the entry. */
  allTerms: ReadonlySet<number>
  periods: Periods
  isRoutine: boolean
  fingerprint: Fingerprint
}

const TITLE_WEIGHT = 3
/** The first paragraphs say what happened; later ones give background that other clusters share. */
const READ_LENGTH = 2500
const MAX_TERMS = 100

export function extractFeatures(
  { title, content, language }: { title: string; content: string; language: string },
  frequencies: DocumentFrequencies,
): EntryFeatures {
  const counts = new Map<number, number>()
  const titleNames = new Map<number, number>()
  const titleTerms: number[] = []
  for (const { stem, isName } of clusterTokens(title.slice(0, READ_LENGTH), language)) {
    const term = hashTerm(stem)
    titleTerms.push(term)
    counts.set(term, (counts.get(term) ?? 0) + TITLE_WEIGHT)
    if (isName) titleNames.set(term, frequencies.idf(term))
  }
  const contentTerms: number[] = []
  for (const { stem } of clusterTokens(content.slice(0, READ_LENGTH), language)) {
    const term = hashTerm(stem)
    contentTerms.push(term)
    counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return {
    ...tfIdf(counts, frequencies),
    titleNames,
    allTerms: new Set(counts.keys()),
    periods: periodsOf(title),
    isRoutine: isRoutineTitle(title),
    fingerprint: fingerprintOf(title, titleTerms, titleNames.keys(), contentTerms),
  }
}

function tfIdf(counts: ReadonlyMap<number, number>, frequencies: DocumentFrequencies) {
  const weighted: { term: number; weight: number }[] = []
  for (const [term, count] of counts) {
    weighted.push({ term, weight: (1 + Math.log(count)) * frequencies.idf(term) })
  }
  if (weighted.length > MAX_TERMS) {
    weighted.sort((a, b) => b.weight - a.weight || a.term - b.term)
    weighted.length = MAX_TERMS
  }
  weighted.sort((a, b) => a.term - b.term)
  const length = Math.sqrt(weighted.reduce((sum, { weight }) => sum + weight * weight, 0)) || 1
  return {
    terms: Int32Array.from(weighted, ({ term }) => term),
    weights: Float32Array.from(weighted, ({ weight }) => weight / length),
  }
}
