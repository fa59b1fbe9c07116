import { fewAtOnce } from '../few-at-once.ts'
import type { EntryWords } from '../store/entries/entry-candidates.ts'
import { joinedWords } from '../store/lists/search.ts'
import type { Store } from '../store/store.ts'
import type { QueryTerm } from './query-terms.ts'

/** A term with its weight and that of its related words, which are high if few entries contain them. */
interface WeightedTerm extends QueryTerm {
  weight: number
  relatedWeight: number
}

/** The weight of related words, as a share of that of the term, … */
const RELATED_SHARE = 0.7
/** … in a question of up to so many terms. A long question itself says in several words what it means. */
const SHORT_QUESTION = 5

export const HITS_PER_TERM = 1_000

/**
 * Finds the entries that share the rarest words with a query, best first. `isKnown` says whether any entry has any of
 * the words or a related one.
 */
export async function lexicalCandidates(
  store: Store,
  terms: readonly QueryTerm[],
  headSeq: number,
  limit: number,
): Promise<{ seqs: number[]; weighted: WeightedTerm[]; isKnown: boolean }> {
  const share = RELATED_SHARE * Math.min(1, SHORT_QUESTION / terms.length)
  const weighted: WeightedTerm[] = []
  const scores = new Map<number, number>()
  const add = (seqs: readonly number[], weight: number) => {
    for (const seq of seqs) scores.set(seq, (scores.get(seq) ?? 0) + weight)
  }
  const hitsOf = (words: readonly string[]) =>
    words.length === 0 ? [] : store.entries.hits(words, headSeq, HITS_PER_TERM)
  const found = await fewAtOnce(terms, async (term) => ({
    term,
    hits: await hitsOf(term.forms),
    relatedHits: await hitsOf(term.related),
  }))
  for (const { term, hits, relatedHits } of found) {
    const weight = weightOf(hits, headSeq)
    const relatedWeight = share * Math.min(weight, weightOf(relatedHits, headSeq))
    weighted.push({ ...term, weight, relatedWeight })
    add(hits, weight)
    const own = new Set(hits)
    add(
      relatedHits.filter((seq) => !own.has(seq)),
      relatedWeight,
    )
  }
  return { seqs: bestOf(scores, limit), weighted, isKnown: scores.size > 0 }
}

/** Returns the keys with the highest scores, best first, newest first among equal ones. */
function bestOf(scores: ReadonlyMap<number, number>, limit: number): number[] {
  // Sorting numbers takes a fraction of the time that sorting pairs takes: only the best are sorted as pairs.
  const least = Float64Array.from(scores.values()).sort().at(-limit) ?? 0
  return [...scores]
    .filter(([, score]) => score >= least)
    .sort(([oneSeq, one], [otherSeq, other]) => other - one || otherSeq - oneSeq)
    .slice(0, limit)
    .map(([seq]) => seq)
}

/** Returns the inverse document frequency, extrapolated from the newest hits if there are too many to list. */
export function weightOf(seqs: readonly number[], headSeq: number): number {
  const reach = seqs.length < HITS_PER_TERM ? headSeq : headSeq - (seqs.at(-1) ?? 0) + 1
  const frequency = (seqs.length / reach) * headSeq
  return Math.log(1 + (headSeq - frequency + 0.5) / (frequency + 0.5))
}

/** The parameter k1 of BM25: how much a word counts that is repeated. */
const SATURATION = 2
/**
 * Weights of the fields, and the parameter b of BM25: how much the words of a long field count less. Titles are about equally
 * long. A field is compared with the same field of other entries, so that articles and bare headlines can be ranked together.
 */
const FIELDS = { title: { weight: 2, lengthShare: 0.4 }, text: { weight: 1, lengthShare: 0.75 } } as const

type Field = keyof typeof FIELDS
const FIELD_NAMES = Object.keys(FIELDS) as Field[]

interface LexicalScore {
  /** BM25F relative to a title with all terms; more than 1 for a text that repeats them. */
  score: number
  /** Share of the total term weight that the entry contains. */
  coverage: number
  /** The same without related words. */
  ownCoverage: number
}

/** The terms and words in a field. */
interface FieldCounts {
  counts: Float64Array
  /** How often the field has words related to each term. */
  related: Float64Array
  length: number
}

/** The place of the term with this word, and the places of the terms to which it is related. */
interface WordPlaces {
  term: number | undefined
  related: number[]
}

/** Scores entries against the terms of a query; entries can be added in portions. */
export class LexicalScores {
  readonly #terms: readonly WeightedTerm[]
  readonly #places = new Map<string, WordPlaces>()
  readonly #counted: { seq: number; fields: Record<Field, FieldCounts> }[] = []

  constructor(terms: readonly WeightedTerm[]) {
    this.#terms = terms
    for (const [place, { forms, related }] of terms.entries()) {
      for (const word of forms) this.#places.set(word, { term: place, related: [] })
      for (const word of related) {
        const known = this.#places.get(word)
        if (known === undefined) this.#places.set(word, { term: undefined, related: [place] })
        else known.related.push(place)
      }
    }
  }

  add(entries: readonly EntryWords[]): void {
    for (const { seq, title, text } of entries) {
      this.#counted.push({ seq, fields: { title: this.#count(title), text: this.#count(text) } })
    }
  }

  /** Returns scores by entry seq. */
  scores(): Map<number, LexicalScore> {
    const whole = this.#terms.reduce((sum, { weight }) => sum + weight, 0)
    const best = whole * saturated(FIELDS.title.weight)
    const averages = { title: this.#averageLength('title'), text: this.#averageLength('text') }
    return new Map(
      this.#counted.map(({ seq, fields }) => {
        const weights = FIELD_NAMES.map((field) => weightOfWord(field, fields[field].length, averages[field]))
        let score = 0
        let covered = 0
        let ownCovered = 0
        const countOf = (kind: 'counts' | 'related', place: number) =>
          FIELD_NAMES.reduce((sum, field, index) => sum + (fields[field][kind][place] ?? 0) * (weights[index] ?? 0), 0)
        for (const [place, { weight, relatedWeight }] of this.#terms.entries()) {
          const count = countOf('counts', place)
          const relatedCount = countOf('related', place)
          score += Math.max(weight * saturated(count), relatedWeight * saturated(relatedCount))
          covered += count > 0 ? weight : relatedCount > 0 ? relatedWeight : 0
          ownCovered += count > 0 ? weight : 0
        }
        if (whole === 0) return [seq, { score: 0, coverage: 0, ownCoverage: 0 }]
        return [seq, { score: score / best, coverage: covered / whole, ownCoverage: ownCovered / whole }]
      }),
    )
  }

  #averageLength(field: Field): number {
    const lengths = this.#counted.map(({ fields }) => fields[field].length).filter((length) => length > 0)
    return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  }

  #count(text: string): FieldCounts {
    const counts = new Float64Array(this.#terms.length)
    const related = new Float64Array(this.#terms.length)
    if (text === '') return { counts, related, length: 0 }
    const words = joinedWords(text).split(' ')
    for (const word of words) {
      const places = this.#places.get(word)
      if (places === undefined) continue
      if (places.term !== undefined) counts[places.term] = (counts[places.term] ?? 0) + 1
      for (const place of places.related) related[place] = (related[place] ?? 0) + 1
    }
    return { counts, related, length: words.length }
  }
}

const saturated = (count: number) => (count * (SATURATION + 1)) / (count + SATURATION)

function weightOfWord(field: Field, length: number, average: number): number {
  const { weight, lengthShare } = FIELDS[field]
  return weight / (1 - lengthShare + (lengthShare * length) / Math.max(1, average))
}
