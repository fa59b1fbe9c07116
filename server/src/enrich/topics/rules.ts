import type { PhrasePart } from './phrase-trie.ts'
import { builtInTerms } from './terms/built-in.ts'
import { type ParsedTerms, parseTerms, type TopicTerms, WEIGHTS } from './terms.ts'

/** A topic of the tree with what speaks for it. */
export interface TopicRule extends ParsedTerms {
  slug: string
  parentSlug: string | null
}

export interface TopicInTree {
  slug: string
  parentSlug: string | null
  name?: string
}

/**
 * Joins a tree with the built-in terms, by slug. `own` terms take the place of the built-in ones of their topic. A topic
 * without any is found by its name.
 */
export function topicRules(topics: readonly TopicInTree[], own: readonly TopicTerms[] = []): TopicRule[] {
  const slugs = new Set(topics.map(({ slug }) => slug))
  const stray = own.find(({ slug }) => !slugs.has(slug))
  if (stray !== undefined) throw new Error(`Terms of the topic "${stray.slug}": no topic has this slug`)
  const termsOf = new Map([...builtInTerms, ...own].map((terms) => [terms.slug, terms]))
  return topics.map((topic) => {
    const terms = termsOf.get(topic.slug)
    const parsed = terms === undefined ? termsOfName(topic) : parseTerms(terms)
    return { slug: topic.slug, parentSlug: topic.parentSlug, ...parsed }
  })
}

function termsOfName({ slug, name = slug.replaceAll('-', ' ') }: TopicInTree): ParsedTerms {
  // An acronym keeps its capitals; other words are met in any case and inflection.
  const words = (name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) =>
    /^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase(),
  )
  const parts: PhrasePart[] = words.map((word) => ({ words: [word] }))
  return {
    phrases: parts.length === 0 ? [] : [{ parts, weight: WEIGHTS.sure }],
    not: [],
    assets: [],
    isFallback: false,
  }
}
