import { eld } from 'eld/small'
import { HINT_LETTERS, HINT_WORDS } from './language-hints.ts'
import type { EntryText } from './text.ts'

/** Returns the language of an entry as an ISO 639-1 code; null if neither its text nor its feed tells. */
export function languageOf(text: EntryText, declared: string | null): string | null {
  const words = stripNoise(`${text.title} ${text.content.slice(0, MAX_LENGTH)}`.slice(0, MAX_LENGTH))
  const script = mainScript(words.all)
  if (script === null) return null
  if (typeof script.language === 'string') return script.language
  const code = normalizeLanguage(declared)
  const isShort = countWords(words.all) < MIN_WORDS
  if (script.pattern === HAN) return code === 'ja' || JAPANESE_FORMS.test(words.all) ? 'ja' : 'zh'
  if (isShort && code !== null && couldBe(code, script)) return code
  const { best, lead } = mostLikely(words.withoutTickers, script, code)
  if (script.language !== null) return best ?? script.language[0] ?? null
  return isShort && lead < CLEAR_LEAD / countWords(words.all) ? null : (best ?? code)
}

/** Reports whether a language is written in a script: a feed that declares English for Chinese text is wrong. */
function couldBe(language: string, script: Script): boolean {
  return script.language === null ? !OTHER_SCRIPTS.has(language) : script.language.includes(language)
}

/** Turns a language tag into its code: "en-US" → "en", "zh_Hans" → "zh". Returns null for anything else. */
export function normalizeLanguage(declared: string | null): string | null {
  const code = /^\s*([a-z]{2,3})(?:[-_][a-z\d_-]*)?\s*$/i.exec((declared ?? '').slice(0, 40))?.[1]?.toLowerCase()
  if (code === undefined || NOT_LANGUAGES.has(code)) return null
  if (code.length === 2) return SAME_LANGUAGE[code] ?? code
  return THREE_LETTERS[code] ?? null
}

const NOT_LANGUAGES = new Set(['xx', 'zz', 'qq', 'na'])
/** Obsolete codes, country codes used as language codes, and the two written forms of Norwegian. */
const SAME_LANGUAGE: Record<string, string> = {
  iw: 'he',
  in: 'id',
  ji: 'yi',
  nb: 'no',
  nn: 'no',
  jp: 'ja',
  cn: 'zh',
  kr: 'ko',
  gr: 'el',
  dk: 'da',
  cz: 'cs',
  us: 'en',
  gb: 'en',
}
const THREE_LETTERS: Record<string, string> = {
  eng: 'en',
  deu: 'de',
  ger: 'de',
  fra: 'fr',
  fre: 'fr',
  spa: 'es',
  ita: 'it',
  por: 'pt',
  nld: 'nl',
  dut: 'nl',
  swe: 'sv',
  dan: 'da',
  nor: 'no',
  nob: 'no',
  fin: 'fi',
  pol: 'pl',
  ces: 'cs',
  tur: 'tr',
  rus: 'ru',
  ukr: 'uk',
  ara: 'ar',
  heb: 'he',
  hin: 'hi',
  jpn: 'ja',
  zho: 'zh',
  chi: 'zh',
  kor: 'ko',
  vie: 'vi',
  tha: 'th',
  ell: 'el',
  ind: 'id',
}

/** A headline and a sentence are enough; more text only takes longer. */
const MAX_LENGTH = 160
/** Shorter texts are mostly names: the detector takes "Bitcoin ETF" for German. */
const MIN_WORDS = 4
/** The lead that the best language needs in a text of few words, times the number of words. */
const CLEAR_LEAD = 0.16

