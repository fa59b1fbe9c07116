import type { CatalogueAsset } from './asset.ts'
import { isEnglishWord, isEverydayWord } from './dictionary.ts'
import {
  abbreviatedForm,
  acronymOf,
  coreName,
  FUNCTION_WORDS,
  isDescriptor,
  nameWords,
  otherLegalForms,
  shortFormsOf,
  withoutShareClass,
} from './legal-names.ts'
import { NATIVE_NAMES } from './native-names.ts'
import { NICKNAMES } from './nicknames.ts'
import { ABBREVIATIONS, isOrdinary } from './ordinary-words.ts'
import { tokenize } from './tokens.ts'

/** A name that one or more assets go by. */
export interface Name {
  /** More than one if the name is ambiguous. */
  assets: CatalogueAsset[]
  rank: Rank
  /** Initials such as GE: in lower case they are another word. */
  needsCapitals: boolean
  /** "gold" and "bitcoin" may be in lower case; "apple" is then a fruit. */
  mayBeLowerCase: boolean
  /** An ordinary word, which needs context to be a name. */
  isWeak: boolean
  /** Initials with another common meaning, which need another mention of the asset. */
  isAbbreviation: boolean
  /** Consists of ordinary words only: "US Energy" may begin the name of a ministry. */
  isGeneric: boolean
  /** Derived by dropping words of the legal name: another firm's name may begin with it. */
  isShortened: boolean
  /** Of a company that a registry lists, without sector or nickname: few texts are about it. */
  isObscure: boolean
}

/** The origin of a name. If several assets share a name, the lowest rank wins. */
type Rank = 0 | 1 | 2 | 3 | 4
const OFFICIAL = 0
export const NICKNAME = 1
const CORE = 2
const SHORT = 3
const ACRONYM = 4

/** All names of the assets in a catalogue, by their normalised words. */
export interface NameIndex {
  names: ReadonlyMap<string, Name>
  /** The number of words of the longest name that begins with each word. */
  longest: ReadonlyMap<string, number>
  /** The first two words of all longer names: most texts match no name beyond the first word. */
  pairs: ReadonlySet<string>
  /** First words of names that may be in lower case. */
  lowerCaseStarts: ReadonlySet<string>
}

export function indexNames(assets: readonly CatalogueAsset[]): NameIndex {
  const names = new Map<string, Name>()
  const listings = new Set<string>()
  const known = new Set<string>()
  const coresByFirstWord = new Map<string, string>()
  const cores: { asset: CatalogueAsset; core: string[]; isUpperCase: boolean }[] = []
  // Active assets come first, and among them those with a sector, so that they win a shared name.
  for (const asset of [...assets].sort((a, b) => lateness(a) - lateness(b))) {
    const words = nameWords(asset.name)
    const isUpperCase = asset.name === asset.name.toUpperCase()
    const listing = `${asset.type} ${withoutShareClass(words).join(' ')}`
    // The name of a company with several share classes refers to the first.
    if (listings.has(listing)) continue
    listings.add(listing)
    const core = coreName(words)
    const coreKey = core.join(' ')
    if (asset.type === 'equity' && core.length > 1 && known.has(coreKey)) {
      // "BNP PARIBAS" in New York is "BNP Paribas SA" in Paris: only its full names, if they differ, refer to it.
      for (const own of [words, ...asset.aliases.map(nameWords)]) {
        const key = own.join(' ')
        if (key !== coreKey && !names.has(key)) add(names, asset, own, OFFICIAL, isUpperCase, false)
      }
      continue
    }
    add(names, asset, words, OFFICIAL, isUpperCase, false)
    for (const other of otherLegalForms(words)) add(names, asset, other, OFFICIAL, isUpperCase, false)
    for (const alias of asset.aliases) add(names, asset, nameWords(alias), OFFICIAL, isAllCapitals(alias), false)
    for (const native of NATIVE_NAMES.get(asset.type === 'equity' ? coreKey : words.join(' ')) ?? [])
      add(names, asset, nameWords(native), NICKNAME, isAllCapitals(native), false)
    if (asset.type !== 'equity') continue
    known.add(coreKey)
    cores.push({ asset, core, isUpperCase })
    const first = core[0] ?? ''
    coresByFirstWord.set(
      first,
      coresByFirstWord.has(first) && coresByFirstWord.get(first) !== core.join(' ') ? '' : core.join(' '),
    )
  }
  for (const { asset, core, isUpperCase } of cores) {
    add(names, asset, core, CORE, isUpperCase, false)
    for (const nickname of nicknamesOf(asset, core))
      add(names, asset, nameWords(nickname), NICKNAME, isAllCapitals(nickname), false)
    const isFirstWordOwn = coresByFirstWord.get(core[0] ?? '') !== ''
    for (const short of shortFormsOf(core)) {
      const isOwn = short.length > 1 || isFirstWordOwn
      if (isOwn && isDistinctive(short)) add(names, asset, short, SHORT, isUpperCase, true)
    }
    const abbreviated = abbreviatedForm(core)
    if (abbreviated !== null) add(names, asset, abbreviated, SHORT, isUpperCase, true)
    // "Lockheed" and "Lululemon" need no second word; shorter ones do.
    const first = core.slice(0, 1)
    if (core.length > 1 && isFirstWordOwn && (first[0] ?? '').length >= 7 && isDistinctive(first)) {
      add(names, asset, first, SHORT, isUpperCase, true)
    }
    // "Exxon Mobil" is also written as one word.
    if (core.length === 2 && !core.some((word) => word.length < 3 || isDescriptor(word))) {
      add(names, asset, [core.join('')], SHORT, false, false)
    }
    const acronym = acronymOf(core)
    if (isOwnAcronym(acronym, core, asset)) add(names, asset, [acronym], ACRONYM, true, false)
  }
  return { names, ...indexStarts(names) }
}

