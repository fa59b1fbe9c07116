import { type EntryText, LONGEST_READ } from '../text.ts'
import {
  assetEvidence,
  combineEvidence,
  EVERY_RULE,
  MASK,
  type TopicAsset,
  type TopicTerm,
  textEvidence,
} from './evidence.ts'
import { type PhrasePart, PhraseTrie } from './phrase-trie.ts'
import type { TopicRule } from './rules.ts'
import { everydayPhrases } from './terms/everyday.ts'
import { parsePhrases, WEIGHTS } from './terms.ts'
import { Vocabulary } from './vocabulary.ts'

/** What speaks for a topic in one entry. */
interface Evidence {
  slug: string
  isFallback: boolean
  isIndustry: boolean
  text: number
  total: number
}

const ENOUGH = WEIGHTS.sure
/** What a branch gets of the evidence that is spread over its topics. */
const SPREAD_SHARE = 0.6
const MOST_TOPICS = 4
/** Topics that only an asset speaks for: a list of companies shall not crowd out what happened. */
const MOST_BY_ASSET = 2
/** A topic with less than this share of the best one's evidence is a side remark. */
const LEAST_SHARE = 0.3

/** Finds the topics of entries. The rules are compiled once; nothing is remembered of the entries. */
export class TopicClassifier {
  #rules: readonly TopicRule[]
  #vocabulary = new Vocabulary()
  #tree = new PhraseTrie(this.#vocabulary)
  #terms: TopicTerm[] = []
  #childrenOf = new Map<string, string[]>()
  #parentOf = new Map<string, string | null>()

  constructor(topics: readonly TopicRule[]) {
    this.#rules = topics
    for (const parts of parsePhrases(everydayPhrases)) this.#addTerm(parts, { rule: EVERY_RULE, weight: MASK })
    for (const [rule, { slug, parentSlug, phrases, not }] of topics.entries()) {
      for (const { parts, weight } of phrases) this.#addTerm(parts, { rule, weight })
      for (const parts of not) this.#addTerm(parts, { rule, weight: MASK })
      this.#parentOf.set(slug, parentSlug)
      if (parentSlug !== null) this.#childrenOf.set(parentSlug, [...(this.#childrenOf.get(parentSlug) ?? []), slug])
    }
  }

  /** Slugs, the best first; none where nothing speaks for one. */
  classify(text: EntryText, assets: readonly TopicAsset[]): string[] {
    const byText = this.#read(text)
    const evidence = this.#rules.map(({ slug, assets: expected, isFallback }, rule): Evidence => {
      const own = byText.get(rule) ?? 0
      const isIndustry = expected.some(({ field }) => field === 'sector' || field === 'industry')
      return { slug, isFallback, isIndustry, text: own, total: combineEvidence(own, assetEvidence(expected, assets)) }
    })
    return this.#choose(this.#withBranches(evidence.filter(({ total }) => total > 0)))
  }

  #addTerm(parts: readonly PhrasePart[], term: TopicTerm): void {
    this.#tree.add(parts, this.#terms.length)
    this.#terms.push(term)
  }

  /** The evidence of each rule, by its place in the list. */
  #read({ title, content }: EntryText): Map<number, number> {
    const titleWords = this.#vocabulary.encode(title.slice(0, LONGEST_READ))
    const contentWords = this.#vocabulary.encode(content.slice(0, LONGEST_READ))
    // No phrase goes on from the title into the content.
    const matches = this.#tree.find([...titleWords, null, ...contentWords])
    return textEvidence(matches, this.#terms, titleWords.length)
  }

  /** A branch also gets a part of what its topics have, where that is spread over several that have not enough alone. */
  #withBranches(evidence: readonly Evidence[]): Evidence[] {
    const bySlug = new Map(evidence.map((one) => [one.slug, one]))
    const result = new Map(bySlug)
    for (const [slug, children] of this.#childrenOf) {
      const spread = children.map((child) => bySlug.get(child)?.text ?? 0).filter((text) => text > 0)
      if (spread.length < 2 || spread.some((text) => text >= ENOUGH)) continue
      const own = bySlug.get(slug) ?? { isFallback: true, isIndustry: false, text: 0, total: 0 }
      const added = spread.reduce((sum, text) => sum + text, 0) * SPREAD_SHARE
      result.set(slug, { ...own, slug, text: own.text + added, total: own.total + added })
    }
    return [...result.values()]
  }

  #choose(evidence: readonly Evidence[]): string[] {
    const reached = evidence.filter(({ total }) => total >= ENOUGH)
    const told = reached.filter(({ isFallback, text }) => !isFallback && text >= ENOUGH)
    // That banks are spoken of does not say what happened, so it does not stand in for "shares fell".
    const givesWay = (one: Evidence) =>
      one.isFallback &&
      one.total - one.text < ENOUGH / 2 &&
      told.some(({ isIndustry }) => one.isIndustry || !isIndustry)
    const enough = reached.filter((one) => !givesWay(one))
    const above = new Set(enough.flatMap(({ slug }) => this.#ancestorsOf(slug)))
    const ranked = enough
      .filter(({ slug }) => !above.has(slug))
      .sort((a, b) => b.total - a.total || b.text - a.text || (a.slug < b.slug ? -1 : 1))
    const least = (ranked[0]?.total ?? 0) * LEAST_SHARE
    let byAsset = 0
    return ranked
      .filter(({ text, total }) => total >= least && (text > 0 || byAsset++ < MOST_BY_ASSET))
      .slice(0, MOST_TOPICS)
      .map(({ slug }) => slug)
  }

  /** A tree that was edited by hand may have a ring; each topic is visited once. */
  #ancestorsOf(slug: string): string[] {
    const ancestors = new Set<string>()
    let parent = this.#parentOf.get(slug) ?? null
    while (parent !== null && parent !== slug && !ancestors.has(parent)) {
      ancestors.add(parent)
      parent = this.#parentOf.get(parent) ?? null
    }
    return [...ancestors]
  }
}
