import type { EntryWords } from '../store/entries/entry-candidates.ts'
import { joinedWords } from '../store/lists/search.ts'
import type { Store } from '../store/store.ts'
import type { QueryTerm } from './query-terms.ts'

/** A term with what it is worth: much when few entries have it. */
export interface WeighedTerm extends QueryTerm {
  weight: number
}

const HITS_PER_TERM = 1_000

/** Finds the entries that share the most telling words with a question, best first. */
export async function lexicalCandidates(
  store: Store,
  terms: readonly QueryTerm[],
  headSeq: number,
  limit: number,
): Promise<{ seqs: number[]; weighed: WeighedTerm[] }> {
  const hits = await Promise.all(terms.map(({ forms }) => store.entries.hits(forms, headSeq, HITS_PER_TERM)))
  const weighed = terms.map((term, place) => ({ ...term, weight: weightOf(hits[place] ?? [], headSeq) }))
  const scores = new Map<number, number>()
  for (const [place, seqs] of hits.entries()) {
    const weight = weighed[place]?.weight ?? 0
    for (const seq of seqs) scores.set(seq, (scores.get(seq) ?? 0) + weight)
  }
  const best = [...scores].sort(([oneSeq, one], [otherSeq, other]) => other - one || otherSeq - oneSeq)
  return { seqs: best.slice(0, limit).map(([seq]) => seq), weighed }
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

/**
 * BM25 over the forms of each term: how well each text answers the terms, as a share of what a title with all of them would reach, and what
 * share of their weight it has at all.
 */
export function lexicalScores(
  texts: readonly EntryWords[],
  terms: readonly WeighedTerm[],
): Map<number, { score: number; coverage: number }> {
  const places = new Map(terms.flatMap(({ forms }, place) => forms.map((form) => [form, place] as const)))
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  const best = whole * saturated(TITLE_WEIGHT, SATURATION)
  const counted = texts.map(({ seq, title, lead }) => ({ seq, ...countTerms(title, lead, places, terms.length) }))
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length)
  return new Map(
    counted.map(({ seq, counts, length }) => {
      const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / Math.max(1, average))
      let score = 0
      let covered = 0
      for (const [place, { weight }] of terms.entries()) {
        const count = counts[place] ?? 0
        if (count === 0) continue
        score += weight * saturated(count, norm)
        covered += weight
      }
      return [
        seq,
        whole === 0 ? { score: 0, coverage: 0 } : { score: Math.min(1, score / best), coverage: covered / whole },
      ]
    }),
  )
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