function lateness({ status, sector, type }: CatalogueAsset): number {
  return (status === 'active' ? 0 : 2) + (type === 'equity' && sector === null ? 1 : 0)
}

function nicknamesOf(asset: CatalogueAsset, core: readonly string[]): readonly string[] {
  const byCore = NICKNAMES.get(core.join(' '))
  if (byCore !== undefined) return byCore
  // "AMAZON COM" and "Amazon.com" have different core names; an alias may be the listed one.
  for (const alias of asset.aliases) {
    const byAlias = NICKNAMES.get(coreName(nameWords(alias)).join(' '))
    if (byAlias !== undefined) return byAlias
  }
  return []
}

function add(
  names: Map<string, Name>,
  asset: CatalogueAsset,
  words: readonly string[],
  rank: Rank,
  isUpperCase: boolean,
  isShortened: boolean,
): void {
  const only = words.length === 1 ? (words[0] ?? '') : ''
  if (words.length === 0 || words.length > MAX_WORDS || (words.length === 1 && !isUsable(only))) return
  const key = words.join(' ')
  const known = names.get(key)
  if (known !== undefined && known.rank <= rank) {
    // "Sanofi" in New York is the company listed in Paris, of which the catalogue says more.
    const isSame =
      known.assets.some(({ sector, type }) => sector !== null && type === asset.type) && asset.sector === null
    if (known.rank === rank && !isSame && !known.assets.includes(asset)) known.assets.push(asset)
    return
  }
  const isObscure = asset.type === 'equity' && asset.sector === null && rank !== NICKNAME
  const isInitials = words.every((word) => (word.length <= 2 && LATIN.test(word)) || FUNCTION_WORDS.has(word))
  // "S&P" is no short name of "S&P Global", nor "U S" of "U S Global Investors".
  if (isInitials && rank === SHORT) return
  // "Energy Holdings" and "Q2 Holdings" have no core name.
  if (asset.type === 'equity' && rank > OFFICIAL && words.length === 1 && (isDescriptor(only) || isInitialism(only)))
    return
  names.set(key, {
    assets: [asset],
    rank,
    needsCapitals:
      isInitials ||
      (words.length === 1 && isUpperCase && only.length <= 3 && !isOrdinary(only) && asset.type !== 'index'),
    mayBeLowerCase: LOWER_CASE_TYPES.has(asset.type),
    isWeak:
      words.length === 1 &&
      (isWord(only, rank) || (isObscure && isEverydayWord(only)) || (rank === NICKNAME && asset.type === 'commodity')),
    isAbbreviation: words.length === 1 && isInitialism(only),
    isGeneric:
      words.length > 1 && words.every((word) => isOrdinary(word) || isDescriptor(word) || FUNCTION_WORDS.has(word)),
    isShortened,
    isObscure,
  })
}

function isWord(word: string, rank: Rank): boolean {
  return (
    isOrdinary(word) || ABBREVIATIONS.has(word) || (rank === SHORT && (isEnglishWord(word) || WORD_ENDING.test(word)))
  )
}

/** A Chinese or Japanese name has a word per character. */
const MAX_WORDS = 16
const LATIN = /^[a-z\d]+$/
const LOWER_CASE_TYPES: ReadonlySet<string> = new Set(['commodity', 'currency', 'crypto', 'index'])

function isInitialism(word: string): boolean {
  return ABBREVIATIONS.has(word) && !isOrdinary(word)
}

/** A single letter or a number is no name. */
function isUsable(word: string): boolean {
  return word.length > 1 && !/^\d+$/.test(word) && !FUNCTION_WORDS.has(word)
}

function isDistinctive(words: readonly string[]): boolean {
  const own = words.filter((word) => !FUNCTION_WORDS.has(word))
  const word = own[0] ?? ''
  // "New York" is no short name of "New York Mortgage Trust".
  if (own.length > 1) return !own.every(isOrdinary)
  return word.length >= 3 && !isOrdinary(word) && !isDescriptor(word) && !ABBREVIATIONS.has(word)
}

/** Endings of ordinary words, which no list covers completely. Short names with these need context too. */
const WORD_ENDING =
  /.(?:ive|tion|sion|ment|ness|able|ible|ous|ful|less|ical|ing|ized|ary|ology|ism|ship|ance|ence|ics?|al)$/

/** Accepts initials that equal the symbol, or that are long enough to be unique. */
function isOwnAcronym(acronym: string, core: readonly string[], asset: CatalogueAsset): boolean {
  if (acronym.length < 3 || acronym.length > 5 || ABBREVIATIONS.has(acronym)) return false
  if (asset.symbol.toLowerCase() === acronym) return true
  return acronym.length >= 4 && core.length === acronym.length && asset.exchange !== null
}

function isAllCapitals(text: string): boolean {
  return tokenize(text).every((token) => token.shape === 'upper' || token.shape === 'other')
}

function indexStarts(names: ReadonlyMap<string, Name>): Omit<NameIndex, 'names'> {
  const longest = new Map<string, number>()
  const pairs = new Set<string>()
  const lowerCaseStarts = new Set<string>()
  for (const [key, { mayBeLowerCase }] of names) {
    const space = key.indexOf(' ')
    const first = space < 0 ? key : key.slice(0, space)
    if (mayBeLowerCase) lowerCaseStarts.add(first)
    let count = 1
    for (let at = space; at >= 0; at = key.indexOf(' ', at + 1)) {
      if (++count === 3) pairs.add(key.slice(0, at))
    }
    if (count === 2) pairs.add(key)
    if (count > (longest.get(first) ?? 0)) longest.set(first, count)
  }
  return { longest, pairs, lowerCaseStarts }
}
