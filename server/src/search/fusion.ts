/** What is known of an entry that may answer a question. */
export interface Candidate {
  seq: number
  publishedAt: number
  /** Cosine of the two vectors; null when the entry has none. */
  similarity: number | null
  lexical: number
}

/** Joins the two views of what fits best: by place in the two rankings, or by how far above the average each score is. */
export const FUSIONS = { rank: fuseRanks, score: fuseScores } as const

export type Fusion = keyof typeof FUSIONS

const RANK_CONSTANT = 60

function fuseRanks(candidates: readonly Candidate[]): number[] {
  const byMeaning = ranks(candidates.map(({ similarity }) => similarity ?? -1))
  const byWords = ranks(candidates.map(({ lexical }) => lexical))
  return candidates.map(({ similarity, lexical }, place) => {
    const meaning = similarity === null ? 0 : 1 / (RANK_CONSTANT + (byMeaning[place] ?? 0))
    const words = lexical === 0 ? 0 : 1 / (RANK_CONSTANT + (byWords[place] ?? 0))
    return meaning + words
  })
}

/** The place of each score among all, from 1; the same score has the same place. */
function ranks(scores: readonly number[]): number[] {
  const sorted = scores.toSorted((one, other) => other - one)
  const places = new Map<number, number>()
  for (const [place, score] of sorted.entries()) if (!places.has(score)) places.set(score, place + 1)
  return scores.map((score) => places.get(score) ?? scores.length)
}

const MEANING_WEIGHT = 0.7

function fuseScores(candidates: readonly Candidate[]): number[] {
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
