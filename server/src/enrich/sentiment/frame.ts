import { parseWords } from '../word-lists.ts'
import type { LexiconMatch } from './lexicon.ts'
import type { SentimentToken } from './tokens.ts'

/**
 * How much weight a text's words have by the way it speaks. A question, advice to the reader or the notice of a
 * presentation uses the words of success and failure without saying that anybody succeeded or failed.
 */
export function titleWeight(tokens: readonly SentimentToken[]): number {
  let factor = 1
  if (tokens.some((token) => token.text === '?') || QUESTIONS.has(tokens[0]?.text ?? '')) factor *= QUESTION_FACTOR
  if (tokens.some((token) => READER.has(token.text))) factor *= READER_FACTOR
  if (tokens.some((token) => NOTICES.has(token.text))) factor *= NOTICE_FACTOR
  return factor
}

const QUESTION_FACTOR = 0.5
const QUESTIONS = new Set(parseWords('what how who where which should is are will can do does could would here'))

const READER_FACTOR = 0.5
const READER = new Set(parseWords('you your yourself i my me'))

const NOTICE_FACTOR = 0.4
const NOTICES = new Set(
  parseWords(`
  transcript slideshow presentation presents preview webinar webcast podcast conference declares appoints appointed
  names appointment agenda invitation prospectus newsletter`),
)

/** Whether a sentence speaks of a company's or a market's business at all: a figure, a ticker, a word of finance. */
export function isAboutBusiness(tokens: readonly SentimentToken[], terms: readonly LexiconMatch[]): boolean {
  if (terms.some(({ term }) => term.subject !== undefined)) return true
  return tokens.some(
    ({ measure, text }) => measure === 'percent' || measure === 'money' || text.startsWith('$') || BUSINESS.has(text),
  )
}

const BUSINESS = new Set(
  parseWords(`
  company companies inc corp plc ltd oyj asa ceo customer plant factory premarket investors analyst analysts`),
)
