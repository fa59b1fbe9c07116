import type { PhraseMatch } from './phrase-trie.ts'
import type { TopicRule } from './rules.ts'
import { WEIGHTS } from './terms.ts'

/** An asset that the entry mentions. */
export interface TopicAsset {
  type: string
  key?: string
  sector: string | null
  industry: string | null
  relevanceScore: number
}

/** A term of a rule. A mask hides its words from other terms of the rule. */
export interface TopicTerm {
  rule: number
  weight: number
}

export const MASK = 0
/** The rule of masks that apply to all rules. */
export const EVERY_RULE = -1

/** Returns the evidence for each rule: each term counts by its best position, repetitions add a little. */
export function textEvidence(
  matches: readonly PhraseMatch[],
  terms: readonly TopicTerm[],
  titleWords: number,
): Map<number, number> {
  // Without a title the first words of the content take its place.
  const titleLength = titleWords === 0 ? MAX_TITLE_WORDS : Math.min(titleWords, MAX_TITLE_WORDS)
  const used = new UsedWords()
  const found: (PhraseMatch & TopicTerm & { value: number })[] = []
  for (const { id, first, last } of matches) {
    const term = terms[id]
    if (term === undefined) continue
    const { rule, weight } = term
    if (weight === MASK) used.add(rule, first, last)
    else found.push({ id, first, last, rule, weight, value: weight * positionFactor(first, titleLength) })
  }
  const best = new Map<number, { rule: number; value: number; repeats: number }>()
  // "price", "supply" and "trader" hint at many topics: they count only beside a stronger term.
  const confirmed = new Set<number>()
  // The heaviest first: a word that counts in one term does not count again in another.
  for (const { id, rule, weight, value, first, last } of found.sort((a, b) => b.value - a.value || a.first - b.first)) {
    if (used.has(rule, first, last)) continue
    used.add(rule, first, last)
    if (weight > WEIGHTS.hint) confirmed.add(rule)
    const known = best.get(id)
    if (known === undefined) best.set(id, { rule, value, repeats: 0 })
    else if (known.repeats < MAX_REPEATS) known.repeats++
  }
  const sums = new Map<number, number>()
  for (const { rule, value, repeats } of best.values()) {
    if (confirmed.has(rule)) sums.set(rule, (sums.get(rule) ?? 0) + value * (1 + repeats * REPEAT_FACTOR))
  }
  return sums
}

/** In words; the rest of a longer title counts as content. */
const MAX_TITLE_WORDS = 45
/** Weights of terms in the content, by their distance from the title in words. */
const CONTENT_PARTS = [
  { end: 60, factor: 0.5 },
  { end: 300, factor: 0.25 },
  { end: Infinity, factor: 0.1 },
] as const
/** The share that each repetition of a term adds, and how many count. */
const REPEAT_FACTOR = 0.15
const MAX_REPEATS = 3

function positionFactor(at: number, titleLength: number): number {
  if (at < titleLength) return 1
  return CONTENT_PARTS.find(({ end }) => at - titleLength < end)?.factor ?? 0
}

/** The words of a text that are used up, by rule. */
class UsedWords {
  #positions = new Map<number, Set<number>>()

  add(rule: number, first: number, last: number): void {
    const positions = this.#positions.get(rule) ?? new Set()
    this.#positions.set(rule, positions)
    for (let at = first; at <= last; at++) positions.add(at)
  }

  has(rule: number, first: number, last: number): boolean {
    const own = this.#positions.get(rule)
    const all = this.#positions.get(EVERY_RULE)
    for (let at = first; at <= last; at++) if (own?.has(at) || all?.has(at)) return true
    return false
  }
}

/**
 * Returns the evidence of the most relevant asset that a topic expects. Half of the maximum relevance counts in full.
 */
export function assetEvidence(expected: TopicRule['assets'], assets: readonly TopicAsset[]): number {
  let best = 0
  for (const asset of assets) {
    if (!expected.some(({ field, value }) => asset[field] === value)) continue
    best = Math.max(best, Math.min(asset.relevanceScore / FULL_RELEVANCE, 1))
  }
  return WEIGHTS.sure * best
}

const FULL_RELEVANCE = 0.5

/** Adds both kinds of evidence. The weaker counts half, since the name of an asset is often a term too. */
export function combineEvidence(byText: number, byAsset: number): number {
  return Math.max(byText, byAsset) + Math.min(byText, byAsset) / 2
}
