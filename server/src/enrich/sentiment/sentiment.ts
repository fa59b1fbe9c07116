import type { EntryText } from '../text.ts'
import { sentenceEvidence } from './evidence.ts'
import { titleWeight } from './frame.ts'
import { sumEvidence, toScore } from './score.ts'
import { splitSentences } from './sentences.ts'
import { sentimentTokens } from './tokens.ts'

/** Scores nearer to 0 than this say neither good nor bad. */
export const NEUTRAL_BAND = 0.2

/** How good the news of an entry are for those who hold what it is about, from -1 to 1; 0 when nothing is said. */
export function sentimentOf(text: EntryText): number {
  const title = titleOf(text.title)
  if (Math.abs(toScore(title)) < NEUTRAL_BAND) return toScore(title + CONTENT_ALONE * contentOf(text.content))
  // A clear title is coloured by the content, never turned round by it.
  const content = CONTENT_BESIDE_TITLE * contentOf(text.content)
  const most = title * content < 0 ? Math.abs(title) / 3 : Math.abs(content)
  return toScore(title + Math.sign(content) * Math.min(Math.abs(content), most))
}

const CONTENT_ALONE = 0.9
const CONTENT_BESIDE_TITLE = 0.4

function titleOf(text: string): number {
  const tokens = sentimentTokens(text.slice(0, TITLE_READ))
  return sumEvidence(splitSentences(tokens).flatMap(sentenceEvidence)) * titleWeight(tokens)
}

/** Longer titles are no headlines. */
const TITLE_READ = 1000

/** A headline stands for the entry; of the content the beginning tells most, and more than this is not read. */
const CONTENT_READ = 3000
const CONTENT_FADE = 0.7
const FADED = 0.1

function contentOf(content: string): number {
  let total = 0
  let weight = 1
  for (const sentence of splitSentences(sentimentTokens(content.slice(0, CONTENT_READ)))) {
    const said = sumEvidence(sentenceEvidence(sentence))
    if (said === 0) continue
    total += weight * Math.tanh(said)
    weight *= CONTENT_FADE
    if (weight < FADED) break
  }
  return total
}
