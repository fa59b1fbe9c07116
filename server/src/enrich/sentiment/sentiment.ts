import type { EntryText } from '../text.ts'
import { wordSet } from '../word-lists.ts'
import { sumEvidence, toScore } from './score.ts'
import { readSentences } from './sentences.ts'
import type { SentimentToken } from './tokens.ts'

/** Scores closer to 0 than this are neutral. */
export const NEUTRAL_BAND = 0.2

/** Returns how good an entry is for holders of the assets it is about, from -1 to 1; 0 without evidence. */
export function sentimentOf(text: EntryText): number {
  return combineFields(titleEvidence(text.title), contentEvidence(text.content))
}

/** Returns the score of an entry with this evidence in its title and its content. */
export function combineFields(title: number, content: number): number {
  if (Math.abs(toScore(title)) < NEUTRAL_BAND) return toScore(title + WEIGHT_WITHOUT_TITLE * content)
  // The content may weaken a clear title but not reverse it.
  const beside = WEIGHT_BESIDE_TITLE * content
  const limit = title * beside < 0 ? Math.abs(title) / 3 : Math.abs(beside)
  return toScore(title + Math.sign(beside) * Math.min(Math.abs(beside), limit))
}

const WEIGHT_WITHOUT_TITLE = 0.9
const WEIGHT_BESIDE_TITLE = 0.4

function titleEvidence(text: string): number {
  const sentences = readSentences(text.slice(0, TITLE_LENGTH))
  const tokens = sentences.flatMap((sentence) => sentence.tokens)
  return sumEvidence(sentences.flatMap(({ evidence }) => evidence)) * titleWeight(tokens)
}

/** Characters read. Most of the evidence is at the beginning. */
const TITLE_LENGTH = 1000
const CONTENT_LENGTH = 3000

/** Each sentence with evidence counts less than the one before. */
const SENTENCE_DECAY = 0.7
const MIN_SENTENCE_WEIGHT = 0.1

function contentEvidence(content: string): number {
  let total = 0
  let weight = 1
  for (const { evidence } of readSentences(content.slice(0, CONTENT_LENGTH))) {
    const value = sumEvidence(evidence)
    if (value === 0) continue
    total += weight * Math.tanh(value)
    weight *= SENTENCE_DECAY
    if (weight < MIN_SENTENCE_WEIGHT) break
  }
  return total
}

/**
 * Returns less than 1 for questions, advice to the reader and notices of events: they use words of success and failure
 * without reporting either.
 */
function titleWeight(tokens: readonly SentimentToken[]): number {
  let factor = 1
  if (tokens.some((token) => token.text === '?') || QUESTION_WORDS.has(tokens[0]?.text ?? '')) factor *= QUESTION_FACTOR
  if (tokens.some((token) => READER_WORDS.has(token.text))) factor *= ADVICE_FACTOR
  if (tokens.some((token) => NOTICE_WORDS.has(token.text))) factor *= NOTICE_FACTOR
  return factor
}

const QUESTION_FACTOR = 0.5
const QUESTION_WORDS = wordSet('what how who where which should is are will can do does could would here')

const ADVICE_FACTOR = 0.5
const READER_WORDS = wordSet('you your yourself i my me')

const NOTICE_FACTOR = 0.4
const NOTICE_WORDS = wordSet(`
  transcript slideshow presentation presents preview webinar webcast podcast conference declares appoints appointed
  names appointment agenda invitation prospectus newsletter`)
