import type { MentionedAsset } from './asset.ts'
import { acronymOf, isDescriptor, nameWords, SMALL_WORDS, shortOf, stemOf } from './legal-names.ts'
import { NICKNAMES } from './nicknames.ts'
import { ABBREVIATIONS, isOrdinary } from './ordinary-words.ts'
import { tokenize } from './tokens.ts'

/** A way to say an asset. */
export interface Name {
  /** More than one when the catalogue does not tell whose it is. */
  assets: MentionedAsset[]
  rank: Rank
  /** Initials such as GE: anything but capitals is another word. */
  needsCapitals: boolean
  /** "gold" and "bitcoin" are written small; "apple" then is a fruit. */
  mayBeSmall: boolean
  /** Ordinary words, which need context to be a name. */
  isWeak: boolean
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
}

export function indexNames(assets: readonly MentionedAsset[]): NameIndex {
  const names = new Map<string, Name>()
  const listings = new Map<string, MentionedAsset>()
  const beginnings = new Map<string, string>()
  const stems: { asset: MentionedAsset; stem: string[]; isShouted: boolean }[] = []
  for (const asset of assets) {
    const words = nameWords(asset.name)
    const isShouted = asset.name === asset.name.toUpperCase()
    const listing = `${asset.type} ${words.join(' ')}`
    const other = listings.get(listing)
    // Share classes and preferred shares of one company: its name means the first, or the one still listed.
    if (other !== undefined && (other.status === 'active' || asset.status !== 'active')) continue
    listings.set(listing, asset)
    add(names, asset, words, GIVEN, isShouted, false)
    for (const alias of asset.aliases) add(names, asset, nameWords(alias), GIVEN, isAllCapitals(alias), false)
    if (asset.type !== 'equity') continue
    const stem = stemOf(words)
    stems.push({ asset, stem, isShouted })
    const first = stem[0] ?? ''
    beginnings.set(first, beginnings.has(first) && beginnings.get(first) !== stem.join(' ') ? '' : stem.join(' '))
  }
  for (const { asset, stem, isShouted } of stems) {
    add(names, asset, stem, STEM, isShouted, true)
    for (const said of spokenNames(asset, stem))
      add(names, asset, nameWords(said), NICKNAME, isAllCapitals(said), false)
    const short = shortOf(stem)
    const isOwn = short.length > 1 || beginnings.get(short[0] ?? '') !== ''
    if (short.length < stem.length && isOwn && isDistinctive(short)) add(names, asset, short, SHORT, isShouted, true)
    // "Exxon Mobil" is written in one word as well.
    if (stem.length === 2 && !stem.some((word) => word.length < 3 || isDescriptor(word))) {
      add(names, asset, [stem.join('')], SHORT, false, false)
    }
    const acronym = acronymOf(stem)
    if (isOwnAcronym(acronym, stem, asset)) add(names, asset, [acronym], ACRONYM, true, false)
  }
  return { names, longest: countWords(names) }
}

function spokenNames(asset: MentionedAsset, stem: readonly string[]): readonly string[] {
  const byStem = NICKNAMES[stem.join(' ')]
  if (byStem !== undefined) return byStem
  // "AMAZON COM" and "Amazon.com" leave different stems; the catalogue's own short name may be the one listed.
  for (const alias of asset.aliases) {
    const byAlias = NICKNAMES[stemOf(nameWords(alias)).join(' ')]
    if (byAlias !== undefined) return byAlias
  }
  return []
}

function add(
  names: Map<string, Name>,
  asset: MentionedAsset,
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
    if (known.rank === rank && !known.assets.includes(asset)) known.assets.push(asset)
    return
  }
  const isInitials = words.every((word) => word.length <= 2 || SMALL_WORDS.has(word))
  names.set(key, {
    assets: [asset],
    rank,
    needsCapitals: isInitials || (words.length === 1 && isShouted && only.length <= 3 && !isOrdinary(only)),
    mayBeSmall: SMALL_TYPES.has(asset.type),
    isWeak: words.length === 1 && (isOrdinary(only) || ABBREVIATIONS.has(only)),
    isShortened,
  })
}

const MOST_WORDS = 10
const SMALL_TYPES: ReadonlySet<string> = new Set(['commodity', 'currency', 'crypto', 'index'])

/** A single letter says nothing; a figure alone is an amount. */
function isSayable(word: string): boolean {
  return word.length > 1 && !/^\d+$/.test(word) && !SMALL_WORDS.has(word)
}

function isDistinctive(words: readonly string[]): boolean {
  const own = words.filter((word) => !SMALL_WORDS.has(word))
  if (own.length > 1) return own.some((word) => !isOrdinary(word))
  const word = own[0] ?? ''
  return word.length >= 4 && !isOrdinary(word) && !isDescriptor(word) && !ABBREVIATIONS.has(word)
}

/** Initials are believed when the symbol agrees, or when there are enough of them to be nobody else's. */
function isOwnAcronym(acronym: string, stem: readonly string[], asset: MentionedAsset): boolean {
  if (acronym.length < 3 || acronym.length > 5 || ABBREVIATIONS.has(acronym)) return false
  if (asset.symbol.toLowerCase() === acronym) return true
  return acronym.length >= 4 && stem.length === acronym.length && asset.exchange !== null
}

function isAllCapitals(text: string): boolean {
  return tokenize(text).every((token) => token.shape === 'upper' || token.shape === 'other')
}

function countWords(names: ReadonlyMap<string, Name>): Map<string, number> {
  const longest = new Map<string, number>()
  for (const key of names.keys()) {
    const space = key.indexOf(' ')
    const first = space < 0 ? key : key.slice(0, space)
    let count = 1
    for (let at = space; at >= 0; at = key.indexOf(' ', at + 1)) count++
    if (count > (longest.get(first) ?? 0)) longest.set(first, count)
  }
  return longest
}
