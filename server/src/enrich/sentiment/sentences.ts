import type { Token } from './tokens.ts'

/** Runs of tokens up to a full stop; a list without one is cut so that no text takes more than its share of time. */
export function sentimentSentences(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = []
  let sentence: Token[] = []
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