/** Removes tokens that belong to no language: addresses, handles, figures and, in `withoutTickers`, tickers. */
function stripNoise(text: string): { all: string; withoutTickers: string } {
  const all = text
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
    .replace(/[@$#][\p{L}\p{N}_.]+/gu, ' ')
    .replace(/\b[A-Za-z\d-]{1,40}\.(?:com|org|net|io|co|de|fr)\b\S*/g, ' ')
    .replace(/\(?\b[A-Z]{2,8}\s?:\s?[A-Z\d.]{1,6}\b\)?/g, ' ')
    .replace(/\b[A-Za-z]{0,20}\d[A-Za-z\d]*/g, ' ')
  const upperCase = all.match(/\p{Lu}/gu)?.length ?? 0
  const lowerCase = all.match(/\p{Ll}/gu)?.length ?? 0
  // In a headline in capitals every word looks like a ticker.
  const withoutTickers = upperCase > lowerCase ? all : all.replace(/(?<!\p{L})[A-Z]{2,6}(?!\p{L})/gu, ' ')
  return { all, withoutTickers }
}

function countWords(text: string): number {
  return text.match(/\p{L}+/gu)?.length ?? 0
}

interface Script {
  pattern: RegExp
  /** The only language written in the script, or those written in it; null for any language. */
  language: string | readonly string[] | null
  /** A character of a dense script counts as several letters. */
  weight: number
}

const HAN = /\p{Script=Han}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** Characters that only Japanese writes in this form: a headline may contain no kana ("任天堂、営業利益3割減"). */
const JAPANESE_FORMS = /[株円営経発売価対続変単働検済拡戦圧帰総関実県応権証込駅]/u
const SCRIPTS: readonly Script[] = [
  { pattern: /\p{Script=Latin}/gu, language: null, weight: 1 },
  { pattern: /\p{Script=Hangul}/gu, language: 'ko', weight: 5 },
  { pattern: HAN, language: ['zh', 'ja'], weight: 5 },
  { pattern: /\p{Script=Cyrillic}/gu, language: ['ru', 'uk', 'bg', 'be', 'sr'], weight: 1 },
  { pattern: /\p{Script=Arabic}/gu, language: ['ar', 'fa', 'ur', 'ku'], weight: 1.5 },
  { pattern: /\p{Script=Devanagari}/gu, language: ['hi', 'mr'], weight: 1.5 },
  ...Object.entries({
    Greek: 'el',
    Hebrew: 'he',
    Thai: 'th',
    Lao: 'lo',
    Georgian: 'ka',
    Armenian: 'hy',
    Bengali: 'bn',
    Gujarati: 'gu',
    Gurmukhi: 'pa',
    Tamil: 'ta',
    Telugu: 'te',
    Kannada: 'kn',
    Malayalam: 'ml',
    Oriya: 'or',
    Ethiopic: 'am',
    Khmer: 'km',
    Myanmar: 'my',
    Sinhala: 'si',
  }).map(([name, language]) => ({
    pattern: new RegExp(`\\p{Script=${name}}`, 'gu'),
    language,
    weight: 1.5,
  })),
]
const OTHER_SCRIPTS = new Set(
  SCRIPTS.flatMap((script) => script.language ?? []).filter((language) => language !== 'sr'),
)
const JAPANESE: Script = { pattern: KANA, language: 'ja', weight: 5 }

function mainScript(text: string): (Script & { letters: number }) | null {
  const isLatin = !/[^\p{Script=Latin}\P{L}]/u.test(text)
  let main: (Script & { letters: number }) | null = null
  for (const script of isLatin ? SCRIPTS.slice(0, 1) : SCRIPTS) {
    const letters = text.match(script.pattern)?.length ?? 0
    if (letters > 0 && letters * script.weight > (main ? main.letters * main.weight : 0)) main = { ...script, letters }
  }
  if (isLatin) return main
  const kana = text.match(KANA)?.length ?? 0
  const others = main ? main.letters * main.weight : 0
  // One kana in a long Chinese text, perhaps in a brand, does not make it Japanese.
  const isHan = main?.pattern === HAN
  if (kana > 0 && kana * JAPANESE.weight * (isHan ? 25 : 3) > others) return { ...JAPANESE, letters: kana }
  return main
}

/** Names mislead the detector, and names are capitalised, so the words in lower case are detected a second time. */
function mostLikely(words: string, script: Script, declared: string | null): { best: string | null; lead: number } {
  const own = script.language === null ? words : words.replace(/\p{Script=Latin}+/gu, ' ')
  const scores = eld.detect(own).getScores()
  const [[first, most] = ['', 0], [, next] = ['', 0]] = Object.entries(scores)
  if (first === (declared ?? 'en') && most - next >= SURE_LEAD) return { best: first, lead: most - next }
  const lowerCase = own.match(/(?<!\p{L})\p{Ll}{2,}(?!\p{L})/gu) ?? []
  const second = lowerCase.length >= 2 ? eld.detect(lowerCase.join(' ')).getScores() : {}
  const hasAccents = lowerCase.some((word) => /[^a-z]/.test(word))
  const hints = hintsOf(own)
  const common: Guess = { best: null, score: 0, next: 0 }
  const rare: Guess = { best: null, score: 0, next: 0 }
  for (const language of new Set([...Object.keys(scores), ...Object.keys(second), ...hints.keys()])) {
    if (script.language !== null && !script.language.includes(language)) continue
    const isExpected = language === (declared ?? 'en')
    const prior = hasAccents && language === 'en' ? ACCENTS_PRIOR : isExpected ? DECLARED_PRIOR : 1
    const isRare = script.language === null && !isExpected && !COMMON.has(language)
    const detected = (scores[language] ?? 0) + (second[language] ?? 0)
    consider(isRare ? rare : common, language, detected * prior + (hints.get(language) ?? 0))
  }
  const isRare = rare.score - common.score >= RARE_LEAD
  if (isRare) return { best: rare.best, lead: rare.score - Math.max(rare.next, common.score) }
  return { best: common.best, lead: common.score - Math.max(common.next, rare.score - RARE_LEAD) }
}

/** The language with the highest score so far, and the score of the second. */
interface Guess {
  best: string | null
  score: number
  next: number
}

function consider(guess: Guess, language: string, score: number): void {
  if (score > guess.score) {
    guess.next = guess.score
    guess.best = language
    guess.score = score
  } else if (score > guess.next) guess.next = score
}

/** With this lead the expected language needs no second detection. */
const SURE_LEAD = 0.15

function hintsOf(text: string): Map<string, number> {
  const hints = new Map<string, number>()
  const add = (language: string) => hints.set(language, (hints.get(language) ?? 0) + HINT_WEIGHT)
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  for (const word of new Set(words.slice(0, MAX_HINT_WORDS))) {
    for (const language of HINT_WORDS.get(word) ?? []) add(language)
    if (BEYOND_ASCII.test(word)) for (const [language, letters] of HINT_LETTERS) if (letters.test(word)) add(language)
  }
  return hints
}

const BEYOND_ASCII = /[^a-z]/
const HINT_WEIGHT = 0.12
const MAX_HINT_WORDS = 60
const DECLARED_PRIOR = 1.05
/** English words in lower case have no accents. */
const ACCENTS_PRIOR = 0.85
/** The lead of a language that is rare in financial feeds, but often detected by mistake in short texts. */
const RARE_LEAD = 0.06
const COMMON = new Set('en de fr es it pt nl sv da no fi pl cs sk tr ru uk ar he hi ja zh ko vi ro hu el'.split(' '))
