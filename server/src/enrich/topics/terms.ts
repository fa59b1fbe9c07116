import type { PhrasePart } from './phrase-trie.ts'

/**
 * The terms of a topic as written by hand. Each field is a list of terms separated by commas; a term is one or more
 * consecutive words:
 *
 * - `job cut` – words match all their inflections: "job cuts", "Job cutting"
 * - `=mining` – exactly this word in any case, not "mine"
 * - `Fed`, `IPO` – a capitalised word matches as written (an acronym also with a plural s)
 * - `cut|slash|axe` – one of these words
 * - `#` – a number: "1,200", "4bn", "2025"
 * - `*` – up to one other word, `**` up to five
 */
export interface TopicTerms {
  slug: string
  /** One in the title is enough. */
  sure?: string
  /** Two, or one and a hint, are enough. */
  likely?: string
  hint?: string
  /** Phrases whose words do not count for the topic: "gold medal". */
  not?: string
  /** Assets that count as evidence: `type:crypto`, `key:BTC`, `sector:Energy`, `industry:Banks`. */
  assets?: string
  /** Used only if the text has no other topic: a share price usually moves because of something else. */
  fallback?: boolean
}

type AssetField = 'type' | 'key' | 'sector' | 'industry'

/** The parsed terms of a topic. */
export interface ParsedTerms {
  phrases: { parts: PhrasePart[]; weight: number }[]
  not: PhrasePart[][]
  assets: { field: AssetField; value: string }[]
  isFallback: boolean
}

/** Integers, so that sums are exact. */
export const WEIGHTS = { sure: 300, likely: 200, hint: 100 } as const

/** Parses terms. Errors name the topic and the term. */
export function parseTerms(terms: TopicTerms): ParsedTerms {
  return withTopic(terms.slug, () => ({
    phrases: (['sure', 'likely', 'hint'] as const).flatMap((field) =>
      splitList(terms[field]).map((term) => ({ parts: parsePhrase(term), weight: WEIGHTS[field] })),
    ),
    not: splitList(terms.not).map(parsePhrase),
    assets: splitList(terms.assets).map(parseAsset),
    isFallback: terms.fallback ?? false,
  }))
}

/** Parses a list of phrases that belong to no topic. */
export function parsePhrases(text: string): PhrasePart[][] {
  return splitList(text).map(parsePhrase)
}

function withTopic<T>(slug: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new Error(`Terms of the topic "${slug}": ${error instanceof Error ? error.message : String(error)}`)
  }
}

function splitList(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return []
  return text.split(',').map((term) => term.trim().replaceAll(/\s+/g, ' '))
}

function parsePhrase(term: string): PhrasePart[] {
  if (term === '') throw new Error('an empty term (two commas, or one at the end)')
  const pieces = term.split(' ')
  const parts = pieces.map((piece) => parsePart(piece, term))
  const isGap = parts.map((part) => 'gap' in part)
  if (isGap[0] || isGap.at(-1) || isGap.some((one, i) => one && isGap[i + 1])) {
    throw new Error(`"${term}": a gap must be between two words`)
  }
  if (!parts.some((part) => 'words' in part)) throw new Error(`"${term}": contains no word`)
  return parts
}

function parsePart(piece: string, term: string): PhrasePart {
  if (piece === '*') return { gap: 1 }
  if (piece === '**') return { gap: 5 }
  if (piece === '#') return { number: true }
  const words = piece.split('|')
  const wrong = words.find((word) => !WORD.test(word))
  if (wrong !== undefined) throw new Error(`"${term}": "${wrong}" is not a word`)
  return { words }
}

/** A word as texts are split: without hyphens, full stops and possessive endings. */
const WORD = /^=?[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[&'][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u

const ASSET_FIELDS: readonly string[] = ['type', 'key', 'sector', 'industry'] satisfies AssetField[]

function parseAsset(text: string): { field: AssetField; value: string } {
  const colon = text.indexOf(':')
  const field = text.slice(0, Math.max(colon, 0))
  const value = text.slice(colon + 1).trim()
  if (!isAssetField(field) || value === '') {
    throw new Error(`asset "${text}" is not one of ${ASSET_FIELDS.map((name) => `${name}:…`).join(', ')}`)
  }
  return { field, value }
}

function isAssetField(text: string): text is AssetField {
  return ASSET_FIELDS.includes(text)
}
