import { type DocumentFrequencies, hashTerm } from './document-frequencies.ts'
import { type Fingerprint, fingerprintOf } from './near-duplicates.ts'
import { type Periods, periodsOf } from './periods.ts'
import { isRoutineTitle } from './routine-titles.ts'
import { clusterTokens } from './tokens.ts'

/** The features of one entry that clustering compares. */
export interface EntryFeatures {
  /** Its distinct terms: those of the title, and the rarest of the content. */
  terms: Int32Array
  /** The weight of each term as evidence: at most 1 in the title, less in the content. */
  weights: Float32Array
  /** Names in the title. */
  titleNames: ReadonlySet<number>
  /** Every term of the entry. */
  allTerms: ReadonlySet<number>
  periods: Periods
  isRoutine: boolean
  fingerprint: Fingerprint
}

/** The first paragraphs say what happened; later ones give background that other clusters share. */
export const READ_LENGTH = 2500
const MAX_TITLE_TERMS = 40
const MAX_CONTENT_TERMS = 60

export const CONTENT = {
  /** The weight of a term of a short content. */
  weight: 0.3,
  /** The terms of a long content weigh as much as this many of the title together. */
  maxWeight: 4,
  /** The weight of the other words of a name of several words. */
  furtherNameWord: 0.5,
}

interface ReadEntry {
  title: string
  content: string
  /** The content without what its publisher writes under other entries as well. */
  own: string
  language: string
  publisher: number | null
}

export function extractFeatures(
  { title, content, own, language, publisher }: ReadEntry,
  frequencies: DocumentFrequencies,
): EntryFeatures {
  const tokens = clusterTokens(title.slice(0, READ_LENGTH), language)
  const titleTerms = tokens.map(({ stem }) => hashTerm(stem))
  const titleNames = new Set(titleTerms.filter((_, index) => tokens[index]?.isName))
  const contentTerms = termsOf(content, language)
  const ownTerms = own.length === content.length ? contentTerms : termsOf(own, language)
  const allTerms = new Set([...titleTerms, ...ownTerms])
  return {
    ...weighted(titleTerms, titleNames, ownTerms, frequencies),
    titleNames,
    allTerms,
    periods: periodsOf(title),
    isRoutine: isRoutineTitle(title),
    fingerprint: fingerprintOf({ title, titleTerms, titleNames, contentTerms, publisher }),
  }
}

function termsOf(text: string, language: string): number[] {
  return clusterTokens(text, language).map(({ stem }) => hashTerm(stem))
}

function weighted(
  titleTerms: readonly number[],
  titleNames: ReadonlySet<number>,
  contentTerms: readonly number[],
  frequencies: DocumentFrequencies,
) {
  const weights = titleWeights(titleTerms.slice(0, MAX_TITLE_TERMS), titleNames, frequencies)
  let inContent = [...new Set(contentTerms)].filter((term) => !weights.has(term))
  if (inContent.length > MAX_CONTENT_TERMS) {
    const rarestFirst = inContent.map((term) => ({ term, idf: frequencies.idf(term) }))
    rarestFirst.sort((a, b) => b.idf - a.idf || a.term - b.term)
    inContent = rarestFirst.slice(0, MAX_CONTENT_TERMS).map(({ term }) => term)
  }
  const ofContent = Math.min(CONTENT.weight, CONTENT.maxWeight / inContent.length)
  for (const term of inContent) weights.set(term, ofContent)
  return { terms: Int32Array.from(weights.keys()), weights: Float32Array.from(weights.values()) }
}

/** A name of several words, such as "Oakfield Bancorp", is one piece of evidence: its rarest word has the full weight. */
function titleWeights(
  terms: readonly number[],
  names: ReadonlySet<number>,
  frequencies: DocumentFrequencies,
): Map<number, number> {
  const weights = new Map<number, number>()
  let rarest: number | undefined
  let length = 0
  for (const term of terms) {
    const isName = names.has(term)
    length = isName && length < MAX_NAME_WORDS ? length + 1 : Number(isName)
    if (length <= 1) rarest = undefined
    if (weights.has(term)) continue
    if (rarest === undefined) weights.set(term, 1)
    else if (frequencies.idf(term) > frequencies.idf(rarest)) {
      weights.set(rarest, CONTENT.furtherNameWord)
      weights.set(term, 1)
    } else weights.set(term, CONTENT.furtherNameWord)
    if (isName && weights.get(term) === 1) rarest = term
  }
  return weights
}

/** Headlines that capitalise every word would be one long name. */
const MAX_NAME_WORDS = 3
