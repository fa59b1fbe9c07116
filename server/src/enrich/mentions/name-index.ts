import type { CatalogueAsset } from './asset.ts'
import {
  abbreviatedForm,
  acronymOf,
  coreName,
  isDescriptor,
  nameWords,
  SMALL_WORDS,
  shortFormsOf,
  withoutShareClass,
} from './legal-names.ts'
import { NICKNAMES } from './nicknames.ts'
import { ABBREVIATIONS, isOrdinary } from './ordinary-words.ts'
import { tokenize } from './tokens.ts'

/** A way to say an asset. */
export interface Name {
  /** More than one when the catalogue does not tell whose it is. */
  assets: CatalogueAsset[]
  rank: Rank
  /** Initials such as GE: anything but capitals is another word. */
  needsCapitals: boolean
  /** "gold" and "bitcoin" are written small; "apple" then is a fruit. */
  mayBeSmall: boolean
  /** Ordinary words, which need context to be a name. */
  isWeak: boolean
  /** Initials that everybody uses for something else: only another mention of the asset makes them its name. */
  isAbbreviation: boolean
  /** No word of it is a name: "US Energy" may begin a ministry's. */
  isGeneric: boolean
  /** Made from the legal name by leaving words out: another firm may begin in the same way. */
  isShortened: boolean
}

/** Whose a name is when several claim it: the lower rank wins. */
type Rank = 0 | 1 | 2 | 3 | 4
const GIVEN = 0
const STEM = 1
const NICKNAME = 2
const SHORT = 3
const ACRONYM = 4

/** Every way to say the assets of a catalogue, looked up by normalised words. */
export interface NameIndex {
  names: ReadonlyMap<string, Name>
  /** The number of words of the longest name that begins with a word. */
  longest: ReadonlyMap<string, number>
  /** The first two words of each name of several: most texts part from all names at the second. */
  pairs: ReadonlySet<string>
  /** First words of names that may be written small; all others are passed over where they are. */
  smallBeginnings: ReadonlySet<string>
}

export function indexNames(assets: readonly CatalogueAsset[]): NameIndex {
  const names = new Map<string, Name>()
  const listings = new Set<string>()
  const beginnings = new Map<string, string>()
  const stems: { asset: CatalogueAsset; stem: string[]; isShouted: boolean }[] = []
  // What is still listed comes first: a name that two share is its.
  for (const asset of [...assets].sort((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))) {
    const words = nameWords(asset.name)
    const isShouted = asset.name === asset.name.toUpperCase()
    const listing = `${asset.type} ${withoutShareClass(words).join(' ')}`
    // Share classes and preferred shares of one company: its name means the first.
    if (listings.has(listing)) continue
    listings.add(listing)
    add(names, asset, words, GIVEN, isShouted, false)
    for (const alias of asset.aliases) add(names, asset, nameWords(alias), GIVEN, isAllCapitals(alias), false)
    if (asset.type !== 'equity') continue
    const stem = coreName(words)
    stems.push({ asset, stem, isShouted })
    const first = stem[0] ?? ''
    beginnings.set(first, beginnings.has(first) && beginnings.get(first) !== stem.join(' ') ? '' : stem.join(' '))
  }
  for (const { asset, stem, isShouted } of stems) {
    add(names, asset, stem, STEM, isShouted, false)
    for (const said of spokenNames(asset, stem))
      add(names, asset, nameWords(said), NICKNAME, isAllCapitals(said), false)
    const isFirstWordOwn = beginnings.get(stem[0] ?? '') !== ''
    for (const short of shortFormsOf(stem)) {
      const isOwn = short.length > 1 || isFirstWordOwn
      if (isOwn && isDistinctive(short)) add(names, asset, short, SHORT, isShouted, true)
    }
    const abbreviated = abbreviatedForm(stem)
    if (abbreviated !== null) add(names, asset, abbreviated, SHORT, isShouted, true)
    // "Lockheed" and "Lululemon" need no second word; short words do.
    const first = stem.slice(0, 1)
    if (stem.length > 1 && isFirstWordOwn && (first[0] ?? '').length >= 7 && isDistinctive(first)) {
      add(names, asset, first, SHORT, isShouted, true)
    }
    // "Exxon Mobil" is written in one word as well.
    if (stem.length === 2 && !stem.some((word) => word.length < 3 || isDescriptor(word))) {
      add(names, asset, [stem.join('')], SHORT, false, false)
    }
    const acronym = acronymOf(stem)
    if (isOwnAcronym(acronym, stem, asset)) add(names, asset, [acronym], ACRONYM, true, false)
  }
  return { names, ...beginningsOf(names) }
}

