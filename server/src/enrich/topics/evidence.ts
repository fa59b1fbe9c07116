import type { PhraseMatch } from './phrase-trie.ts'
import type { TopicRule } from './rules.ts'
import { WEIGHTS } from './terms.ts'

/** An asset that the entry names. */
export interface TopicAsset {
  type: string
  key?: string
  sector: string | null
  industry: string | null
  relevanceScore: number
}

/** A term as the tree knows it: of which rule, and how much it says; a mask says that its words say nothing. */
export interface TopicTerm {
  rule: number
  weight: number
}

export const MASK = 0
/** In place of a rule, for a mask that holds for all. */
export const EVERY_RULE = -1

/** The evidence of each rule: every term once with its best place, and a little for its repetitions. */
export function textEvidence(
  matches: readonly PhraseMatch[],
  terms: readonly TopicTerm[],
  titleWords: number,
): Map<number, number> {
  // A post without a title speaks in its first words.
  const titleLength = titleWords === 0 ? LONGEST_TITLE : Math.min(titleWords, LONGEST_TITLE)
  const taken = new TakenWords()
  const found: (PhraseMatch & TopicTerm & { value: number })[] = []
  for (const { id, first, last } of matches) {
    const term = terms[id]
    if (term === undefined) continue
    const { rule, weight } = term
    if (weight === MASK) taken.take(rule, first, last)
    else found.push({ id, first, last, rule, weight, value: weight * placeFactor(first, titleLength) })
  }
  const best = new Map<number, { rule: number; value: number; repeats: number }>()
  // "price", "supply" and "trader" are hints of many topics: they add to something firm, they make no topic.
  const firm = new Set<number>()
  // The heaviest first: words that speak in a long term do not speak again in a shorter one.
  for (const { id, rule, weight, value, first, last } of found.sort((a, b) => b.value - a.value || a.first - b.first)) {
    if (taken.has(rule, first, last)) continue
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

function placeFactor(at: number, titleLength: number): number {
  if (at < titleLength) return 1
  return CONTENT_PARTS.find(({ end }) => at - titleLength < end)?.factor ?? 0
}

/** Which words of a text are used up, for each rule. */
class TakenWords {
  #places = new Map<number, Set<number>>()

  take(rule: number, first: number, last: number): void {
    const places = this.#places.get(rule) ?? new Set()
    this.#places.set(rule, places)
    for (let at = first; at <= last; at++) places.add(at)
  }

  has(rule: number, first: number, last: number): boolean {
    const own = this.#places.get(rule)
    const all = this.#places.get(EVERY_RULE)
    for (let at = first; at <= last; at++) if (own?.has(at) || all?.has(at)) return true
    return false
  }
}

/** The best of the entry's assets that a topic expects. One that the entry is half about counts as fully as can be. */
export function assetEvidence(expected: TopicRule['assets'], assets: readonly TopicAsset[]): number {
  let best = 0
  for (const asset of assets) {
    if (!expected.some(({ field, value }) => asset[field] === value)) continue
    best = Math.max(best, Math.min(asset.relevanceScore / FULL_RELEVANCE, 1))
  }
  return WEIGHTS.sure * best
}

const FULL_RELEVANCE = 0.5

/** The name of an asset is often a term too, so the weaker of both counts half. */
export function combineEvidence(byText: number, byAsset: number): number {
  return Math.max(byText, byAsset) + Math.min(byText, byAsset) / 2
}
