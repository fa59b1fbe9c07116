import type { CatalogueAsset } from './asset.ts'
import type { TokenSpan } from './context.ts'
import { isEverydayWord } from './dictionary.ts'
import { FUNCTION_WORDS, isLegalForm } from './legal-names.ts'
import { type Name, type NameIndex, NICKNAME } from './name-index.ts'
import type { Passage } from './passage.ts'
import type { SymbolIndex } from './symbol-index.ts'
import { findTickers } from './tickers.ts'

/**
 * A span that may name one of several assets. Start and end exclude an exchange before a ticker; the span includes it.
 */
export interface MentionCandidate extends TokenSpan {
  start: number
  end: number
  assets: readonly CatalogueAsset[]
  /** Null for a ticker. */
  name: Name | null
  isSure: boolean
}

/** Finds tickers, and the longest names in the text between them. */
export function findCandidates(passage: Passage, names: NameIndex, symbols: SymbolIndex): MentionCandidate[] {
  const candidates: MentionCandidate[] = []
  const tickers = findTickers(passage, symbols)
  let nextTicker = 0
  for (let index = passage.from; index < passage.to; ) {
    const ticker = tickers[nextTicker]
    if (ticker !== undefined && ticker.first <= index) {
      const { first, last, start, end, assets, isMarked, isElsewhere } = ticker
      // A bare ticker may begin a name: "AMD Ryzen", "SAP SE".
      const longer = isMarked ? null : longestName(passage, index, names, passage.to)
      nextTicker++
      if (longer === null) {
        candidates.push({ passage, first, last, start, end, assets, name: null, isSure: !isElsewhere })
        index = last + 1
        continue
      }
    }
    const found = longestName(passage, index, names, tickers[nextTicker]?.first ?? passage.to)
    if (found === null) {
      index++
      continue
    }
    candidates.push(found)
    index = found.last + 1
    while ((tickers[nextTicker]?.first ?? passage.to) < index) nextTicker++
  }
  return candidates
}

/** Finds the longest name that begins at a token and has the right capitals. */
function longestName(passage: Passage, first: number, index: NameIndex, to: number): MentionCandidate | null {
  const { tokens } = passage
  const token = tokens[first]
  if (token === undefined || token.norm === '') return null
  if (token.shape === 'lower' && passage.style !== 'lower' && !index.lowerCaseStarts.has(token.norm)) return null
  const owned = token.possessive === null ? 0 : (index.longest.get(token.possessive) ?? 0)
  const longest = Math.max(index.longest.get(token.norm) ?? 0, owned)
  const second = tokens[first + 1]
  if (longest > 0) {
    const last = lastOfName(passage, first, longest, to, index)
    const beginnings = ['']
    for (let at = first; at < last; at++) {
      beginnings.push(`${beginnings.at(-1)}${tokens[at]?.possessive ?? tokens[at]?.norm} `)
    }
    for (let at = last; at >= first; at--) {
      const { norm = '', possessive = null } = tokens[at] ?? {}
      const before = beginnings[at - first] ?? ''
      const base = index.names.get(before + norm)
      const owned = possessive === null ? undefined : ownedName(index, before, norm, possessive)
      const name = owned ?? base
      if (name === undefined || !hasCapitalsOf(name, passage, first, at)) continue
      // In "Macy's" the possessive ending belongs to the name.
      const found = candidate(passage, first, at, name)
      return owned === undefined ? found : { ...found, end: found.end + 2 }
    }
  }
  // "Volkswagens Gewinn"
  if (passage.isForeign && token.shape === 'capital' && /[^s]s$/.test(token.norm)) {
    const owner = index.names.get(token.norm.slice(0, -1))
    if (owner !== undefined && !owner.isWeak && !owner.needsCapitals && !owner.isObscure)
      return candidate(passage, first, first, owner)
  }
  if (second?.glue !== 'hyphen' || first + 1 >= to) return null
  const joined = index.names.get(token.norm + second.norm)
  return joined !== undefined && hasCapitalsOf(joined, passage, first, first + 1)
    ? candidate(passage, first, first + 1, joined)
    : null
}