function spokenNames(asset: CatalogueAsset, stem: readonly string[]): readonly string[] {
  const byStem = NICKNAMES.get(stem.join(' '))
  if (byStem !== undefined) return byStem
  // "AMAZON COM" and "Amazon.com" leave different stems; the catalogue's own short name may be the one listed.
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
  isShouted: boolean,
  isShortened: boolean,
): void {
  const only = words.length === 1 ? (words[0] ?? '') : ''
  if (words.length === 0 || words.length > MOST_WORDS || (words.length === 1 && !isSayable(only))) return
  const key = words.join(' ')
  const known = names.get(key)
  if (known !== undefined && known.rank <= rank) {
    // Two companies of one name of several words are the two listings of one: "Rio Tinto plc" and "Rio Tinto Ltd".
    const isSame = known.assets.includes(asset) || (rank === STEM && words.length > 1)
    if (known.rank === rank && !isSame) known.assets.push(asset)
    return
  }
  const isInitials = words.every((word) => word.length <= 2 || SMALL_WORDS.has(word))
  // "S&P Global" is not "S&P" for short, nor "U S Global Investors" "U S".
  if (isInitials && rank === SHORT) return
  // "Energy Holdings", "Q2 Holdings": what is left is no name.
  if (asset.type === 'equity' && rank > GIVEN && words.length === 1 && (isDescriptor(only) || isInitialism(only)))
    return
  names.set(key, {
    assets: [asset],
    rank,
    needsCapitals: isInitials || (words.length === 1 && isShouted && only.length <= 3 && !isOrdinary(only)),
    mayBeSmall: SMALL_TYPES.has(asset.type),
    isWeak:
      words.length === 1 && (isOrdinary(only) || ABBREVIATIONS.has(only) || (rank === SHORT && WORD_ENDING.test(only))),
    isAbbreviation: words.length === 1 && isInitialism(only),
    isGeneric:
      words.length > 1 && words.every((word) => isOrdinary(word) || isDescriptor(word) || SMALL_WORDS.has(word)),
    isShortened,
  })
}

const MOST_WORDS = 10
const SMALL_TYPES: ReadonlySet<string> = new Set(['commodity', 'currency', 'crypto', 'index'])

function isInitialism(word: string): boolean {
  return ABBREVIATIONS.has(word) && !isOrdinary(word)
}

/** A single letter says nothing; a figure alone is an amount. */
function isSayable(word: string): boolean {
  return word.length > 1 && !/^\d+$/.test(word) && !SMALL_WORDS.has(word)
}

function isDistinctive(words: readonly string[]): boolean {
  const own = words.filter((word) => !SMALL_WORDS.has(word))
  const word = own[0] ?? ''
  return own.length > 1 || (word.length >= 3 && !isOrdinary(word) && !isDescriptor(word) && !ABBREVIATIONS.has(word))
}

/** No list holds all adjectives and nouns; a short form that is built like one needs context too. */
const WORD_ENDING =
  /.(?:ive|tion|sion|ment|ness|able|ible|ous|ful|less|ical|ing|ized|ary|ology|ism|ship|ance|ence|ics?|al)$/

/** Initials are believed when the symbol agrees, or when there are enough of them to be nobody else's. */
function isOwnAcronym(acronym: string, stem: readonly string[], asset: CatalogueAsset): boolean {
  if (acronym.length < 3 || acronym.length > 5 || ABBREVIATIONS.has(acronym)) return false
  if (asset.symbol.toLowerCase() === acronym) return true
  return acronym.length >= 4 && stem.length === acronym.length && asset.exchange !== null
}

function isAllCapitals(text: string): boolean {
  return tokenize(text).every((token) => token.shape === 'upper' || token.shape === 'other')
}

function beginningsOf(names: ReadonlyMap<string, Name>): Omit<NameIndex, 'names'> {
  const longest = new Map<string, number>()
  const pairs = new Set<string>()
  const smallBeginnings = new Set<string>()
  for (const [key, { mayBeSmall }] of names) {
    const space = key.indexOf(' ')
    const first = space < 0 ? key : key.slice(0, space)
    if (mayBeSmall) smallBeginnings.add(first)
    let count = 1
    for (let at = space; at >= 0; at = key.indexOf(' ', at + 1)) {
      if (++count === 3) pairs.add(key.slice(0, at))
    }
    if (count === 2) pairs.add(key)
    if (count > (longest.get(first) ?? 0)) longest.set(first, count)
  }
  return { longest, pairs, smallBeginnings }
}
