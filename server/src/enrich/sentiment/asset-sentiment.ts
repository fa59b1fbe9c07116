import { parseIdioms, wordSet } from '../word-lists.ts'
import { isKnownWord } from './lexicon.ts'
import { CLAUSE_STARTS } from './modifiers.ts'
import { type Evidence, sumEvidence, toScore } from './score.ts'
import { readSentences, type Sentence } from './sentences.ts'
import type { SentimentToken } from './tokens.ts'

interface Span {
  start: number
  end: number
}

/**
 * Returns the score of one asset from the clauses that mention it: in "Apple rises as Samsung falls" each asset has its
 * own. Null if those clauses contain no evidence.
 */
export function assetSentiment(text: string, spans: readonly Span[]): number | null {
  const found: Evidence[] = []
  for (const sentence of readSentences(text)) {
    const mentions = spans.filter((span) => overlaps(sentence, span))
    if (mentions.length > 0) found.push(...evidenceAbout(text, sentence, mentions))
  }
  return found.some((one) => one.value !== 0) ? toScore(sumEvidence(found)) : null
}

function evidenceAbout(text: string, { tokens, evidence }: Sentence, mentions: readonly Span[]): Evidence[] {
  if (evidence.every((one) => one.value === 0)) return []
  const clauses = clausesOf(tokens)
  const evidenceIn = (clause: Clause) =>
    evidence.filter((one) => one.at >= clause.from && one.at < clause.to && one.value !== 0)
  const about = new Set<Clause>()
  for (const [index, clause] of clauses.entries()) {
    if (!hasMention(tokens, clause, mentions)) continue
    const start = evidenceIn(clause).length > 0 ? index : nearestWithEvidence(clauses, index, evidenceIn)
    if (start < 0) continue
    for (let at = start; at < clauses.length; at++) {
      const next = clauses[at]
      // A clause that names no other asset continues the statement: "Apple beats estimates, raises its dividend".
      if (next === undefined || (at > start && namesOtherAsset(text, tokens, next, mentions))) break
      about.add(next)
    }
  }
  return [...about].flatMap(evidenceIn).map((one) => fromRole(tokens, mentions, one))
}

/** Tokens without a comma or conjunction between them; `isNew` if they begin another statement. */
interface Clause {
  from: number
  to: number
  isNew: boolean
}

const CONJUNCTIONS = new Set(parseIdioms(CLAUSE_STARTS))
const SOFT_CONJUNCTIONS = wordSet('and after following amid')
/** "as" begins no clause before these: "rated as buy", "as of May". */
const NO_CLAUSE_AFTER_AS = wordSet(`
  well of a an the its part soon much many long to usual planned follows for buy hold sell`)

function clausesOf(sentence: readonly SentimentToken[]): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  let isNew = true
  const close = (to: number, next: boolean) => {
    if (to > from) clauses.push({ from, to, isNew })
    from = to
    isNew = next
  }
  for (const [at, token] of sentence.entries()) {
    if (token.kind === 'mark') {
      if (';|—'.includes(token.text)) close(at, true)
      else if (token.text === ',') close(at, false)
    } else if (CONJUNCTIONS.has(token.text)) {
      if (token.text !== 'as' || !NO_CLAUSE_AFTER_AS.has(sentence[at + 1]?.text ?? '')) close(at, true)
    } else if (SOFT_CONJUNCTIONS.has(token.text)) close(at, false)
  }
  close(sentence.length, true)
  return clauses
}

/**
 * Finds the statement about a list, which follows or precedes it: "Apple, Microsoft fall", "shares fell at Apple,
 * Microsoft".
 */
function nearestWithEvidence(
  clauses: readonly Clause[],
  index: number,
  evidenceIn: (clause: Clause) => Evidence[],
): number {
  for (let at = index + 1; at < clauses.length; at++) {
    const clause = clauses[at]
    if (clause === undefined || clause.isNew) break
    if (evidenceIn(clause).length > 0) return at
  }
  for (let at = index; at > 0; at--) {
    const before = clauses[at - 1]
    if (before === undefined || clauses[at]?.isNew) break
    if (evidenceIn(before).length > 0) return at - 1
  }
  return -1
}

function hasMention(sentence: readonly SentimentToken[], clause: Clause, mentions: readonly Span[]): boolean {
  for (let at = clause.from; at < clause.to; at++) {
    const token = sentence[at]
    if (token !== undefined && mentions.some((span) => overlaps(token, span))) return true
  }
  return false
}

/** Reports whether a clause names another asset: a known one, or a capitalised word that is not in the lexicon. */
function namesOtherAsset(
  text: string,
  sentence: readonly SentimentToken[],
  clause: Clause,
  mentions: readonly Span[],
): boolean {
  for (let at = clause.from; at < clause.to; at++) {
    const token = sentence[at]
    if (token?.kind !== 'word' || mentions.some((span) => overlaps(token, span))) continue
    if (ASSETS.has(token.text)) return true
    const first = text.charAt(token.start)
    const isName = first === '$' || (first !== first.toLowerCase() && !isKnownWord(token.text) && token.text.length > 1)
    if (isName && !COMMON.has(token.text)) return true
  }
  return false
}

/** Assets that are also words of the lexicon. */
const ASSETS = wordSet(`
  bitcoin btc ether eth ethereum gold silver oil crude copper sterling dollar euro dow nasdaq`)

/** Words that title case capitalises although they name no asset. */
const COMMON = wordSet(`
  the a an its it their his her this that these to of in on at by for with after amid over into says said sees set new
  more than still year quarter month week day first second third fourth half full ceo cfo also will has have is are
  was were be not january february march april may june july august september october november december monday tuesday
  wednesday thursday friday`)

/**
 * Adjusts evidence to the asset's role: "Apple sues Samsung" is bad for Samsung only, and so is "Apple beats Samsung".
 */
function fromRole(sentence: readonly SentimentToken[], mentions: readonly Span[], one: Evidence): Evidence {
  const verb = sentence[one.at]
  const next = sentence[one.end]
  if (verb === undefined || next === undefined) return one
  const isObject = mentions.some((span) => overlaps(next, span))
  if (DEFEATS.has(verb.text) && isObject) return { ...one, value: -Math.abs(one.value) }
  if (ATTACKS.has(verb.text) && !isObject && mentions.some((span) => span.end <= verb.start))
    return { ...one, value: 0 }
  return one
}

const DEFEATS = wordSet(`
  beat beats overtake overtakes overtook outperform outperforms outperformed tops topped crushes`)
const ATTACKS = wordSet(`
  sue sues sued accuse accuses accused slams blasts probes fines bans blocks rejects`)

function overlaps(token: Span, span: Span): boolean {
  return token.start < span.end && token.end > span.start
}
