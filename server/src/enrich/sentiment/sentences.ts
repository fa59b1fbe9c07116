import { sentenceEvidence } from './evidence.ts'
import type { Evidence } from './score.ts'
import { type SentimentToken, sentimentTokens, splitSentences } from './tokens.ts'

/** A sentence with its evidence, which is found when it is first asked for. */
export class Sentence {
  readonly tokens: readonly SentimentToken[]
  #evidence: readonly Evidence[] | undefined

  constructor(tokens: readonly SentimentToken[]) {
    this.tokens = tokens
  }

  get evidence(): readonly Evidence[] {
    this.#evidence ??= sentenceEvidence(this.tokens)
    return this.#evidence
  }

  get start(): number {
    return this.tokens[0]?.start ?? 0
  }

  get end(): number {
    return this.tokens.at(-1)?.end ?? 0
  }
}

/** The last texts read: a title and a content are scored for the entry and for each asset that they mention. */
let last: { text: string; sentences: readonly Sentence[] }[] = []

export function readSentences(text: string): readonly Sentence[] {
  const known = last.find((one) => one.text === text)
  if (known !== undefined) return known.sentences
  const sentences = splitSentences(sentimentTokens(text)).map((tokens) => new Sentence(tokens))
  last = [{ text, sentences }, ...last.slice(0, 1)]
  return sentences
}
