import type { CatalogueAsset } from './asset.ts'
import {
  ADVERBS,
  ADVISED,
  ADVISERS,
  AFTER_PASSIVE,
  ANALYST_NOUNS,
  BUSINESS_ON,
  CALL_NOUNS,
  CHANGE_VERBS,
  DIVISION_WORDS,
  EXCHANGES,
  FIRM_SECTORS,
  FIRM_WORDS,
  FIRMS,
  FOREIGN_RATINGS,
  JUDGED_BY,
  LISTING_WORDS,
  MARKET_WORDS,
  MEETING_WORDS,
  NO_ANALYSTS,
  OPINION_VERBS,
  OWN_AFFAIRS,
  OWN_MEETING,
  PASSIVE_RATINGS,
  PLATFORMS,
  POST_WORDS,
  RATING_CONTEXT,
  RATING_VERBS,
  RATING_WORDS,
  SOURCE_WORDS,
  SPEECH_VERBS,
} from './bystander-words.ts'
import { isBreak, type TokenSpan, wordAt } from './context.ts'
import { coreName, nameWords } from './legal-names.ts'
import type { Passage } from './passage.ts'

/** Reports whether a mention is an analyst, a source or a venue and not the subject of the text. */
export function isBystander(asset: CatalogueAsset, span: TokenSpan, hasOthers: boolean): boolean {
  if (isConference(span) || isRater(span)) return true
  if ((asset.type === 'index' || asset.type === 'equity') && isListing(span)) return true
  const kind = kindOf(asset)
  if (kind === 'platform') return isPostedOn(span)
  // The newspaper, not the index: "… - Nikkei".
  if (asset.type === 'index' && isAfterDash(span.passage, span.first) && span.last + 1 >= span.passage.to) return true
  if (kind === 'firm' && hasOthers && span.passage.isForeign && FOREIGN_RATINGS.test(span.passage.text.slice(0, 300)))
    return true
  return kind === 'firm' && (isSource(span, hasOthers) || isAnalyst(span, hasOthers) || isAdviser(span))
}

type Kind = 'firm' | 'platform' | 'other'
const kinds = new WeakMap<CatalogueAsset, Kind>()

function kindOf(asset: CatalogueAsset): Kind {
  const known = kinds.get(asset)
  if (known !== undefined) return known
  const core = coreName(nameWords(asset.name))
  const kind = PLATFORMS.has(core.join(' ')) ? 'platform' : isFirm(asset, core) ? 'firm' : 'other'
  kinds.set(asset, kind)
  return kind
}

/** Recognises banks, brokers, researchers and rating agencies by sector or, without one, by name. */
function isFirm(asset: CatalogueAsset, core: readonly string[]): boolean {
  // "S&P said" is the agency, though the catalogue may have only the index.
  if (asset.type !== 'equity') return asset.type === 'index' && asset.name.startsWith('S&P')
  if (asset.sector !== null && FIRM_SECTORS.has(asset.sector.toLowerCase())) {
    return asset.industry === null || !NO_ANALYSTS.test(asset.industry)
  }
  return FIRMS.has(core.join(' ')) || core.some((word) => FIRM_WORDS.has(word))
}

/** Recognises "according to Citi", "says Morgan Stanley", "analysts at UBS", "… - Goldman Sachs", "Jefferies: …". */
function isSource(span: TokenSpan, hasOthers: boolean): boolean {
  const { passage, first, last } = span
  const before = wordAt(passage, first - 1)
  const before2 = wordAt(passage, first - 2)
  if (before === 'to' && before2 === 'according') return true
  if (hasOthers && JUDGED_BY.has(before)) return true
  if (before === 'per' || before === 'via' || before === 'by' || before === 'at' || before === 'from') {
    if (before === 'via') return true
    if (SOURCE_WORDS.has(before2) || (before === 'per' && hasOthers)) return true
  }
  const isLast = last + 1 >= passage.to || isBreak(passage, last + 1)
  if (SPEECH_VERBS.has(before) && isLast && isMarketCommentary(span, hasOthers)) return true
  if (passage.field !== 'title') return false
  const isAtEnd = last + 1 >= passage.to || (passage.tokens[last]?.possessive !== null && last + 3 >= passage.to)
  if (isAfterDash(passage, first) && isAtEnd) return true
  const isHeading = first === passage.from && passage.text.startsWith(':', endOf(passage, last))
  return isHeading && isMarketCommentary(span, hasOthers)
}

/** Recognises "Goldman Sachs cuts Tesla to sell", "UBS analyst", "Barclays' note". */
function isAnalyst(span: TokenSpan, hasOthers: boolean): boolean {
  const { passage, first } = span
  let { last } = span
  // Skips the name of a division: "BMO Capital Markets starts", "BofA Securities upgrades".
  while (DIVISION_WORDS.has(wordAt(passage, last + 1)) && !isBreak(passage, last + 1)) last++
  if (isBreak(passage, last + 1)) return false
  const after = wordAt(passage, last + 1)
  const after2 = wordAt(passage, last + 2)
  // "Intelsat lower after Morgan Stanley target cut", "Energizer shakes off JPMorgan's bear call"
  if (hasOthers && (CALL_NOUNS.has(after) || (CALL_NOUNS.has(after2) && !OWN_AFFAIRS.has(after)))) return true
  if (ANALYST_NOUNS.has(after) || (ANALYST_NOUNS.has(after2) && !OWN_AFFAIRS.has(after))) return true
  // In "Citi upgraded to buy" the firm itself is rated.
  if (PASSIVE_RATINGS.has(after) && AFTER_PASSIVE.has(after2)) return false
  if (RATING_VERBS.has(after)) return true
  // "Goldman on the Fed", "Jefferies warns on L Brands"
  if (after === 'on' && first === passage.from) return true
  if (after2 === 'on' && (SPEECH_VERBS.has(after) || OPINION_VERBS.has(after))) return true
  // "JPMorgan constructive on Kraft Heinz"
  if (after2 === 'on' && hasOthers && !OWN_AFFAIRS.has(after)) return true
  if (passage.tokens[last]?.possessive !== null && SPEECH_VERBS.has(wordAt(passage, last + 3))) return true
  const verb = ADVERBS.has(after) ? after2 : after
  if (!SPEECH_VERBS.has(verb) && !CHANGE_VERBS.has(verb) && !OPINION_VERBS.has(verb)) return false
  for (let index = last + 2; index < Math.min(passage.to, last + 4); index++) {
    if (OWN_AFFAIRS.has(wordAt(passage, index))) return false
  }
  const isSubject = first - passage.from < 12
  if (CHANGE_VERBS.has(verb)) return (hasOthers && isSubject) || hasNear(span, RATING_WORDS)
  return isMarketCommentary(span, hasOthers && isSubject)
}

