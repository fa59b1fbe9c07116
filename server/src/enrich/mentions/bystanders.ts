import type { CatalogueAsset } from './asset.ts'
import {
  ADVERBS,
  ANALYST_NOUNS,
  ARMS,
  CHANGES,
  EXCHANGES,
  FIRM_SECTORS,
  FIRM_WORDS,
  FIRMS,
  HELPED,
  HELPERS,
  JUDGED,
  LISTED,
  MARKET_TALK,
  MEETINGS,
  MONEY_ON,
  NO_ANALYSTS,
  OPINES,
  OWN_AFFAIRS,
  OWN_MEETING,
  PASSIVE,
  PLATFORMS,
  POSTED,
  RATED,
  RATES,
  RATING_WORDS,
  SOURCES,
  SPEAKS,
} from './bystander-words.ts'
import { isBreak, type TokenSpan, wordAt } from './context.ts'
import { coreName, nameWords } from './legal-names.ts'
import type { Passage } from './passage.ts'

/** A mention of a firm that only speaks or acts for others: the analyst, the source, the venue. Not what the text is about. */
export function isBystander(asset: CatalogueAsset, span: TokenSpan, hasOthers: boolean): boolean {
  if (isConference(span) || isRatingPlace(span)) return true
  if ((asset.type === 'index' || asset.type === 'equity') && isListing(span)) return true
  const kind = kindOf(asset)
  if (kind === 'platform') return isSaidOn(span)
  // The newspaper, not its index: "… - Nikkei".
  if (asset.type === 'index' && isAfterDash(span.passage, span.first) && span.last + 1 >= span.passage.to) return true
  return kind === 'firm' && (isSource(span, hasOthers) || isAnalyst(span, hasOthers) || isHelper(span))
}

type Kind = 'firm' | 'platform' | 'other'
const kinds = new WeakMap<CatalogueAsset, Kind>()

function kindOf(asset: CatalogueAsset): Kind {
  const known = kinds.get(asset)
  if (known !== undefined) return known
  const stem = coreName(nameWords(asset.name))
  const kind = PLATFORMS.has(stem.join(' ')) ? 'platform' : isFirm(asset, stem) ? 'firm' : 'other'
  kinds.set(asset, kind)
  return kind
}

/** Banks, brokers, researchers and rating agencies, by what the catalogue says or else by name. */
function isFirm(asset: CatalogueAsset, stem: readonly string[]): boolean {
  // "S&P said" is the agency, though the catalogue may know the index only.
  if (asset.type !== 'equity') return asset.type === 'index' && asset.name.startsWith('S&P')
  if (asset.sector !== null && FIRM_SECTORS.has(asset.sector.toLowerCase())) {
    return asset.industry === null || !NO_ANALYSTS.test(asset.industry)
  }
  return FIRMS.has(stem.join(' ')) || stem.some((word) => FIRM_WORDS.has(word))
}

/** "according to Citi", "says Morgan Stanley", "analysts at UBS", "… - Goldman Sachs", "Jefferies: …". */
function isSource(span: TokenSpan, hasOthers: boolean): boolean {
  const { passage, first, last } = span
  const before = wordAt(passage, first - 1)
  const before2 = wordAt(passage, first - 2)
  if (before === 'to' && before2 === 'according') return true
  if (before === 'per' || before === 'via' || before === 'by' || before === 'at' || before === 'from') {
    if (before === 'via') return true
    if (SOURCES.has(before2) || (before === 'per' && hasOthers)) return true
  }
  const isLast = last + 1 >= passage.to || isBreak(passage, last + 1)
  if (SPEAKS.has(before) && isLast && isTalkOfAnalysts(span, hasOthers)) return true
  if (passage.field !== 'title') return false
  const isAtEnd = last + 1 >= passage.to || (passage.tokens[last]?.possessive !== null && last + 3 >= passage.to)
  if (isAfterDash(passage, first) && isAtEnd) return true
  const isHeading = first === passage.from && passage.text.startsWith(':', endOf(passage, last))
  return isHeading && isTalkOfAnalysts(span, hasOthers)
}

/** "Goldman Sachs cuts Tesla to sell", "UBS analyst", "Barclays' note". */
function isAnalyst(span: TokenSpan, hasOthers: boolean): boolean {
  const { passage, first } = span
  let { last } = span
  // "BMO Capital Markets starts", "BofA Securities upgrades": the arm that gives advice.
  while (ARMS.has(wordAt(passage, last + 1)) && !isBreak(passage, last + 1)) last++
  if (isBreak(passage, last + 1)) return false
  const after = wordAt(passage, last + 1)
  const after2 = wordAt(passage, last + 2)
  if (ANALYST_NOUNS.has(after) || (ANALYST_NOUNS.has(after2) && !OWN_AFFAIRS.has(after))) return true
  // "Citi upgraded to buy": it is the one that is judged.
  if (PASSIVE.has(after) && JUDGED.has(after2)) return false
  if (RATES.has(after)) return true
  // "Goldman on the Fed", "Jefferies warns on L Brands"
  if (after === 'on' && first === passage.from) return true
  if (after2 === 'on' && (SPEAKS.has(after) || OPINES.has(after))) return true
  // "JPMorgan constructive on Kraft Heinz"
  if (after2 === 'on' && hasOthers && !OWN_AFFAIRS.has(after)) return true
  if (passage.tokens[last]?.possessive !== null && SPEAKS.has(wordAt(passage, last + 3))) return true
  const verb = ADVERBS.has(after) ? after2 : after
  if (!SPEAKS.has(verb) && !CHANGES.has(verb) && !OPINES.has(verb)) return false
  for (let index = last + 2; index < Math.min(passage.to, last + 4); index++) {
    if (OWN_AFFAIRS.has(wordAt(passage, index))) return false
  }
  const isSubject = first - passage.from < 12
  if (CHANGES.has(verb)) return (hasOthers && isSubject) || hasNear(span, RATING_WORDS)
  return isTalkOfAnalysts(span, hasOthers && isSubject)
}

