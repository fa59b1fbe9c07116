/** The similarity of headlines about different things, which is no evidence. */
const UNRELATED = 0.4
/** The weight of the similarity. It is that of the headline, so it says less about a long text. */
const MEANING_OF_HEADLINE = 0.58
const MEANING_OF_LONG_TEXT = 0.2
const LONG_TEXT = 600

/** How well an entry matches a query. */
export interface MatchScores {
  /** Cosine similarity of entry and query; null if the entry has no vector. */
  similarity: number | null
  /** Lexical score: 1 for a title with all words of the query. */
  lexical: number
  /** Length of the text without the title, in characters. */
  textLength: number
}

/** Returns the weighted mean of the semantic and the lexical score, both of which are absolute (docs/decisions/050). */
export function fusedScore({ similarity, lexical, textLength }: MatchScores): number {
  if (similarity === null) return lexical
  const long = Math.min(1, textLength / LONG_TEXT)
  const meaning = MEANING_OF_HEADLINE + long * (MEANING_OF_LONG_TEXT - MEANING_OF_HEADLINE)
  return (meaning * Math.max(0, similarity - UNRELATED)) / (1 - UNRELATED) + (1 - meaning) * lexical
}