/** Recognises the firm in "Tesla cut to sell at Nomura", "target raised at Citi", "initiated by Wedbush". */
function isRater({ passage, first }: TokenSpan): boolean {
  // Goes back over a list of names: "cut at Credit Suisse, J.P. Morgan".
  let at = first - 1
  while (at > first - 7 && at > passage.from && isInList(passage, at)) at--
  const before = wordAt(passage, at)
  if (before !== 'at' && before !== 'by') return false
  return hasBefore(passage, at, RATING_CONTEXT)
}

function isInList(passage: Passage, index: number): boolean {
  const token = passage.tokens[index]
  return (
    token !== undefined &&
    (token.norm === 'and' || token.shape === 'capital' || token.shape === 'upper') &&
    token.norm !== 'at'
  )
}

/** Recognises "underwritten by", "advised by", "Goldman Sachs is acting as bookrunner". */
function isAdviser({ passage, first, last }: TokenSpan): boolean {
  if (wordAt(passage, first - 1) === 'by' && ADVISED.has(wordAt(passage, first - 2))) return true
  for (let index = last + 1; index < Math.min(passage.to, last + 14); index++) {
    if (ADVISERS.has(wordAt(passage, index))) return true
  }
  return false
}

/** Recognises "at the Barclays Global Energy Conference", with up to five words between. */
function isConference({ passage, last }: TokenSpan): boolean {
  for (let index = last + 1; index < Math.min(passage.to, last + 7); index++) {
    const token = passage.tokens[index]
    if (token === undefined || token.glue === 'break' || token.norm === 'at' || token.norm === 'in') return false
    // An "earnings conference call" is about the company itself.
    if (MEETING_WORDS.has(token.norm))
      return !OWN_MEETING.has(wordAt(passage, index - 1)) && wordAt(passage, index + 1) !== 'call'
    if (token.shape === 'lower' && !/^(?:and|of|the|annual|global|virtual)$/.test(token.norm)) return false
  }
  return false
}

/** Recognises "on Twitter", "via YouTube", "in a Facebook post". */
function isPostedOn({ passage, first, last }: TokenSpan): boolean {
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (POST_WORDS.has(after) && !isBreak(passage, last + 1)) return true
  if (before === 'via') return true
  if (before !== 'on') return false
  return !hasBefore(passage, first, BUSINESS_ON)
}

/** Recognises "Nasdaq-listed", "listed on the Nasdaq", "(NASDAQ)", "Nasdaq listing rules". */
function isListing({ passage, first, last }: TokenSpan): boolean {
  const next = passage.tokens[last + 1]
  if (next !== undefined && last + 1 < passage.to && LISTING_WORDS.has(next.norm) && next.glue !== 'break') return true
  const before = wordAt(passage, first - 1)
  const on = before === 'the' ? wordAt(passage, first - 2) : before
  const listed = before === 'the' ? wordAt(passage, first - 3) : wordAt(passage, first - 2)
  if (on === 'on' && LISTING_WORDS.has(listed)) return true
  const start = passage.tokens[first]?.start ?? 0
  const isBracketed = passage.text.charAt(start - 1) === '(' && passage.text.charAt(endOf(passage, last)) === ')'
  return isBracketed && first === last && EXCHANGES.has(wordAt(passage, first))
}

function isMarketCommentary(span: TokenSpan, hasOthers: boolean): boolean {
  return hasOthers || hasNear(span, RATING_WORDS) || hasNear(span, MARKET_WORDS)
}

function hasNear({ passage, first, last }: TokenSpan, words: ReadonlySet<string>): boolean {
  for (let index = first - MAX_DISTANCE; index <= last + MAX_DISTANCE; index++)
    if (words.has(wordAt(passage, index))) return true
  return false
}

function hasBefore(passage: Passage, index: number, words: ReadonlySet<string>): boolean {
  for (let at = Math.max(passage.from, index - MAX_DISTANCE); at < index; at++)
    if (words.has(wordAt(passage, at))) return true
  return false
}

/** The length of a long sentence: in a text without full stops the whole rest would be searched each time. */
const MAX_DISTANCE = 30

function isAfterDash(passage: Passage, index: number): boolean {
  const start = passage.tokens[index]?.start ?? 0
  return /(?:\s[-–—|]|:)\s?$/.test(passage.text.slice(Math.max(0, start - 3), start))
}

function endOf(passage: Passage, index: number): number {
  return passage.tokens[index]?.end ?? 0
}
