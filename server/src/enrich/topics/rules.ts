import type { PhrasePart } from './phrase-trie.ts'
import { builtInTerms } from './terms/built-in.ts'
import { type ParsedTerms, parseTerms, type TopicTerms, WEIGHTS } from './terms.ts'

/** A topic of the tree with its terms. */
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
 * Joins a tree with the built-in terms by slug. `own` terms replace the built-in ones of their topic. A topic without
 * terms is found by its name.
 */
export function topicRules(topics: readonly TopicInTree[], own: readonly TopicTerms[] = []): TopicRule[] {
  const slugs = new Set(topics.map(({ slug }) => slug))
  const unknown = own.find(({ slug }) => !slugs.has(slug))
  if (unknown !== undefined) throw new Error(`Terms of the topic "${unknown.slug}": no topic has this slug`)
  const termsBySlug = new Map([...builtInTerms, ...own].map((terms) => [terms.slug, terms]))
  return topics.map((topic) => {
    const terms = termsBySlug.get(topic.slug)
    const parsed = terms === undefined ? termsOfName(topic) : parseTerms(terms)
    return { slug: topic.slug, parentSlug: topic.parentSlug, ...parsed }
  })
}

function termsOfName({ slug, name = slug.replaceAll('-', ' ') }: TopicInTree): ParsedTerms {
  // An acronym matches as written, other words match in any case and inflection.
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
