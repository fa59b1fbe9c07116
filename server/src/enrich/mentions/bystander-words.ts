import { normalizedWords } from './tokens.ts'

export const FIRM_SECTORS = new Set(['financials', 'financial', 'financial services', 'finance', 'banks'])
/** Financial companies that do not rate others. */
export const NO_ANALYSTS = /payment|transaction|insur|reit|mortgage|consumer finance/i
export const FIRM_WORDS = normalizedWords('bank bancorp securities brokerage moodys banco banking')

/** Core names of banks, brokers, researchers, rating agencies and the press, for catalogues without sectors. */
export const FIRMS = new Set(
  `
  goldman sachs, jpmorgan chase, jpmorgan, jp morgan chase, morgan stanley, citigroup, barclays, ubs, credit suisse,
  nomura, jefferies, wells fargo, stifel, raymond james, piper sandler, piper jaffray, evercore, lazard, macquarie,
  hsbc, bnp paribas, societe generale, natixis, berenberg, mizuho, oppenheimer, cowen, wedbush, keycorp, suntrust,
  truist, blackrock, invesco, franklin resources, t rowe price, charles schwab, schwab charles, robinhood,
  houlihan lokey, perella weinberg, moelis, b riley, ladenburg thalmann, royal bank of scotland, lloyds, lloyds banking,
  standard chartered, ing, abn amro, intesa sanpaolo, unicredit, mediobanca, commerzbank, canaccord genuity,
  alliancebernstein, moodys, s and p global, fitch, morningstar, factset, msci, cme, nasdaq, cboe, thomson reuters,
  new york times, news, stifel financial, raymond james financial, robinhood markets, jefferies financial, keybanc,
  b riley financial, cboe global markets, factset research systems, truist financial, mizuho financial, bank of america,
  moelis, lazard, canadian imperial bank of commerce, bank of montreal`
    .split(',')
    .map((name) => name.trim().replace(/\s+/g, ' ')),
)

/** Core names of companies that are also places where things are posted or sold. */
export const PLATFORMS = new Set(
  'alphabet,meta platforms,facebook,twitter,snap,pinterest,microsoft,amazon,amazon com,reddit'.split(','),
)

export const DIVISION_WORDS = normalizedWords('capital markets securities research global equity')

export const ADVERBS = normalizedWords('out now still again just slightly sharply further reportedly is also')

export const SPEECH_VERBS = normalizedWords(`
  says said say warns warned tells told notes noted argues writes wrote claims thinks believes predicts`)

/** Verbs used by analysts only. */
export const RATING_VERBS = normalizedWords(`
  upgrades upgraded downgrades downgraded initiates initiated reiterates reiterated rates recommends resumes reaffirms
  affirms affirmed assumes`)

/** Verbs used by analysts and others; the object decides. */
export const CHANGE_VERBS = normalizedWords(`
  cuts cut raises raised lowers lowered lifts lifted trims trimmed hikes boosts boosted slashes slashed bumps ups adds
  removes keeps maintains maintained starts begins names picks turns moves sets reinstates drops downgrading raising
  cutting lifting`)

export const PASSIVE_RATINGS = normalizedWords(
  'upgraded downgraded initiated cut raised lowered lifted trimmed reiterated rated started',
)
export const AFTER_PASSIVE = normalizedWords('to at by from with as on')

export const OPINION_VERBS = normalizedWords(`
  sees expects forecasts projects likes prefers bullish bearish cautious positive negative upbeat backs defends sticks
  gives points returns stays remains reels estimates calls questions touts favors favours`)

/** Words after a firm's name that show it is about the firm itself. */
export const OWN_AFFAIRS = normalizedWords(`
  its own profit profits earnings dividend revenue jobs staff bonus bonuses bankers ceo chief chairman buyback lawsuit
  settlement fine employees workers headcount branches quarterly q1 q2 q3 q4 first second third fourth results pay stake
  costs partner partners`)

/** Nouns after a firm's name: its analysts and their papers. */
export const ANALYST_NOUNS = normalizedWords(`
  analyst analysts strategist strategists economist economists note notes research survey consensus poll upgrade
  downgrade bump initiation conviction`)

/** Nouns after a firm's name that are about another asset of the text. */
export const CALL_NOUNS = normalizedWords('call calls target targets pt')

/** Words before the name of a firm that judges another asset of the text. */
export const JUDGED_BY = normalizedWords('bearish bullish impresses convinces disappoints worries pleases cautious')

/** Words of ratings in other languages: the firm then rates the other asset. */
export const FOREIGN_RATINGS =
  /kursziel|(?:auf|belässt|stuft?) .{0,30}(?:kaufen|verkaufen|neutral|halten)|à (?:l['’]achat|la vente)|objectif de cours|neutre|recom[ie]|consejo|precio objetivo|giudizio|promuove|prezzo obiettivo|target price|recomenda|rebaixa|preço[- ]alvo|評価|投資判断|目標株価|评级|目标价|評級|目標價/i

/** Nouns before "at", "by" or "from" and a firm's name. */
export const SOURCE_WORDS = normalizedWords(`
  analyst analysts strategist strategists economist economists note report data research survey upgrade downgrade
  comments commentary estimates forecast according coverage call trader traders`)

export const RATING_WORDS = normalizedWords(`
  upgraded downgraded upgrade downgrade initiated reiterated target targets rating overweight underweight outperform
  underperform neutral pt coverage resumed reinstated upgrades downgrades initiates buy sell hold bullish bearish`)

/** Words before "at" or "by" and a firm's name. */
export const RATING_CONTEXT: ReadonlySet<string> = new Set([
  ...RATING_WORDS,
  ...normalizedWords('cut raised lowered lifted trimmed upped rated started resumed'),
])

export const MARKET_WORDS = normalizedWords(`
  economy inflation recession fed rates stocks market markets equities oil gold bond bonds sector yields gdp dollar
  committee growth`)

export const ADVISED = normalizedWords(
  'filed underwritten led advised managed arranged rated compiled published issued surveyed',
)
export const ADVISERS = normalizedWords(`
  bookrunner bookrunners bookrunning underwriter underwriters adviser advisers advisor advisors`)

export const MEETING_WORDS = normalizedWords('conference summit forum symposium')
export const OWN_MEETING = normalizedWords('developer developers earnings results press news user users')

export const POST_WORDS = normalizedWords('post posts page video account channel feed live link')
/** With these, "on Facebook" is about the company. */
export const BUSINESS_ON = normalizedWords(
  'ad ads advertising spending spend bet bets bullish bearish users sales neutral',
)

export const LISTING_WORDS = normalizedWords(
  'listed listing listings delisting delisted quoted traded debut trading trade',
)
export const EXCHANGES = normalizedWords('nasdaq nyse tsx asx lse')
