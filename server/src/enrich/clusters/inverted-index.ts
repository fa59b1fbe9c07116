import { TERM_COUNT } from './document-frequencies.ts'

export interface WeightedTerms {
  terms: Int32Array
  weights: Float32Array
}

/** An inverted index from terms to rows, to find the few rows that share an entry's rare terms. */
export class InvertedIndex {
  readonly #rowsByTerm: (number[] | undefined)[] = new Array(TERM_COUNT).fill(undefined)
  #scores = new Float32Array(1024)

  add(row: number, terms: Iterable<number>): void {
    for (const term of terms) {
      const rows = this.#rowsByTerm[term]
      if (rows === undefined) this.#rowsByTerm[term] = [row]
      else rows.push(row)
    }
  }

  remove(row: number, terms: Iterable<number>): void {
    for (const term of terms) {
      const rows = this.#rowsByTerm[term]
      const index = rows?.indexOf(row) ?? -1
      if (rows === undefined || index < 0) continue
      const last = rows.pop()
      if (last !== undefined && last !== row) rows[index] = last
      if (rows.length === 0) this.#rowsByTerm[term] = undefined
    }
  }

  /** Returns the rows with the largest weight of shared terms, best first. */
  nearest({ terms, weights }: WeightedTerms, count: number, rowCount: number): number[] {
    if (this.#scores.length < rowCount) this.#scores = new Float32Array(rowCount * 2)
    const scores = this.#scores
    const matched: number[] = []
    for (const { rows, weight } of this.#rarestPostings(terms, weights)) {
      for (const row of rows) {
        const score = scores[row] ?? 0
        if (score === 0) matched.push(row)
        scores[row] = score + weight
      }
    }
    const best = pickBest(matched, scores, count)
    for (const row of matched) scores[row] = 0
    return best
  }

  /** Returns the postings of the rarest terms, up to a limit: a term in very many rows does not tell them apart. */
  #rarestPostings(terms: Int32Array, weights: Float32Array): { rows: number[]; weight: number }[] {
    const found: { rows: number[]; weight: number }[] = []
    for (const [index, term] of terms.entries()) {
      const rows = this.#rowsByTerm[term]
      if (rows !== undefined) found.push({ rows, weight: (weights[index] ?? 0) ** 2 })
    }
    found.sort((a, b) => a.rows.length - b.rows.length)
    let postings = 0
    return found.filter(({ rows }) => {
      postings += rows.length
      return postings <= MAX_POSTINGS
    })
  }
}

const MAX_POSTINGS = 10_000

/** Returns the rows with the highest scores, highest first; rows with equal scores keep their order. */
function pickBest(rows: readonly number[], scores: Float32Array, count: number): number[] {
  const best: number[] = []
  let least = 0
  for (const row of rows) {
    const score = scores[row] ?? 0
    if (best.length === count && score <= least) continue
    let index = best.length
    while (index > 0 && (scores[best[index - 1] ?? 0] ?? 0) < score) index--
    best.splice(index, 0, row)
    if (best.length > count) best.pop()
    least = scores[best[best.length - 1] ?? 0] ?? 0
  }
  return best
}
