import { setImmediate } from 'node:timers/promises'
import type { EntryWords } from '../store/entries/entry-candidates.ts'
import { joinedWords } from '../store/lists/search.ts'
import type { Store } from '../store/store.ts'
import type { QueryTerm } from './query-terms.ts'

/** A term with what it is worth: much when few entries have it. */
export interface WeighedTerm extends QueryTerm {
  weight: number
}

const HITS_PER_TERM = 1_000

/** Finds the entries that share the most telling words with a question, best first; `isKnown` when any has one. */
export async function lexicalCandidates(
  store: Store,
  terms: readonly QueryTerm[],
  headSeq: number,
  limit: number,
): Promise<{ seqs: number[]; weighed: WeighedTerm[]; isKnown: boolean }> {
  // One after the other: the embedded store would answer all in one go, and hold up everybody else meanwhile.
  const hits: number[][] = []
  for (const { forms } of terms) {
    hits.push(await store.entries.hits(forms, headSeq, HITS_PER_TERM))
    await setImmediate()
  }
  const weighed = terms.map((term, place) => ({ ...term, weight: weightOf(hits[place] ?? [], headSeq) }))
  const scores = new Map<number, number>()
  for (const [place, seqs] of hits.entries()) {
    const weight = weighed[place]?.weight ?? 0
    for (const seq of seqs) scores.set(seq, (scores.get(seq) ?? 0) + weight)
  }
  const best = [...scores].sort(([oneSeq, one], [otherSeq, other]) => other - one || otherSeq - oneSeq)
  return { seqs: best.slice(0, limit).map(([seq]) => seq), weighed, isKnown: best.length > 0 }
}

/** The inverse document frequency. Of a term with too many hits to list, the newest tell how often it comes up. */
function weightOf(seqs: readonly number[], headSeq: number): number {
  const reach = seqs.length < HITS_PER_TERM ? headSeq : headSeq - (seqs.at(-1) ?? 0) + 1
  const frequency = (seqs.length / reach) * headSeq
  return Math.log(1 + (headSeq - frequency + 0.5) / (frequency + 0.5))
}

/** How soon a repeated word stops to count, and how much a long text is held against itself: for short texts, little. */
const SATURATION = 0.9
const LENGTH_SHARE = 0.4
/** A word of the title says more than one of the text below it. */
const TITLE_WEIGHT = 3

export interface LexicalScore {
  /** BM25 as a share of what a title with all terms would reach. */
  score: number
  /** The share of the weight of the terms that the text has at all. */
  coverage: number
}

/** Scores texts against the terms of a question; they can be added in portions. */
export class LexicalScores {
  readonly #terms: readonly WeighedTerm[]
  readonly #places: ReadonlyMap<string, number>
  readonly #counted: { seq: number; counts: Float64Array; length: number }[] = []

  constructor(terms: readonly WeighedTerm[]) {
    this.#terms = terms
    this.#places = new Map(terms.flatMap(({ forms }, place) => forms.map((form) => [form, place] as const)))
  }

  add(texts: readonly EntryWords[]): void {
    for (const { seq, title, lead } of texts) {
      this.#counted.push({ seq, ...countTerms(title, lead, this.#places, this.#terms.length) })
    }
  }

  /** By the seq of the entry. */
  scores(): Map<number, LexicalScore> {
    const whole = this.#terms.reduce((sum, { weight }) => sum + weight, 0)
    const best = whole * saturated(TITLE_WEIGHT, SATURATION)
    const average = this.#counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, this.#counted.length)
    return new Map(
      this.#counted.map(({ seq, counts, length }) => {
        const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / Math.max(1, average))
        let score = 0
        let covered = 0
        for (const [place, { weight }] of this.#terms.entries()) {
          const count = counts[place] ?? 0
          if (count === 0) continue
          score += weight * saturated(count, norm)
          covered += weight
        }
        const isEmpty = whole === 0
        return [seq, { score: isEmpty ? 0 : Math.min(1, score / best), coverage: isEmpty ? 0 : covered / whole }]
      }),
    )
  }
}

const saturated = (count: number, norm: number) => (count * (SATURATION + 1)) / (count + norm)

function countTerms(title: string, lead: string, places: ReadonlyMap<string, number>, terms: number) {
  const counts = new Float64Array(terms)
  let length = 0
  const fields: [string, number][] = [
    [title, TITLE_WEIGHT],
    [lead, 1],
  ]
  for (const [text, weight] of fields) {
    for (const word of joinedWords(text).split(' ')) {
      length += weight
      const place = places.get(word)
      if (place !== undefined) counts[place] = (counts[place] ?? 0) + weight
    }
  }
  return { counts, length }
}
