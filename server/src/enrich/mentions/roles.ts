import type { MentionedAsset } from './asset.ts'
import { isBreak, type Span, wordAt } from './context.ts'
import { nameWords, shortFormsOf, stemOf, wordSet } from './legal-names.ts'
import type { Passage } from './passage.ts'

/** A mention of a firm that only speaks or acts for others: the analyst, the source, the venue. Not what the text is about. */
export function isBystander(asset: MentionedAsset, span: Span, hasOthers: boolean): boolean {
  if (isConference(span) || isRatingPlace(span)) return true
  if (isPlatform(asset) && isSaidOn(span)) return true
  if (asset.type === 'index' || asset.type === 'equity') {
    if (isListing(span)) return true
  }
  // The newspaper, not its index: "… - Nikkei".
  if (asset.type === 'index' && isAfterDash(span.passage, span.first) && span.last + 1 >= span.passage.to) return true
  return isFirm(asset) && (isSource(span, hasOthers) || isAnalyst(span, hasOthers) || isHelper(span))
}

/** Banks, brokers, researchers and rating agencies, by what the catalogue says or else by name. */
export function isFirm(asset: MentionedAsset): boolean {
  if (asset.type !== 'equity') return asset.type === 'index' && asset.name.startsWith('S&P')
  if (asset.sector !== null && FIRM_SECTORS.has(asset.sector.toLowerCase())) return true
  const stem = stemOf(nameWords(asset.name))
  const forms = [stem, ...shortFormsOf(stem)].map((words) => words.join(' '))
  return forms.some((form) => FIRMS.has(form)) || stem.some((word) => FIRM_WORDS.has(word))
}

const FIRM_SECTORS = new Set(['financials', 'financial', 'financial services', 'finance', 'banks'])
const FIRM_WORDS = wordSet('bank bancorp securities brokerage moodys banco banking')
const FIRMS = new Set(
  `goldman sachs,jpmorgan chase,jpmorgan,jp morgan chase,morgan stanley,citigroup,citi,barclays,ubs,credit suisse,nomura,jefferies,
  wells fargo,stifel,raymond james,piper sandler,piper jaffray,evercore,lazard,macquarie,rbc,hsbc,bnp paribas,societe
  generale,natixis,berenberg,mizuho,oppenheimer,cowen,wedbush,keybanc,keycorp,suntrust,truist,bmo,blackrock,vanguard,
  moodys,sandp global,s and p global,fitch,morningstar,factset,bernstein,alliancebernstein,charles schwab,robinhood,
  houlihan lokey,perella weinberg,moelis,b riley,b riley financial,ladenburg thalmann,rbs,royal bank of scotland,lloyds,
  standard chartered,thomson reuters,new york times,news,dow jones,msci,cme,nasdaq,cboe global markets,invesco,
  franklin resources,t rowe price,ing,abn amro,intesa sanpaolo,unicredit,mediobanca,commerzbank,kbw,canaccord genuity`
    .split(/,\s*/)
    .map((name) => name.replace(/\s+/g, ' ')),
)

/** "according to Citi", "says Morgan Stanley", "analysts at UBS", "… - Goldman Sachs", "Jefferies: …". */
function isSource({ passage, first, last }: Span, hasOthers: boolean): boolean {
  const before = wordAt(passage, first - 1)
  const before2 = wordAt(passage, first - 2)
  if (before === 'to' && before2 === 'according') return true
  if (before === 'per' || before === 'via' || before === 'by' || before === 'at' || before === 'from') {
    if (before === 'via') return true
    if (SOURCES.has(before2) || (before === 'per' && hasOthers)) return true
  }
  const isLast = last + 1 >= passage.to || isBreak(passage, last + 1)
  if (SPEAKS.has(before) && isLast && hasRatherAnalystWords(passage, hasOthers)) return true
  if (passage.field !== 'title') return false
  const isAtEnd = last + 1 >= passage.to || (passage.tokens[last]?.possessive !== null && last + 3 >= passage.to)
  if (isAfterDash(passage, first) && isAtEnd) return true
  const isHeading = first === passage.from && passage.text.startsWith(':', endOf(passage, last))
  return isHeading && hasRatherAnalystWords(passage, hasOthers)
}

