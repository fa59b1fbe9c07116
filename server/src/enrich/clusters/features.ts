import { type DocumentFrequencies, hashTerm } from './document-frequencies.ts'
import { type Fingerprint, fingerprintOf } from './near-duplicates.ts'
import { isRoutineTitle, type Periods, periodsOf } from './routine-titles.ts'
import { clusterTokens } from './tokens.ts'

/** What clustering reads of one entry. */
export interface EntryFeatures {
  /** Its terms that weigh most. */
  terms: Int32Array
  /** Of length 1 together. */
  weights: Float32Array
  /** Names in the title, with their rarity. */
  titleNames: ReadonlyMap<number, number>
  /** Every term that was met, names and others. */
  allTerms: ReadonlySet<number>
  periods: Periods
  isRoutine: boolean
  copyMarks: Fingerprint
}

const TITLE_WEIGHT = 3
/** What happened stands in the first paragraphs; later ones tell the background, which other stories share. */
const READ_LENGTH = 2500
const MOST_TERMS = 100

export function extractFeatures(
  { title, content, language }: { title: string; content: string; language: string },
  frequencies: DocumentFrequencies,
): EntryFeatures {
  const titleWords = clusterTokens(title.slice(0, READ_LENGTH), language)
  const contentWords = clusterTokens(content.slice(0, READ_LENGTH), language)
  const counts = new Map<number, number>()
  const titleNames = new Map<number, number>()
  const titleTerms: number[] = []
  for (const { stem, isName } of titleWords) {
    const term = hashTerm(stem)
    titleTerms.push(term)
    counts.set(term, (counts.get(term) ?? 0) + TITLE_WEIGHT)
    if (isName) titleNames.set(term, frequencies.idf(term))
  }
  const contentTerms: number[] = []
  for (const { stem } of contentWords) {
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
    copyMarks: fingerprintOf(title, titleTerms, titleNames.keys(), contentTerms),
  }
}

function tfIdf(counts: ReadonlyMap<number, number>, frequencies: DocumentFrequencies) {
  const weighed: { term: number; weight: number }[] = []
  for (const [term, count] of counts) {
    weighed.push({ term, weight: (1 + Math.log(count)) * frequencies.idf(term) })
  }
  if (weighed.length > MOST_TERMS) {
    weighed.sort((a, b) => b.weight - a.weight || a.term - b.term)
    weighed.length = MOST_TERMS
  }
  weighed.sort((a, b) => a.term - b.term)
  const length = Math.sqrt(weighed.reduce((sum, { weight }) => sum + weight * weight, 0)) || 1
  return {
    terms: Int32Array.from(weighed, ({ term }) => term),
    weights: Float32Array.from(weighed, ({ weight }) => weight / length),
  }
}
