import { sentencesOf } from '../text.ts'
import { type Token, tokenize } from './tokens.ts'

/** A sentence, or a whole title: the words among which context is looked for. */
export interface Passage {
  field: 'title' | 'content'
  text: string
  tokens: readonly Token[]
  /** Index of its first token and the one after its last. */
  from: number
  to: number
  /** What capitals tell here: nothing in Title Case and in CAPITALS, nor where nobody writes any. */
  style: 'sentence' | 'title' | 'capitals' | 'small'
}

export function passagesOf(field: Passage['field'], text: string): Passage[] {
  const tokens = tokenize(text)
  const sentences = field === 'title' ? [{ start: 0, end: text.length }] : sentencesOf(text)
  const passages: Passage[] = []
  let from = 0
  for (const { end } of sentences) {
    let to = from
    while (to < tokens.length && (tokens[to]?.start ?? 0) < end) to++
    if (to > from) passages.push({ field, text, tokens, from, to, style: styleOf(text, tokens, from, to) })
    from = to
  }
  return passages
}

/** Judged by the words that a sentence would not capitalise: not the first, none of the small ones, no hashtag. */
function styleOf(text: string, tokens: readonly Token[], from: number, to: number): Passage['style'] {
  let upper = 0
  let capital = 0
  let lower = 0
  for (let index = from; index < to; index++) {
    const token = tokens[index]
    if (token === undefined || token.shape === 'other' || text.charAt(token.start - 1) === '#') continue
    const length = token.end - token.start
    if (token.shape === 'upper' && length > 1) upper++
    else if (length < 4) continue
    else if (token.shape === 'lower') lower++
    else if (index > from) capital++
  }
  if (upper > 2 * (capital + lower) && upper >= 3) return 'capitals'
  if (capital === 0 && upper === 0 && lower > 0) return lower > 2 && !startsCapital(tokens[from]) ? 'small' : 'sentence'
  return capital > 2 * lower ? 'title' : 'sentence'
}

function startsCapital(token: Token | undefined): boolean {
  return token?.shape === 'capital' || token?.shape === 'upper'
}
