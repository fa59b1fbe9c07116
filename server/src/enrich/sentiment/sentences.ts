import type { SentimentToken } from './tokens.ts'

/** Runs of tokens up to a full stop; a list without one is cut so that no text takes more than its share of time. */
export function splitSentences(tokens: readonly SentimentToken[]): SentimentToken[][] {
  const sentences: SentimentToken[][] = []
  let sentence: SentimentToken[] = []
  for (const token of tokens) {
    sentence.push(token)
    if (token.kind === 'stop' || sentence.length >= LONGEST_SENTENCE) {
      sentences.push(sentence)
      sentence = []
    }
  }
  if (sentence.length > 0) sentences.push(sentence)
  return sentences
}

const LONGEST_SENTENCE = 100
