import { stem } from '../../src/enrich/stem.ts'
import { searchWords } from '../../src/store/lists/search.ts'

const K1 = 1.2
const B = 0.75

/** Returns a search by BM25 over stems of titles and texts, to compare with: textbook parameters, no stop words, no fields. */
export function plainBm25(entries: readonly { title: string; content?: string; url: string }[]) {
  const texts = entries.map(({ title, content = '', url }) => {
    const counts = new Map<string, number>()
    const words = searchWords(`${title} ${content}`).map(stem)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { url, counts, length: words.length }
  })
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  return (query: string): string[] => {
    const terms = [...new Set(searchWords(query).map(stem))].map((term) => {
      const frequency = texts.filter(({ counts }) => counts.has(term)).length
      return { term, weight: Math.log(1 + (texts.length - frequency + 0.5) / (frequency + 0.5)) }
    })
    return texts
      .map(({ url, counts, length }) => {
        const norm = K1 * (1 - B + (B * length) / average)
        const score = terms.reduce((sum, { term, weight }) => {
          const count = counts.get(term) ?? 0
          return sum + (weight * count * (K1 + 1)) / (count + norm)
        }, 0)
        return { url, score }
      })
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ url }) => url)
  }
}