/** Returns the name that ends in a possessive "s": "Macy's", but not GMS for "GM's" nor Worlds for "the world's". */
function ownedName(index: NameIndex, before: string, norm: string, possessive: string): Name | undefined {
  const name = index.names.get(before + possessive)
  if (name === undefined || before !== '') return name
  if (name.assets.some((asset) => /['’]s/i.test(asset.name) || asset.aliases.some((alias) => /['’]s/i.test(alias))))
    return name
  const isOther = index.names.has(norm) || isEverydayWord(norm)
  return isOther && name.isObscure ? undefined : name
}

/** Returns the last token that a name from `first` may include, given the longest name and separators. */
function lastOfName(passage: Passage, first: number, longest: number, to: number, index: NameIndex): number {
  const { tokens } = passage
  const second = tokens[first + 1]
  if (longest === 1 || second === undefined || first + 1 >= to || isApart(passage, first + 1)) return first
  const start = tokens[first]?.possessive ?? tokens[first]?.norm ?? ''
  const isName = index.pairs.has(`${start} ${second.norm}`) || index.pairs.has(`${start} ${second.possessive}`)
  if (!isName) return first
  let last = first + 1
  while (last + 1 < to && last + 1 - first < longest && !isApart(passage, last + 1)) last++
  return last
}

/** Reports whether punctuation ends a name before a token; the comma in "Buckle, Inc." does not. */
function isApart({ tokens, text }: Passage, index: number): boolean {
  const token = tokens[index]
  if (token?.glue !== 'break') return false
  return !isLegalForm(token.norm) || text.slice(tokens[index - 1]?.end, token.start) !== ', '
}

function candidate(passage: Passage, first: number, last: number, name: Name): MentionCandidate {
  const start = passage.tokens[first]?.start ?? 0
  const end = passage.tokens[last]?.end ?? 0
  const isSure = !name.isWeak && name.assets.length === 1
  return { passage, first, last, start, end, assets: name.assets, name, isSure }
}

/** Reports whether a name is part of a longer word in katakana: メタ in メタバース. */
function isPartOfKatakana({ tokens, from, to }: Passage, first: number, last: number): boolean {
  const isJoined = (left: number, right: number) =>
    tokens[right]?.glue === 'none' &&
    KATAKANA.test(tokens[left]?.norm ?? '') &&
    KATAKANA.test(tokens[right]?.norm ?? '')
  return (first > from && isJoined(first - 1, first)) || (last + 1 < to && isJoined(last, last + 1))
}

const KATAKANA = /^[\p{Script=Katakana}ー]$/u
const UMLAUT = /[äöüß]/i
const ACCENT = /[^\p{ASCII}]/u
const hasUmlaut = ({ name, aliases }: CatalogueAsset) =>
  UMLAUT.test(name) || aliases.some((alias) => UMLAUT.test(alias))

/** Reports whether the words are written like the name: with its capitals and its umlauts. */
function hasCapitalsOf(name: Name, passage: Passage, first: number, last: number): boolean {
  if (isPartOfKatakana(passage, first, last)) return false
  for (let index = first; index <= last; index++) {
    const token = passage.tokens[index]
    if (token === undefined) return false
    if (token.shape === 'other' || token.shape === 'upper') continue
    // Italian headlines write "Ubs".
    const mayBeCapital = passage.isForeign && token.shape === 'capital' && first === last && token.norm.length > 2
    if (name.needsCapitals && !FUNCTION_WORDS.has(token.norm) && !mayBeCapital) return false
    if (token.shape === 'capital' || name.mayBeLowerCase) continue
    if (index > first && FUNCTION_WORDS.has(token.norm)) continue
    if (passage.style === 'lower' && !name.isWeak) continue
    return false
  }
  return !isOtherWord(name, passage, first, last)
}

/** Reports whether accents make another word of a name: "Über" is not Uber. */
function isOtherWord(name: Name, { text, tokens, isForeign }: Passage, first: number, last: number): boolean {
  if (first !== last || name.rank === NICKNAME) return false
  const word = text.slice(tokens[first]?.start, tokens[first]?.end)
  if (isForeign && name.isObscure && ACCENT.test(word)) return !name.assets.some(({ name: own }) => ACCENT.test(own))
  return UMLAUT.test(word) && !name.assets.some(hasUmlaut)
}
