import { sentencesOf } from '../text.ts'
import { type Token, tokenize } from './tokens.ts'

/** A sentence of the content or the whole title: the range in which context is searched. */
export interface Passage {
  field: 'title' | 'content'
  text: string
  tokens: readonly Token[]
  /** The range of its tokens; `to` is exclusive. */
  from: number
  to: number
  /** The use of capitals: they mark names in `sentence` style only. */
  style: 'sentence' | 'title' | 'capitals' | 'lower'
  /** In a language other than English. */
  isForeign: boolean
}

export function passagesOf(field: Passage['field'], text: string, isForeign: boolean): Passage[] {
  const tokens = tokenize(text)
  const sentences = field === 'title' ? [{ start: 0, end: text.length }] : sentencesOf(text)
  const passages: Passage[] = []
  let from = field === 'title' ? wirePrefix(text, tokens) : 0
  for (const { end } of sentences) {
    let to = from
    while (to < tokens.length && (tokens[to]?.start ?? 0) < end) to++
    if (to > from) passages.push({ field, text, tokens, from, to, style: styleOf(text, tokens, from, to), isForeign })
    from = to
  }
  return passages
}

/** Returns the number of tokens of the marks that news agencies put before a headline: "UPDATE 2-", "BRIEF-". */
function wirePrefix(text: string, tokens: readonly Token[]): number {
  const end = WIRE_PREFIX.exec(text)?.[0].length ?? 0
  const count = end === 0 ? 0 : tokens.findIndex((token) => token.start >= end)
  return Math.max(0, count)
}

const WIRE_PREFIX =
  /^(?:(?:[A-Z][A-Z.&]{1,20} ){1,3}\d{1,2}-|(?:UPDATE|BRIEF|RPT|REFILE|CORRECTED|WRAPUP|EXCLUSIVE|FACTBOX|ANALYSIS|INSIGHT|FOCUS|PREVIEW|POLL|TIMELINE|NEWSMAKER|DEALTALK|BUZZ|TABLE|TEXT|URGENT|INTERVIEW|(?:[A-Z]{2,12} ){1,2}(?:STOCKS|MARKETS|DIGEST|SNAPSHOT)|STOCKS|MARKETS)-)+(?=\S)/

/** Looks at words that a sentence would not capitalise: not the first one, short ones and hashtags. */
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
  if (capital === 0 && upper === 0 && lower > 0) return lower > 2 && !startsCapital(tokens[from]) ? 'lower' : 'sentence'
  return capital > 2 * lower ? 'title' : 'sentence'
}

function startsCapital(token: Token | undefined): boolean {
  return token?.shape === 'capital' || token?.shape === 'upper'
}
