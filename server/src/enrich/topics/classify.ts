import { type EntryText, LONGEST_READ } from '../text.ts'
import { type PhraseMatch, PhraseTree } from './phrases.ts'
import type { TopicRule } from './rules.ts'
import { parsePhrases, WEIGHTS } from './terms.ts'
import { everydayPhrases } from './terms/everyday.ts'
import { Vocabulary, type WordForms } from './words.ts'

/** An asset that the entry names. */
export interface TopicAsset {
  type: string
  key?: string
  sector: string | null
  industry: string | null
  relevanceScore: number
}

/** What speaks for a topic in one entry. */
interface Evidence {
  slug: string
  isFallback: boolean
  isIndustry: boolean
  text: number
  total: number
}

const ENOUGH = WEIGHTS.sure
const MOST_TOPICS = 4
/** Topics that only an asset speaks for: a list of companies shall not crowd out what happened. */
const MOST_BY_ASSET = 2
/** A topic with less than this share of the best one's evidence is a side remark. */
const LEAST_SHARE = 0.3

/** Finds the topics of entries. The rules are compiled once; nothing is remembered of the entries. */
export class TopicClassifier {
  #rules: readonly TopicRule[]
  #vocabulary = new Vocabulary()
  #tree = new PhraseTree(this.#vocabulary)
  #terms: Term[] = []
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
    const byText = this.#textEvidence(text)
    const evidence = this.#rules.map(({ slug, assets: expected, isFallback }, rule): Evidence => {
      const own = byText.get(rule) ?? 0
      const isIndustry = expected.some(({ field }) => field === 'sector' || field === 'industry')
      return { slug, isFallback, isIndustry, text: own, total: together(own, assetEvidence(expected, assets)) }
    })
    return this.#choose(this.#withBranches(evidence.filter(({ total }) => total > 0)))
  }

  #addTerm(parts: Parameters<PhraseTree['add']>[0], term: Term): void {
    this.#tree.add(parts, this.#terms.length)
    this.#terms.push(term)
  }

  #textEvidence({ title, content }: EntryText): Map<number, number> {
    const words: (WordForms | null)[] = [...this.#vocabulary.wordsOf(title.slice(0, LONGEST_READ)), null]
    // A post without a title speaks in its first words.
    const titleLength = words.length > 1 ? Math.min(words.length, LONGEST_TITLE) : LONGEST_TITLE
    words.push(...this.#vocabulary.wordsOf(content.slice(0, LONGEST_READ)))
    return weigh(this.#tree.find(words), this.#terms, titleLength)
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
      one.isFallback && one.total - one.text < ENOUGH / 2 && told.some(({ isIndustry }) => one.isIndustry || !isIndustry)
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

/** A term as the tree knows it: of which rule, and how much it says; a mask says that its words say nothing. */
interface Term {
  rule: number
  weight: number
}

const MASK = 0
const EVERY_RULE = -1
const SPREAD_SHARE = 0.6

/** In words. What stands beyond is read as content. */
const LONGEST_TITLE = 45
/** Parts of the content by their end, counted in words behind the title, and what a term counts there. */
const CONTENT_PARTS = [
  { end: 60, factor: 0.5 },
  { end: 300, factor: 0.25 },
  { end: Infinity, factor: 0.1 },
] as const
/** What each repetition of a term adds, and how many count. */
const REPEAT_FACTOR = 0.15
const MOST_REPEATS = 3

/** The evidence of each rule: every term once with its best place, and a little for its repetitions. */
function weigh(matches: readonly PhraseMatch[], terms: readonly Term[], titleLength: number): Map<number, number> {
  const found = matches.flatMap((match) => {
    const term = terms[match.id]
    return term === undefined ? [] : [{ ...match, ...term, value: term.weight * placeFactor(match.first, titleLength) }]
  })
  const taken = new TakenWords()
  for (const { rule, weight, first, last } of found) if (weight === MASK) taken.take(rule, first, last)
  const best = new Map<number, { rule: number; value: number; repeats: number }>()
  // "price", "supply" and "trader" are hints of many topics: they add to something firm, they make no topic.
  const firm = new Set<number>()
  // The heaviest first: words that speak in a long term do not speak again in a shorter one.
  for (const { id, rule, weight, value, first, last } of found.sort((a, b) => b.value - a.value || a.first - b.first)) {
    if (weight === MASK || taken.has(rule, first, last)) continue
    taken.take(rule, first, last)
    if (weight > WEIGHTS.hint) firm.add(rule)
    const known = best.get(id)
    if (known === undefined) best.set(id, { rule, value, repeats: 0 })
    else if (known.repeats < MOST_REPEATS) known.repeats++
  }
  const sums = new Map<number, number>()
  for (const { rule, value, repeats } of best.values()) {
    if (firm.has(rule)) sums.set(rule, (sums.get(rule) ?? 0) + value * (1 + repeats * REPEAT_FACTOR))
  }
  return sums
}

function placeFactor(at: number, titleLength: number): number {
  if (at < titleLength) return 1
  return CONTENT_PARTS.find(({ end }) => at - titleLength < end)?.factor ?? 0
}

/** Which words of a text are used up, for each rule. */
class TakenWords {
  #places = new Map<number, Set<number>>()

  take(rule: number, first: number, last: number): void {
    let places = this.#places.get(rule)
    if (places === undefined) this.#places.set(rule, (places = new Set()))
    for (let at = first; at <= last; at++) places.add(at)
  }

  has(rule: number, first: number, last: number): boolean {
    for (const places of [this.#places.get(rule), this.#places.get(EVERY_RULE)]) {
      if (places === undefined) continue
      for (let at = first; at <= last; at++) if (places.has(at)) return true
    }
    return false
  }
}

/** The best of the entry's assets that a topic expects. One that the entry is half about counts as fully as can be. */
function assetEvidence(expected: TopicRule['assets'], assets: readonly TopicAsset[]): number {
  let best = 0
  for (const asset of assets) {
    if (!expected.some(({ field, value }) => asset[field] === value)) continue
    best = Math.max(best, Math.min(asset.relevanceScore / FULL_RELEVANCE, 1))
  }
  return ENOUGH * best
}

const FULL_RELEVANCE = 0.5

/** The name of an asset is often a term too, so the weaker of both counts half. */
function together(byText: number, byAsset: number): number {
  return Math.max(byText, byAsset) + Math.min(byText, byAsset) / 2
}
