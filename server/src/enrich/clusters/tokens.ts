import { COMMON_WORDS, STOP_WORDS } from './common-words.ts'

/** A token of a text in the form that clustering compares. */
interface ClusterToken {
  stem: string
  /** A company, a person, a place or a product: names tell similar events apart. */
  isName: boolean
}

/**
 * Returns the tokens of a clean text without stop words. A name has a capital letter and is not a common word; the
 * capital alone is not enough, since many headlines capitalise every word.
 */
export function clusterTokens(text: string, language: string): ClusterToken[] {
  const found: ClusterToken[] = []
  for (const token of splitTokens(text)) {
    const lower = token.toLowerCase()
    if (UNSPACED.test(token)) {
      for (const bigram of bigramsOf(lower)) found.push({ stem: bigram, isName: false })
      continue
    }
    const stem = clusterStem(ALIASES.get(lower) ?? lower, language)
    if (STOP_WORDS.has(lower) || stem === '') continue
    found.push({ stem, isName: token !== lower && token.length > 1 && !isCommon(lower, stem) })
  }
  return found
}

/** Letters and digits, with points and commas inside numbers; "U.S." and "AT&T" are one token. */
const TOKEN =
  /\p{N}+(?:[.,]\p{N}+)*\p{L}{0,8}|(?:\p{Lu}\.){2,4}|\p{Lu}{1,3}&\p{Lu}{1,3}|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}{1,2}(?![\p{L}\p{N}]))?/gu

const POSSESSIVE = /['’]\p{L}{1,2}$/u
const MAX_TOKEN_LENGTH = 40
const MAX_TOKENS = 700

function splitTokens(text: string): string[] {
  const tokens: string[] = []
  for (const [match] of text.matchAll(TOKEN)) {
    const token = match.length > MAX_TOKEN_LENGTH && !UNSPACED.test(match) ? match.slice(0, MAX_TOKEN_LENGTH) : match
    tokens.push(match.endsWith('.') ? token.replaceAll('.', '') : token.replace(POSSESSIVE, ''))
    if (tokens.length === MAX_TOKENS) break
  }
  return tokens
}

/** Scripts written without spaces are compared by character bigrams. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const MAX_BIGRAM_TEXT = 400

function bigramsOf(run: string): string[] {
  const characters = Array.from(run.slice(0, MAX_BIGRAM_TEXT))
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => (characters[index] ?? '') + character)
}

function isCommon(lower: string, stem: string): boolean {
  return COMMON_WORDS.has(lower) || COMMON_STEMS.has(stem) || /^\p{N}/u.test(lower)
}

/** Spellings and abbreviations of one word that are frequent in news. */
const ALIASES = new Map(
  Object.entries({
    first: '1st',
    second: '2nd',
    third: '3rd',
    fourth: '4th',
    bn: 'billion',
    mn: 'million',
    centre: 'center',
    centres: 'center',
    labour: 'labor',
    defence: 'defense',
    btc: 'bitcoin',
    eth: 'ether',
    ethereum: 'ether',
    boj: 'bankofjapan',
    euros: 'euro',
    pm: 'premier',
  }),
)

/** A country, its people and its capital as a name for its government. */
for (const names of `us usa america american washington
  britain british uk
  china chinese beijing
  japan japanese tokyo
  germany german germans berlin
  france french
  india indian delhi
  russia russian russians moscow kremlin
  ukraine ukrainian ukrainians kyiv
  israel israeli israelis
  palestine palestinian palestinians
  iran iranian tehran
  iraq iraqi
  syria syrian
  turkey turkish türkiye ankara
  poland polish warsaw
  italy italian
  spain spanish
  portugal portuguese
  netherlands dutch
  belgium belgian
  switzerland swiss
  austria austrian
  sweden swedish
  norway norwegian
  denmark danish
  finland finnish
  greece greek
  hungary hungarian budapest
  ireland irish
  scotland scottish
  canada canadian canadians ottawa
  mexico mexican
  brazil brazilian
  argentina argentine argentinian
  chile chilean
  colombia colombian
  peru peruvian
  venezuela venezuelan caracas
  cuba cuban
  korea korean
  taiwan taiwanese
  vietnam vietnamese hanoi
  thailand thai
  indonesia indonesian
  philippines philippine filipino
  malaysia malaysian
  australia australian canberra
  pakistan pakistani islamabad
  bangladesh bangladeshi
  afghanistan afghan
  egypt egyptian
  nigeria nigerian
  kenya kenyan
  ethiopia ethiopian
  africa african
  europe european`.split('\n')) {
  const [country = '', ...others] = names.trim().split(' ')
  for (const other of others) ALIASES.set(other, country)
}

/** Strips English endings; in other languages it keeps the first letters of a long word. */
export function clusterStem(word: string, language: string): string {
  if (/^\p{N}/u.test(word)) return normalizeNumber(word)
  if (language !== 'en') return word.length > 7 ? word.slice(0, 7) : word
  if (word.length < 4) return word
  let stem = word
  if (stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`
  else if (/(?:sse|she|che|xe)s$/.test(stem)) stem = stem.slice(0, -2)
  else if (stem.endsWith('s') && !/[usi]s$/.test(stem)) stem = stem.slice(0, -1)
  if (stem.length > 5 && stem.endsWith('ing')) stem = stem.slice(0, -3)
  else if (stem.length > 4 && stem.endsWith('ed')) stem = stem.slice(0, -2)
  if (stem.length > 4 && stem.endsWith('e')) stem = stem.slice(0, -1)
  return stem.length > 3 && /([bdgklmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem
}

/** Keeps the digits, so that "1,200" equals "1200" and "5bn" equals the "5" of "5 billion". */
function normalizeNumber(word: string): string {
  const digits = word.replace(/,(?=\p{N}{3}(?!\p{N}))/gu, '')
  return digits.replace(/(?:bn|mn|m|b|k|tn|pct|th|st|nd|rd)$/u, '').slice(0, 16)
}

const COMMON_STEMS = new Set([...COMMON_WORDS.keys()].map((word) => clusterStem(word, 'en')))