/** "Tesla cut to sell at Nomura", "target raised at Citi", "initiated by Wedbush": whoever it is, it is not the subject. */
function isRatingPlace({ passage, first }: TokenSpan): boolean {
  // "cut at Credit Suisse, J.P. Morgan": back over the names of a list.
  let at = first - 1
  while (at > first - 7 && at > passage.from && isInList(passage, at)) at--
  const before = wordAt(passage, at)
  if (before !== 'at' && before !== 'by') return false
  return hasBefore(passage, at, RATED)
}

function isInList(passage: Passage, index: number): boolean {
  const token = passage.tokens[index]
  return (
    token !== undefined &&
    (token.norm === 'and' || token.shape === 'capital' || token.shape === 'upper') &&
    token.norm !== 'at'
  )
}

/** "underwritten by", "advised by", "Goldman Sachs is acting as bookrunner". */
function isHelper({ passage, first, last }: TokenSpan): boolean {
  if (wordAt(passage, first - 1) === 'by' && HELPED.has(wordAt(passage, first - 2))) return true
  for (let index = last + 1; index < Math.min(passage.to, last + 14); index++) {
    if (HELPERS.has(wordAt(passage, index))) return true
  }
  return false
}

/** "at the Barclays Global Energy Conference": up to five words lie between. */
function isConference({ passage, last }: TokenSpan): boolean {
  for (let index = last + 1; index < Math.min(passage.to, last + 7); index++) {
    const token = passage.tokens[index]
    if (token === undefined || token.glue === 'break') return false
    // An "earnings conference call" is the company's own.
    if (MEETINGS.has(token.norm))
      return !OWN_MEETING.has(wordAt(passage, index - 1)) && wordAt(passage, index + 1) !== 'call'
    if (token.shape === 'lower' && !/^(?:and|of|the|annual|global|virtual)$/.test(token.norm)) return false
  }
  return false
}

/** "on Twitter", "via YouTube", "in a Facebook post". */
function isSaidOn({ passage, first, last }: TokenSpan): boolean {
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (POSTED.has(after) && !isBreak(passage, last + 1)) return true
  if (before === 'via') return true
  if (before !== 'on') return false
  return !hasBefore(passage, first, MONEY_ON)
}

/** "Nasdaq-listed", "listed on the Nasdaq", "(NASDAQ)", "Nasdaq listing rules". */
function isListing({ passage, first, last }: TokenSpan): boolean {
  const next = passage.tokens[last + 1]
  if (next !== undefined && last + 1 < passage.to && LISTED.has(next.norm) && next.glue !== 'break') return true
  const before = wordAt(passage, first - 1)
  const on = before === 'the' ? wordAt(passage, first - 2) : before
  const listed = before === 'the' ? wordAt(passage, first - 3) : wordAt(passage, first - 2)
  if (on === 'on' && LISTED.has(listed)) return true
  const start = passage.tokens[first]?.start ?? 0
  const isBracketed = passage.text.charAt(start - 1) === '(' && passage.text.charAt(endOf(passage, last)) === ')'
  return isBracketed && first === last && EXCHANGES.has(wordAt(passage, first))
}

function isTalkOfAnalysts(span: TokenSpan, hasOthers: boolean): boolean {
  return hasOthers || hasNear(span, RATING_WORDS) || hasNear(span, MARKET_TALK)
}

function hasNear({ passage, first, last }: TokenSpan, words: ReadonlySet<string>): boolean {
  for (let index = first - FAR; index <= last + FAR; index++) if (words.has(wordAt(passage, index))) return true
  return false
}

function hasBefore(passage: Passage, index: number, words: ReadonlySet<string>): boolean {
  for (let at = Math.max(passage.from, index - FAR); at < index; at++) if (words.has(wordAt(passage, at))) return true
  return false
}

/** As far as a sentence reaches; a text without full stops must not be read over and over. */
const FAR = 30

function isAfterDash(passage: Passage, index: number): boolean {
  const start = passage.tokens[index]?.start ?? 0
  return /(?:\s[-–—|]|:)\s?$/.test(passage.text.slice(Math.max(0, start - 3), start))
}

function endOf(passage: Passage, index: number): number {
  return passage.tokens[index]?.end ?? 0
}
