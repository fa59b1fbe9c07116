import { COMMON_WORDS, STOP_WORDS } from './common-words.ts'

/** A word of a text in the form in which texts are compared. */
export interface ClusterToken {
  stem: string
  /** Tells this story from others of its kind: a company, a person, a place, a product. */
  isName: boolean
}

/**
 * The words of a clean text without those that say nothing. Names are known by their capital letter and by not
 * being a common word: headlines that capitalise every word are too many to trust the letter alone.
 */
export function clusterTokens(text: string, language: string): ClusterToken[] {
  const tokens = splitTokens(text)
  const words: ClusterToken[] = []
  for (const token of tokens) {
    const lower = token.toLowerCase()
    if (UNSPACED.test(token)) {
      for (const pair of bigramsOf(lower)) words.push({ stem: pair, isName: false })
      continue
    }
    const stem = clusterStem(ALIASES.get(lower) ?? lower, language)
    if (STOP_WORDS.has(lower) || stem === '') continue
    words.push({ stem, isName: token !== lower && token.length > 1 && !isCommon(lower, stem) })
  }
  return words
}

/** Letters and digits, with points and commas inside of numbers; "U.S." and "AT&T" are one word. */
const TOKEN =
  /\p{N}+(?:[.,]\p{N}+)*\p{L}{0,8}|(?:\p{Lu}\.){2,4}|\p{Lu}{1,3}&\p{Lu}{1,3}|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}{1,2}(?![\p{L}\p{N}]))?/gu

const POSSESSIVE = /['’]\p{L}{1,2}$/u
const LONGEST_TOKEN = 40
const MOST_TOKENS = 700

function splitTokens(text: string): string[] {
  const tokens: string[] = []
  for (const [match] of text.matchAll(TOKEN)) {
    const token = match.length > LONGEST_TOKEN && !UNSPACED.test(match) ? match.slice(0, LONGEST_TOKEN) : match
    tokens.push(match.endsWith('.') ? token.replaceAll('.', '') : token.replace(POSSESSIVE, ''))
    if (tokens.length === MOST_TOKENS) break
  }
  return tokens
}

/** Scripts that are written without spaces are compared by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const MOST_PAIRS = 400

function bigramsOf(run: string): string[] {
  const signs = Array.from(run.slice(0, MOST_PAIRS))
  if (signs.length < 2) return signs
  return signs.slice(1).map((sign, index) => (signs[index] ?? '') + sign)
}

function isCommon(lower: string, stem: string): boolean {
  return COMMON_WORDS.has(lower) || COMMON_STEMS.has(stem) || /^\p{N}/u.test(lower)
}

/** Different spellings of one thing, where they are frequent in news. */
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

/** A country, its people and how its government is called for short. */
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

/** Takes off the endings of English; of other languages it keeps the beginning of a long word. */
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

/** "1,200" and "1200", "5bn" and "5 billion" agree in the digits. */
function normalizeNumber(word: string): string {
  const digits = word.replace(/,(?=\p{N}{3}(?!\p{N}))/gu, '')
  return digits.replace(/(?:bn|mn|m|b|k|tn|pct|th|st|nd|rd)$/u, '').slice(0, 16)
}

const COMMON_STEMS = new Set([...COMMON_WORDS.keys()].map((word) => clusterStem(word, 'en')))
