import type { PhrasePart } from './phrase-trie.ts'

/**
 * What speaks for a topic, as written by hand. Each text is a list of terms with commas between them; a term is one or
 * more words that follow each other:
 *
 * - `job cut` – words stand for all their inflections: "job cuts", "Job cutting"
 * - `=mining` – this very word in any case, not "mine"
 * - `Fed`, `IPO` – a word with a capital must be written so (an acronym also with a plural s)
 * - `cut|slash|axe` – one of these words
 * - `#` – a number: "1,200", "4bn", "2025"
 * - `*` – up to one other word may stand here, `**` up to five
 */
export interface TopicTerms {
  slug: string
  /** One of them in a title is enough. */
  sure?: string
  /** Two of them, or one and a hint, are enough. */
  likely?: string
  hint?: string
  /** Where one of these stands, its words say nothing about the topic: "gold medal". */
  not?: string
  /** Assets that an entry of the topic is about: `type:crypto`, `key:BTC`, `sector:Energy`, `industry:Banks`. */
  assets?: string
  /** Given only where the text speaks for no other topic: a share price mostly moves because of something. */
  fallback?: boolean
}

export type AssetField = 'type' | 'key' | 'sector' | 'industry'

/** The terms of a topic, taken apart. */
export interface ParsedTerms {
  phrases: { parts: PhrasePart[]; weight: number }[]
  not: PhrasePart[][]
  assets: { field: AssetField; value: string }[]
  isFallback: boolean
}

/** Weights count in hundredths of a sure term in a title, so that sums are exact. */
export const WEIGHTS = { sure: 300, likely: 200, hint: 100 } as const

/** Throws an error that names the topic and the term. */
export function parseTerms(terms: TopicTerms): ParsedTerms {
  return named(terms.slug, () => ({
    phrases: (['sure', 'likely', 'hint'] as const).flatMap((field) =>
      listOf(terms[field]).map((term) => ({ parts: parsePhrase(term), weight: WEIGHTS[field] })),
    ),
    not: listOf(terms.not).map(parsePhrase),
    assets: listOf(terms.assets).map(parseAsset),
    isFallback: terms.fallback ?? false,
  }))
}

/** A list of phrases without a topic. */
export function parsePhrases(text: string): PhrasePart[][] {
  return listOf(text).map(parsePhrase)
}

function named<T>(slug: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new Error(`Terms of the topic "${slug}": ${error instanceof Error ? error.message : String(error)}`)
  }
}

function listOf(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return []
  return text.split(',').map((term) => term.trim().replaceAll(/\s+/g, ' '))
}

function parsePhrase(term: string): PhrasePart[] {
  if (term === '') throw new Error('an empty term (two commas, or one at the end)')
  const pieces = term.split(' ')
  const parts = pieces.map((piece) => parsePart(piece, term))
  const isGap = parts.map((part) => 'gap' in part)
  if (isGap[0] || isGap.at(-1) || isGap.some((one, i) => one && isGap[i + 1])) {
    throw new Error(`"${term}": a gap must stand between two words`)
  }
  if (!parts.some((part) => 'words' in part)) throw new Error(`"${term}": no word in it`)
  return parts
}

function parsePart(piece: string, term: string): PhrasePart {
  if (piece === '*') return { gap: 1 }
  if (piece === '**') return { gap: 5 }
  if (piece === '#') return { number: true }
  const words = piece.split('|')
  const wrong = words.find((word) => !WORD.test(word))
  if (wrong !== undefined) throw new Error(`"${term}": "${wrong}" is not a word that a text can have`)
  return { words }
}

/** As the words of a text are cut: no hyphen, no full stop, no possessive ending. */
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
