import type { TokenSpan } from './context.ts'

/** How much an entry is about an asset, 0..1: a title over a text, early over late, often over once, the subject over others. */
export function relevanceOf(spans: readonly TokenSpan[], othersInTitle: number): number {
  const titles = spans.filter((span) => span.passage.field === 'title')
  const contents = spans.filter((span) => span.passage.field === 'content')
  const often = Math.min(0.2, 0.08 * Math.log2(1 + contents.length))
  const first = titles[0]
  if (first !== undefined) {
    const isSubject = first.first === first.passage.from
    // One name in a list of many is told about less than one alone.
    const shared = Math.min(0.15, 0.03 * othersInTitle)
    return rounded(0.6 + 0.15 * earliness(first) + (isSubject ? 0.1 : 0) + often - shared)
  }
  const early = contents[0]
  return early === undefined ? 0 : rounded(0.15 + 0.2 * earliness(early) + often)
}

function earliness({ passage, first }: TokenSpan): number {
  const token = passage.tokens[first]
  return token === undefined ? 0 : 1 - token.start / Math.max(1, passage.text.length)
}

function rounded(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000
}
