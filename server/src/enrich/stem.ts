/**
 * Returns the stem of a lower-case English word by the Snowball English stemmer ("Porter2"): "cutting" and "cuts"
 * become "cut". Words with characters other than a–z and apostrophes are returned unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > MAX_WORD_LENGTH || !ENGLISH.test(word)) return word
  const special = SPECIAL_WORDS.get(word)
  if (special !== undefined) return special
  const plain = markConsonantY(dropPossessive(word))
  const [r1, r2] = regionsOf(plain)
  let result = dropPlural(plain)
  if (!UNCHANGED_AFTER_PLURAL.has(result)) {
    result = dropPastAndGerund(result, r1)
    result = replaceFinalY(result)
    result = shortenSuffix(result, r1)
    result = dropSuffix(result, r1, r2)
    result = dropResidual(result, r2)
    result = dropFinalEOrL(result, r1, r2)
  }
  return result.replaceAll('Y', 'y')
}

/** Longer than any English word. */
const MAX_WORD_LENGTH = 40
const ENGLISH = /^[a-z']+$/

const SPECIAL_WORDS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
)

const UNCHANGED_AFTER_PLURAL = new Set(
  'inning outing canning herring earring evening proceed exceed succeed'.split(' '),
)

function dropPossessive(word: string): string {
  return word.replace(/^'/, '').replace(/'(?:s'?)?$/, '')
}

/** Marks a consonant y (at the start or after a vowel) as Y until the end. */
function markConsonantY(word: string): string {
  return word.includes('y') ? word.replace(/^y|(?<=[aeiouy])y/g, 'Y') : word
}

/**
 * R1 begins after the first consonant that follows a vowel, R2 likewise within R1. A suffix is dropped only inside its
 * region. Some prefixes fix R1, since "general" and "generous" would otherwise get one stem.
 */
function regionsOf(word: string): [r1: number, r2: number] {
  const r1 = LONG_PREFIX.exec(word)?.[0].length ?? afterVowelConsonant(word, 0)
  return [r1, afterVowelConsonant(word, r1)]
}

const LONG_PREFIX = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/

function afterVowelConsonant(word: string, from: number): number {
  let at = from
  while (at < word.length && !isVowel(word, at)) at++
  while (at < word.length && isVowel(word, at)) at++
  return Math.min(at + 1, word.length)
}

function isVowel(word: string, at: number): boolean {
  return 'aeiouy'.includes(word.charAt(at))
}

const HAS_VOWEL = /[aeiouy]/
const ENDS_IN_DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/
/** Ends in a short syllable: "hop", or "at" as the whole word. */
const ENDS_SHORT = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$/

/** Step 1a. */
function dropPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (word.endsWith('us') || word.endsWith('ss') || !word.endsWith('s')) return word
  return HAS_VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

/** Step 1b. */
function dropPastAndGerund(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed !== null) return eed.index >= r1 ? word.slice(0, eed.index + 2) : word
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (ending === null) return word
  const rest = word.slice(0, ending.index)
  if (!HAS_VOWEL.test(rest)) return word
  return repairEnd(rest, ending[0], r1)
}

function repairEnd(rest: string, ending: string, r1: number): string {
  // "dying" → "die"
  if (ending === 'ing' && /^[^aeiouy]y$/.test(rest)) return `${rest.charAt(0)}ie`
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (ENDS_IN_DOUBLE.test(rest)) return /^[aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest) ? rest : rest.slice(0, -1)
  return rest.length <= r1 && ENDS_SHORT.test(rest) ? `${rest}e` : rest
}

/** Step 1c. */
function replaceFinalY(word: string): string {
  return word.length > 2 && /[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word
}

/** Step 2. */
function shortenSuffix(word: string, r1: number): string {
  const suffix = LONG_SUFFIX.exec(word)
  if (suffix === null || suffix.index < r1) return word
  const before = word.slice(0, suffix.index)
  if (suffix[0] === 'ogi') return before.endsWith('l') ? word.slice(0, -1) : word
  if (suffix[0] === 'li') return /[cdeghkmnrt]$/.test(before) ? before : word
  return before + (SHORTER_SUFFIX[suffix[0]] ?? '')
}

const SHORTER_SUFFIX: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  izer: 'ize',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  aliti: 'al',
  alli: 'al',
  fulness: 'ful',
  ousli: 'ous',
  ousness: 'ous',
  iveness: 'ive',
  iviti: 'ive',
  biliti: 'ble',
  bli: 'ble',
  ogist: 'og',
  fulli: 'ful',
  lessli: 'less',
}
const LONG_SUFFIX = longestSuffix([...Object.keys(SHORTER_SUFFIX), 'ogi', 'li'])

/** Step 3. */
function dropSuffix(word: string, r1: number, r2: number): string {
  const suffix = MIDDLE_SUFFIX.exec(word)
  if (suffix === null || suffix.index < r1) return word
  if (suffix[0] === 'ative') return suffix.index >= r2 ? word.slice(0, suffix.index) : word
  return word.slice(0, suffix.index) + (MIDDLE_SUFFIXES[suffix[0]] ?? '')
}

const MIDDLE_SUFFIXES: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}
const MIDDLE_SUFFIX = longestSuffix([...Object.keys(MIDDLE_SUFFIXES), 'ative'])

/** Step 4. */
function dropResidual(word: string, r2: number): string {
  const suffix = RESIDUAL_SUFFIX.exec(word)
  if (suffix === null || suffix.index < r2) return word
  const before = word.slice(0, suffix.index)
  return suffix[0] !== 'ion' || /[st]$/.test(before) ? before : word
}

const RESIDUAL_SUFFIX = longestSuffix(
  'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'.split(' '),
)

/** Step 5. */
function dropFinalEOrL(word: string, r1: number, r2: number): string {
  const at = word.length - 1
  if (word.endsWith('e')) {
    const isLong = at >= r2 || (at >= r1 && !ENDS_SHORT.test(word.slice(0, -1)))
    return isLong ? word.slice(0, -1) : word
  }
  return word.endsWith('ll') && at >= r2 ? word.slice(0, -1) : word
}

/** Matches the longest of the suffixes: the leftmost match at the end of a word is found first. */
function longestSuffix(suffixes: readonly string[]): RegExp {
  return new RegExp(`(?:${suffixes.join('|')})$`)
}
