import type { TokenSpan } from './context.ts'

/**
 * Scores how much an entry is about an asset, from 0 to 1: by title, position, number of mentions and role as subject.
 */
export function relevanceOf(spans: readonly TokenSpan[], othersInTitle: number): number {
  const titles = spans.filter((span) => span.passage.field === 'title')
  const contents = spans.filter((span) => span.passage.field === 'content')
  const frequency = Math.min(0.2, 0.08 * Math.log2(1 + contents.length))
  const first = titles[0]
  if (first !== undefined) {
    const isSubject = first.first === first.passage.from
    // Each of many names in a title is less relevant than one alone.
    const shared = Math.min(0.15, 0.03 * othersInTitle)
    return rounded(0.6 + 0.15 * positionScore(first) + (isSubject ? 0.1 : 0) + frequency - shared)
  }
  const early = contents[0]
  return early === undefined ? 0 : rounded(0.15 + 0.2 * positionScore(early) + frequency)
}

function positionScore({ passage, first }: TokenSpan): number {
  const token = passage.tokens[first]
  return token === undefined ? 0 : 1 - token.start / Math.max(1, passage.text.length)
}

function rounded(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000
}
