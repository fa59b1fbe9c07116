import { parseIdioms, parseWords } from '../word-lists.ts'
import { sentenceEvidence } from './evidence.ts'
import { isKnownWord } from './lexicon.ts'
import { CLAUSE_STARTS } from './modifiers.ts'
import { type Evidence, sumEvidence, toScore } from './score.ts'
import { splitSentences } from './sentences.ts'
import { type SentimentToken, sentimentTokens } from './tokens.ts'

interface Span {
  start: number
  end: number
}

/**
 * The score of one asset: what the clauses say in which it is mentioned. In "Apple rises as Samsung falls" each has its
 * own. null when those clauses say nothing.
 */
export function assetSentiment(text: string, spans: readonly Span[]): number | null {
  const found: Evidence[] = []
  for (const sentence of readSentences(text)) {
    const whole = { start: sentence[0]?.start ?? 0, end: sentence.at(-1)?.end ?? 0 }
    const mentions = spans.filter((span) => touches(whole, span))
    if (mentions.length > 0) found.push(...evidenceAbout(text, sentence, mentions))
  }
  return found.some((one) => one.value !== 0) ? toScore(sumEvidence(found)) : null
}

/** The text that was read last: it is asked about once for each asset that it names. */
let last: { text: string; sentences: SentimentToken[][] } = { text: '', sentences: [] }

function readSentences(text: string): SentimentToken[][] {
  if (last.text !== text) last = { text, sentences: splitSentences(sentimentTokens(text)) }
  return last.sentences
}

function evidenceAbout(text: string, sentence: readonly SentimentToken[], mentions: readonly Span[]): Evidence[] {
  const parts = partsOf(sentence)
  const evidence = sentenceEvidence(sentence)
  const saidIn = (part: Part) => evidence.filter((one) => one.at >= part.from && one.at < part.to && one.value !== 0)
  const about = new Set<Part>()
  for (const [index, part] of parts.entries()) {
    if (!hasMention(sentence, part, mentions)) continue
    const start = saidIn(part).length > 0 ? index : nearestSaying(parts, index, saidIn)
    if (start < 0) continue
    for (let at = start; at < parts.length; at++) {
      const next = parts[at]
      // A clause that names nobody else goes on about the same asset: "Apple beats estimates, raises its dividend".
      if (next === undefined || (at > start && namesAnother(text, sentence, next, mentions))) break
      about.add(next)
    }
  }
  return [...about].flatMap(saidIn).map((one) => asSeenBy(sentence, mentions, one))
}

/** A stretch without a comma or conjunction; `isNew` when what comes before is a different statement. */
interface Part {
  from: number
  to: number
  isNew: boolean
}

const CONJUNCTIONS = new Set(parseIdioms(CLAUSE_STARTS))
const SOFT = new Set(parseWords('and after following amid'))
/** "as" begins a clause unless one of these follows: "rated as buy", "as of May". */
const AFTER_AS = new Set(
  parseWords(`
  well of a an the its part soon much many long to usual planned follows for buy hold sell`),
)

function partsOf(sentence: readonly SentimentToken[]): Part[] {
  const parts: Part[] = []
  let from = 0
  let isNew = true
  const close = (to: number, next: boolean) => {
    if (to > from) parts.push({ from, to, isNew })
    from = to
    isNew = next
  }
  for (const [at, token] of sentence.entries()) {
    if (token.kind === 'mark') {
      if (';|—'.includes(token.text)) close(at, true)
      else if (token.text === ',') close(at, false)
    } else if (CONJUNCTIONS.has(token.text)) {
      if (token.text !== 'as' || !AFTER_AS.has(sentence[at + 1]?.text ?? '')) close(at, true)
    } else if (SOFT.has(token.text)) close(at, false)
  }
  close(sentence.length, true)
  return parts
}

/** "Apple, Microsoft fall", "shares fell at Apple, Microsoft": the statement about a list stands after it, or before. */
function nearestSaying(parts: readonly Part[], index: number, saidIn: (part: Part) => Evidence[]): number {
  for (let at = index + 1; at < parts.length; at++) {
    const part = parts[at]
    if (part === undefined || part.isNew) break
    if (saidIn(part).length > 0) return at
  }
  for (let at = index; at > 0; at--) {
    const before = parts[at - 1]
    if (before === undefined || parts[at]?.isNew) break
    if (saidIn(before).length > 0) return at - 1
  }
  return -1
}

function hasMention(sentence: readonly SentimentToken[], part: Part, mentions: readonly Span[]): boolean {
  for (let at = part.from; at < part.to; at++) {
    const token = sentence[at]
    if (token !== undefined && mentions.some((span) => touches(token, span))) return true
  }
  return false
}

/** A capital letter on a word that is none of the lexicon: most likely somebody else. */
function namesAnother(
  text: string,
  sentence: readonly SentimentToken[],
  part: Part,
  mentions: readonly Span[],
): boolean {
  for (let at = part.from; at < part.to; at++) {
    const token = sentence[at]
    if (token?.kind !== 'word' || mentions.some((span) => touches(token, span))) continue
    if (ASSETS.has(token.text)) return true
    const first = text.charAt(token.start)
    const isName = first === '$' || (first !== first.toLowerCase() && !isKnownWord(token.text) && token.text.length > 1)
    if (isName && !COMMON.has(token.text)) return true
  }
  return false
}

/** In the lexicon, and yet somebody else. */
const ASSETS = new Set(
  parseWords(`
  bitcoin btc ether eth ethereum gold silver oil crude copper sterling dollar euro dow nasdaq`),
)

/** Words that begin with a capital letter in a headline written that way, and name nobody. */
const COMMON = new Set(
  parseWords(`
  the a an its it their his her this that these to of in on at by for with after amid over into says said sees set new
  more than still year quarter month week day first second third fourth half full ceo cfo also will has have is are
  was were be not january february march april may june july august september october november december monday tuesday
  wednesday thursday friday`),
)

/** Who does it to whom: in "Apple sues Samsung" only one has a lawsuit to fear, in "Apple beats Samsung" one loses. */
function asSeenBy(sentence: readonly SentimentToken[], mentions: readonly Span[], one: Evidence): Evidence {
  const verb = sentence[one.at]
  const next = sentence[one.end]
  if (verb === undefined || next === undefined) return one
  const isObject = mentions.some((span) => touches(next, span))
  if (OVER.has(verb.text) && isObject) return { ...one, value: -Math.abs(one.value) }
  if (AGAINST.has(verb.text) && !isObject && mentions.some((span) => span.end <= verb.start))
    return { ...one, value: 0 }
  return one
}

const OVER = new Set(
  parseWords(`
  beat beats overtake overtakes overtook outperform outperforms outperformed tops topped crushes`),
)
const AGAINST = new Set(
  parseWords(`
  sue sues sued accuse accuses accused slams blasts probes fines bans blocks rejects`),
)

function touches(token: Span, span: Span): boolean {
  return token.start < span.end && token.end > span.start
}