/** "Goldman Sachs cuts Tesla to sell", "UBS analyst", "Barclays' note". */
function isAnalyst({ passage, first, last }: Span, hasOthers: boolean): boolean {
  if (isBreak(passage, last + 1)) return false
  const after = wordAt(passage, last + 1)
  const after2 = wordAt(passage, last + 2)
  if (ANALYST_NOUNS.has(after) || (ANALYST_NOUNS.has(after2) && !OWN_AFFAIRS.has(after))) return true
  if (RATES.has(after)) return true
  // "Goldman on the Fed", "Jefferies warns on L Brands"
  if (after === 'on' && first === passage.from) return true
  if (after2 === 'on' && (SPEAKS.has(after) || OPINES.has(after))) return true
  // "JPMorgan constructive on Kraft Heinz"
  if (after2 === 'on' && hasOthers && !OWN_AFFAIRS.has(after)) return true
  if (passage.tokens[last]?.possessive !== null && SPEAKS.has(wordAt(passage, last + 3))) return true
  const verb = ADVERBS.has(after) || after === 'is' || after === 'also' ? after2 : after
  if (!SPEAKS.has(verb) && !CHANGES.has(verb) && !OPINES.has(verb)) return false
  for (let index = last + 2; index < Math.min(passage.to, last + 5); index++) {
    if (OWN_AFFAIRS.has(wordAt(passage, index))) return false
  }
  return hasRatherAnalystWords(passage, hasOthers && first - passage.from < 12)
}

