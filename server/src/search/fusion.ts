/** An entry that may match a query. */
export interface SearchCandidate {
  seq: number
  publishedAt: number
  /** Cosine similarity of entry and query; null if the entry has no vector. */
  similarity: number | null
  /** Lexical score, 0 to 1. */
  lexical: number
  /** Length of the scored text without the title, in characters. */
  textLength: number
}

/**
 * Ways to combine the semantic and the lexical score: weighted mean, reciprocal rank fusion, or the sum of standard
 * scores. The best one depends on the texts (docs/decisions/011).
 */
export const FUSIONS = { blend: blendScores, rank: fuseRanks, deviation: fuseDeviations } as const

export type Fusion = keyof typeof FUSIONS

/** The weight of the similarity. It is that of the headline, so it says less about a long text. */
const BLENDED_MEANING = 0.7
const BLENDED_MEANING_OF_LONG = 0.4
const LONG_TEXT = 1_500

function blendScores(candidates: readonly SearchCandidate[]): number[] {
  return candidates.map(({ similarity, lexical, textLength }) => {
    if (similarity === null) return lexical
    const long = Math.min(1, textLength / LONG_TEXT)
    const meaning = BLENDED_MEANING + long * (BLENDED_MEANING_OF_LONG - BLENDED_MEANING)
    return meaning * similarity + (1 - meaning) * lexical
  })
}

const RANK_CONSTANT = 60

function fuseRanks(candidates: readonly SearchCandidate[]): number[] {
  const byMeaning = ranks(candidates.map(({ similarity }) => similarity ?? -1))
  const byWords = ranks(candidates.map(({ lexical }) => lexical))
  return candidates.map(({ similarity, lexical }, place) => {
    const meaning = similarity === null ? 0 : 1 / (RANK_CONSTANT + (byMeaning[place] ?? 0))
    const words = lexical === 0 ? 0 : 1 / (RANK_CONSTANT + (byWords[place] ?? 0))
    return meaning + words
  })
}

/** Returns the rank of each score, from 1; equal scores share a rank. */
function ranks(scores: readonly number[]): number[] {
  const sorted = scores.toSorted((one, other) => other - one)
  const places = new Map<number, number>()
  for (const [place, score] of sorted.entries()) if (!places.has(score)) places.set(score, place + 1)
  return scores.map((score) => places.get(score) ?? scores.length)
}

const MEANING_WEIGHT = 0.7

function fuseDeviations(candidates: readonly SearchCandidate[]): number[] {
  const meaning = standardised(candidates.map(({ similarity }) => similarity ?? 0))
  const words = standardised(candidates.map(({ lexical }) => lexical))
  return candidates.map((_, place) => (words[place] ?? 0) + MEANING_WEIGHT * (meaning[place] ?? 0))
}

function standardised(scores: readonly number[]): number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length)
  const spread = Math.sqrt(variance) || 1
  return scores.map((score) => (score - mean) / spread)
}
