import { setImmediate } from 'node:timers/promises'
import type { EntryWords } from '../store/entries/entry-candidates.ts'
import { joinedWords } from '../store/lists/search.ts'
import type { Store } from '../store/store.ts'
import type { QueryTerm } from './query-terms.ts'

/** A term with its weight, which is high if few entries contain it. */
interface WeightedTerm extends QueryTerm {
  weight: number
}

const HITS_PER_TERM = 1_000

/**
 * Finds the entries that share the rarest words with a query, best first. `isKnown` says whether any entry has any of
 * the words.
 */
export async function lexicalCandidates(
  store: Store,
  terms: readonly QueryTerm[],
  headSeq: number,
  limit: number,
): Promise<{ seqs: number[]; weighted: WeightedTerm[]; isKnown: boolean }> {
  // One by one: SQLite answers synchronously, and a batch of queries would block other requests.
  const hits: number[][] = []
  for (const { forms } of terms) {
    hits.push(await store.entries.hits(forms, headSeq, HITS_PER_TERM))
    await setImmediate()
  }
  const weighted = terms.map((term, place) => ({ ...term, weight: weightOf(hits[place] ?? [], headSeq) }))
  const scores = new Map<number, number>()
  for (const [place, seqs] of hits.entries()) {
    const weight = weighted[place]?.weight ?? 0
    for (const seq of seqs) scores.set(seq, (scores.get(seq) ?? 0) + weight)
  }
  const best = [...scores].sort(([oneSeq, one], [otherSeq, other]) => other - one || otherSeq - oneSeq)
  return { seqs: best.slice(0, limit).map(([seq]) => seq), weighted, isKnown: best.length > 0 }
}

/** Returns the inverse document frequency, extrapolated from the newest hits if there are too many to list. */
function weightOf(seqs: readonly number[], headSeq: number): number {
  const reach = seqs.length < HITS_PER_TERM ? headSeq : headSeq - (seqs.at(-1) ?? 0) + 1
  const frequency = (seqs.length / reach) * headSeq
  return Math.log(1 + (headSeq - frequency + 0.5) / (frequency + 0.5))
}

/** The parameters k1 and b of BM25: term saturation and length normalisation, which is low for short texts. */
const SATURATION = 0.9
const LENGTH_SHARE = 0.4
/** A word in the title counts as much as three in the lead and six in the rest of the text. */
const TITLE_WEIGHT = 3
const REST_WEIGHT = 0.5

interface LexicalScore {
  /** BM25 relative to a title with all terms, 0 to 1. */
  score: number
  /** Share of the total term weight that the text contains. */
  coverage: number
}

/** Scores texts against the terms of a query; texts can be added in portions. */
export class LexicalScores {
  readonly #terms: readonly WeightedTerm[]
  readonly #places: ReadonlyMap<string, number>
  readonly #counted: { seq: number; counts: Float64Array; length: number }[] = []

  constructor(terms: readonly WeightedTerm[]) {
    this.#terms = terms
    this.#places = new Map(terms.flatMap(({ forms }, place) => forms.map((form) => [form, place] as const)))
  }

  add(texts: readonly EntryWords[]): void {
    for (const { seq, title, lead, rest } of texts) {
      this.#counted.push({ seq, ...countTerms({ title, lead, rest }, this.#places, this.#terms.length) })
    }
  }

  /** Returns scores by entry seq. */
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

function countTerms(
  { title, lead, rest }: { title: string; lead: string; rest: string },
  places: ReadonlyMap<string, number>,
  terms: number,
) {
  const counts = new Float64Array(terms)
  let length = 0
  const fields: [string, number][] = [
    [title, TITLE_WEIGHT],
    [lead, 1],
    [rest, REST_WEIGHT],
  ]
  for (const [text, weight] of fields) {
    if (text === '') continue
    for (const word of joinedWords(text).split(' ')) {
      length += weight
      const place = places.get(word)
      if (place !== undefined) counts[place] = (counts[place] ?? 0) + weight
    }
  }
  return { counts, length }
}