/** "Tesla cut to sell at Nomura", "target raised at Citi", "initiated by Wedbush": whoever it is, it is not the subject. */
function isRatingPlace({ passage, first }: Span): boolean {
  // "cut at Credit Suisse, J.P. Morgan": back over the names of a list.
  let at = first - 1
  while (at > first - 7 && at > passage.from && isInList(passage, at)) at--
  const before = wordAt(passage, at)
  if (before !== 'at' && before !== 'by') return false
  for (let index = passage.from; index < at; index++) if (RATED.has(wordAt(passage, index))) return true
  return false
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
function isHelper({ passage, first, last }: Span): boolean {
  if (wordAt(passage, first - 1) === 'by' && HELPED.has(wordAt(passage, first - 2))) return true
  for (let index = last + 1; index < Math.min(passage.to, last + 14); index++) {
    if (HELPERS.has(wordAt(passage, index))) return true
  }
  return false
}

/** "at the Barclays Global Energy Conference": up to five words lie between. */
function isConference({ passage, last }: Span): boolean {
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
function isSaidOn({ passage, first, last }: Span): boolean {
  const before = wordAt(passage, first - 1)
  const after = wordAt(passage, last + 1)
  if (POSTED.has(after) && !isBreak(passage, last + 1)) return true
  if (before === 'via') return true
  if (before !== 'on') return false
  for (let index = passage.from; index < first; index++) if (MONEY_ON.has(wordAt(passage, index))) return false
  return true
}

/** "Nasdaq-listed", "listed on the Nasdaq", "(NASDAQ)", "Nasdaq listing rules". */
function isListing({ passage, first, last }: Span): boolean {
  const next = passage.tokens[last + 1]
  if (next !== undefined && last + 1 < passage.to && LISTED.has(next.norm) && next.glue !== 'break') return true
  const before = wordAt(passage, first - 1)
  const on = before === 'the' ? wordAt(passage, first - 2) : before
  const listed = before === 'the' ? wordAt(passage, first - 3) : wordAt(passage, first - 2)
  if (on === 'on' && (LISTED.has(listed) || listed === 'debut' || listed === 'trading' || listed === 'trade'))
    return true
  const start = passage.tokens[first]?.start ?? 0
  const isBracketed = passage.text.charAt(start - 1) === '(' && passage.text.charAt(endOf(passage, last)) === ')'
  return isBracketed && EXCHANGES.has(wordAt(passage, first))
}

function hasRatherAnalystWords(passage: Passage, hasOthers: boolean): boolean {
  if (hasOthers) return true
  for (let index = passage.from; index < passage.to; index++) {
    if (RATING_WORDS.has(wordAt(passage, index)) || MARKET_TALK.has(wordAt(passage, index))) return true
  }
  return false
}

function isPlatform(asset: MentionedAsset): boolean {
  return PLATFORMS.has(stemOf(nameWords(asset.name)).join(' '))
}

function isAfterDash(passage: Passage, index: number): boolean {
  const start = passage.tokens[index]?.start ?? 0
  return /(?:\s[-–—|]|:)\s?$/.test(passage.text.slice(Math.max(0, start - 3), start))
}

function endOf(passage: Passage, index: number): number {
  return passage.tokens[index]?.end ?? 0
}

const ADVERBS = wordSet('out now still again just slightly sharply further reportedly')
const SPEAKS = wordSet(
  'says said say warns warned tells told notes noted argues writes wrote claims thinks believes predicts',
)
const RATES =
  wordSet(`upgrades upgraded downgrades downgraded initiates initiated reiterates reiterated rates recommends
  resumes reaffirms affirms affirmed assumes`)
const CHANGES =
  wordSet(`cuts cut raises raised lowers lowered lifts lifted trims trimmed hikes boosts boosted slashes slashed bumps
  ups adds removes keeps maintains maintained starts begins names picks turns moves sets reinstates drops downgrading
  raising cutting lifting`)
const OPINES =
  wordSet(`sees expects forecasts projects likes prefers bullish bearish cautious positive negative upbeat backs defends sticks
  stays remains reels estimates calls questions touts favors favours`)
/** What follows when the firm speaks of itself. */
const OWN_AFFAIRS =
  wordSet(`its own profit profits earnings dividend revenue jobs staff bonus bonuses bankers ceo chief chairman buyback
  lawsuit settlement fine employees workers headcount branches quarterly q1 q2 q3 q4 first second third fourth results pay
  stake costs partner partners`)
const ANALYST_NOUNS =
  wordSet(`analyst analysts strategist strategists economist economists note notes research survey consensus
  poll upgrade downgrade bump initiation`)
const SOURCES =
  wordSet(`analyst analysts strategist strategists economist economists note report data research survey upgrade downgrade
  comments commentary estimates forecast according coverage call trader traders`)
const RATED =
  wordSet(`upgraded downgraded upgrade downgrade initiated reiterated target targets rating overweight underweight outperform
  underperform neutral pt coverage resumed reinstated upgrades downgrades initiates buy sell hold cut raised lowered
  bullish bearish lifted trimmed`)
const MARKET_TALK =
  wordSet(`economy inflation recession fed rates stocks market markets equities oil gold bond bonds sector yields gdp
  dollar earnings`)
const HELPED = wordSet('filed underwritten led advised managed arranged rated compiled published issued surveyed')
const HELPERS = wordSet('bookrunner bookrunners bookrunning underwriter underwriters adviser advisers advisor advisors')
const MEETINGS = wordSet('conference summit forum symposium')
const OWN_MEETING = wordSet('developer developers earnings results press news user users')
const POSTED = wordSet('post posts page video account channel feed live link')
const MONEY_ON = wordSet('ad ads advertising spending spend bet bets bullish bearish users sales neutral')
const LISTED = wordSet('listed listing listings delisting delisted quoted traded')
const EXCHANGES = wordSet('nasdaq nyse tsx asx lse')
const PLATFORMS = new Set([
  'alphabet',
  'meta platforms',
  'facebook',
  'twitter',
  'snap',
  'pinterest',
  'microsoft',
  'amazon',
  'amazon com',
  'reddit',
])
