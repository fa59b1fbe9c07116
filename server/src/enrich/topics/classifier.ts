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

/** The evidence for a topic in one entry. */
interface TopicEvidence {
  slug: string
  isFallback: boolean
  isIndustry: boolean
  text: number
  total: number
}

/** Finds terms of topics in texts of another language than English. */
interface TermReader {
  topicsOf(text: string): readonly string[]
}

/** The part of a field in which such terms are searched. */
const NATIVE_LENGTH = 1000
const MIN_EVIDENCE = WEIGHTS.sure
/** The share of its children's evidence that a parent gets. */
const SPREAD_SHARE = 0.6
const MAX_TOPICS = 4
/** Topics found by assets alone, limited so that a list of companies does not crowd out the event. */
const MAX_BY_ASSET = 2
/** A topic with a smaller share of the best topic's evidence is a side remark. */
const MIN_SHARE = 0.3

/** Finds the topics of entries. */
export class TopicClassifier {
  #rules: readonly TopicRule[]
  #vocabulary = new Vocabulary()
  #trie = new PhraseTrie(this.#vocabulary)
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

  /** Returns slugs, the best first. `reader` knows terms of topics in the language of the text. */
  classify(text: EntryText, assets: readonly TopicAsset[], reader?: TermReader): string[] {
    const byText = this.#read(text)
    const inTitle = new Set(reader?.topicsOf(text.title.slice(0, NATIVE_LENGTH)))
    const inContent = new Set(reader?.topicsOf(text.content.slice(0, NATIVE_LENGTH)))
    const evidence = this.#rules.map(({ slug, assets: expected, isFallback }, rule): TopicEvidence => {
      const native = inTitle.has(slug) ? WEIGHTS.sure : inContent.has(slug) ? WEIGHTS.hint : 0
      const own = (byText.get(rule) ?? 0) + native
      const isIndustry = expected.some(({ field }) => field === 'sector' || field === 'industry')
      return { slug, isFallback, isIndustry, text: own, total: combineEvidence(own, assetEvidence(expected, assets)) }
    })
    return this.#choose(this.#withParents(evidence.filter(({ total }) => total > 0)))
  }

  #addTerm(parts: readonly PhrasePart[], term: TopicTerm): void {
    this.#trie.add(parts, this.#terms.length)
    this.#terms.push(term)
  }

  /** Returns the evidence for each rule, by its index. */
  #read({ title, content }: EntryText): Map<number, number> {
    const titleWords = this.#vocabulary.encode(title.slice(0, LONGEST_READ))
    const contentWords = this.#vocabulary.encode(content.slice(0, LONGEST_READ))
    // The null keeps phrases from spanning title and content.
    const matches = this.#trie.find([...titleWords, null, ...contentWords])
    return textEvidence(matches, this.#terms, titleWords.length)
  }

  /** Adds part of the children's evidence to their parent if several children have some and none has enough. */
  #withParents(evidence: readonly TopicEvidence[]): TopicEvidence[] {
    const bySlug = new Map(evidence.map((one) => [one.slug, one]))
    const result = new Map(bySlug)
    for (const [slug, children] of this.#childrenOf) {
      const spread = children.map((child) => bySlug.get(child)?.text ?? 0).filter((text) => text > 0)
      if (spread.length < 2 || spread.some((text) => text >= MIN_EVIDENCE)) continue
      const own = bySlug.get(slug) ?? { isFallback: true, isIndustry: false, text: 0, total: 0 }
      const added = spread.reduce((sum, text) => sum + text, 0) * SPREAD_SHARE
      result.set(slug, { ...own, slug, text: own.text + added, total: own.total + added })
    }
    return [...result.values()]
  }

  #choose(evidence: readonly TopicEvidence[]): string[] {
    const sufficient = evidence.filter(({ total }) => total >= MIN_EVIDENCE)
    const events = sufficient.filter(({ isFallback, text }) => !isFallback && text >= MIN_EVIDENCE)
    // An industry is no event: a text about banks may still need the fallback "shares".
    const givesWay = (one: TopicEvidence) =>
      one.isFallback &&
      one.total - one.text < MIN_EVIDENCE / 2 &&
      events.some(({ isIndustry }) => one.isIndustry || !isIndustry)
    const kept = sufficient.filter((one) => !givesWay(one))
    const ancestors = new Set(kept.flatMap(({ slug }) => this.#ancestorsOf(slug)))
    const ranked = kept
      .filter(({ slug }) => !ancestors.has(slug))
      .sort((a, b) => b.total - a.total || b.text - a.text || (a.slug < b.slug ? -1 : 1))
    const least = (ranked[0]?.total ?? 0) * MIN_SHARE
    let byAsset = 0
    return ranked
      .filter(({ text, total }) => total >= least && (text > 0 || byAsset++ < MAX_BY_ASSET))
      .slice(0, MAX_TOPICS)
      .map(({ slug }) => slug)
  }

  /** Visits each topic once, since an edited tree may contain a cycle. */
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
