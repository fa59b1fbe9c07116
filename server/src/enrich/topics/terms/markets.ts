import type { TopicTerms } from '../terms.ts'
import { CHANGE, COIN, MOVE, RAISE } from './shared.ts'

/** Firms that rate shares: with a rating verb they are the source, not the subject. */
const BROKER =
  'goldman|jpmorgan|jefferies|barclays|citi|citigroup|ubs|nomura|wedbush|cowen|piper|stifel|oppenheimer|needham|bernstein|evercore|baird|raymond|keybanc|wells|mizuho|hsbc|rbc|bofa|berenberg|benchmark|btig|guggenheim|truist|susquehanna|macquarie|morgan|stanley|sachs|suisse|deutsche|bmo|daiwa|loop|wolfe|argus|canaccord|roth|jpm'
const RATING =
  'hold|neutral|sell|outperform|underperform|overweight|underweight|equal|perform|reduce|accumulate|conviction'
const OUTLOOK = 'guidance|outlook|forecast|=targets|=guide|projection'
const PERIOD = 'Q1|Q2|Q3|Q4|1Q|2Q|3Q|4Q|quarter|quarterly|annual|full|half|first|second|third|fourth|year'
const RESULT = '=earnings|profit|revenue|=sales|eps|=results|income|loss|ebitda|turnover'

export const marketTerms: TopicTerms[] = [
  {
    slug: 'markets',
    fallback: true,
    likely: 'financial market, global market, market sentiment, risk appetite, =markets',
    hint: 'investor, trader, sell off, selloff, rally',
  },
  {
    slug: 'equities',
    fallback: true,
    sure: `
      =stocks start|open|rally|slide|mixed, =stocks ** gain|loss|gains|losses, =why =shares|=stock,
      =stocks that ** rise|soar|double|fall|tumble|sink, pre market, =stock|=stocks to =buy, =stock is a =buy,
      =stock =buy, =stocks moving, value|growth|dividend|penny|cannabis|pot =stocks, share|=stock ${MOVE},
      share|=stock * up|down|higher|lower, =stocks * ${MOVE}, share|=stock * ${MOVE}, =stock|=shares that ${MOVE},
      bull|bear market, stock|share price, stock market, equity market, =equities, heavy trading, premarket,
      =why ** =stock, short squeeze, stock split
    `,
    likely: '=stocks, =shares, shareholder, stock pick, penny stock, market cap, market value, wall street',
    hint: `
      investor, rally, record high, week high, sell off, selloff, strategist, portfolio, =buy, undervalued,
      valuation
    `,
    not: 'market share, bond market, oil stock, crude stock',
  },
  {
    slug: 'earnings',
    sure: `
      ${PERIOD} * ${RESULT}, ${PERIOD} ** net|operating|pretax * profit|income|loss,
      =earnings ** beat|miss|top|estimate|expectation|forecast|per|call|report|season|preview|surprise|a,
      post|report|book|record|deliver ** profit|loss|=earnings|=results,
      beat|top|miss|exceed|lag ** estimate|expectation|forecast|consensus|=views|=view|=street,
      fall|fell short of * estimate|expectation|forecast,
      ${RESULT} ** beat|top|miss|exceed|lag|rise|rose|fall|fell|jump|drop|surge|plunge|double|triple|climb|slump|soar|halve|decline|grow|grew|slip|widen|narrow|shrink|shrank,
      swing|swung to ** profit|loss, Q1|Q2|Q3|Q4 ** =sales|revenue|profit|loss, factset, beat|miss on|by,
      adjusted|non|gaap eps, EPS #, EPS of|beat|miss, eps ** beat|miss|estimate|consensus, net profit, net income,
      net loss, operating profit, operating loss, operating income, ${PERIOD} =results|=figures|report,
      =trading update, =earnings, in line with expectation, record ** profit,
      weak|strong|disappointing|upbeat|solid|robust Q1|Q2|Q3|Q4|1Q|2Q|3Q|4Q|quarter, beat|miss Q1|Q2|Q3|Q4|quarter,
      above|below expectation
    `,
    likely: `
      vs|versus ** consensus, profit, revenue, eps, ebitda, same store =sales, comparable =sales, like for like,
      writedown, write down, impairment, net =sales, =results
    `,
    hint: 'Q1|Q2|Q3|Q4|1Q|2Q|3Q|4Q, quarter, margin, loss, =sales, beat, miss, conference call, estimate, consensus',
    not: `
      profit warning, profit taking, take profit, non profit, trial|study|test|election =results,
      earnings outlook|guidance|forecast, average hourly earnings,
      profit|revenue|=earnings|=sales|income outlook|guidance|forecast|target, loss of, search =results,
      retail|home|bond|car|auto|vehicle|debt =sales|sale
    `,
  },
  {
    slug: 'guidance',
    sure: `
      ${CHANGE}|reaffirm|reiterate|withdraw|withdrew|suspend|narrow|maintain|keep|confirm|affirm|issue|give|back|scrap|pull|update|revise|abandon|drop|provide|warn ** ${OUTLOOK},
      profit warning, profit alert, =sees|=expects|=predicts ** profit|=earnings|=sales|revenue|margin|loss,
      warn on|of|about * profit|=sales|revenue|demand|=earnings|margin,
      full year|fy guidance|outlook|forecast|profit forecast,
      =sees|expects|guides|projects|see|expect|forecast|guide ** Q1|Q2|Q3|Q4|quarter|FY ** revenue|profit|=sales|eps|=earnings|loss|margin|growth,
      =sees|guides|guide Q1|Q2|Q3|Q4|FY,
      ${OUTLOOK} ** below|above|disappoint|miss|raise|cut|lower|unchanged|lift|trim|slash, guidance,
      revenue|=sales|profit|=earnings outlook|forecast|warning, outlook * unchanged, =sees growth of|at|to,
      upbeat|gloomy|weak|cautious|strong outlook
    `,
    likely: 'outlook, forecast, full year, guidance',
    hint: 'expect, this year, next quarter, profit, revenue, cautious, warn',
    not: `
      S&P|moody|fitch ** outlook, price target,
      weather|gdp|growth|inflation|economic|oil|demand|price outlook|forecast, trade outlook,
      beat|top|miss ** forecast, forecast ** gdp|inflation|economy|economic|wage|growth, forward guidance,
      fda|health|official guidance, rating outlook, outlook * =stable|negative|positive, economist ** forecast,
      imf|oecd|world ** forecast|outlook
    `,
  },
  {
    slug: 'analyst-ratings',
    sure: `
      analyst think|expect|love|like, new bull, bull|bear camp, # * upside, price target, PT ${CHANGE}, PT to|on,
      ${CHANGE} PT, target price,
      ${CHANGE}|upgrade|downgrade|start|initiate|resume|rate|move|assume|reiterate|keep ** to|at|with|on ${RATING},
      cut|raised|lifted|upgraded|downgraded|lowered|started|initiated|resumed|rated|reiterated at|by|to ${RATING}|${BROKER},
      upgrade|downgrade ** to =buy, to =buy from, ${RATING} rating, buy|strong buy rating,
      analyst * upgrade|downgrade|cut|raise|say|see|rating|call, downgrade, =upgraded|=upgrades ** to|by|at|on|as,
      start|initiate|launch|resume|begin|began|assume coverage, initiate ** with,
      ${BROKER} ** upgrade|downgrade|initiate|reiterate|bullish|bearish|upside|downside|valuation,
      turn|turns|turned|grow|stay|remain bullish|bearish|cautious on, top pick, overweight, underweight,
      outperform rating, market perform, sector perform, equal weight, price objective, lose a bull,
      ${BROKER} ${CHANGE}|see|say|like|warn ** estimate|=stock|target, analyst ** bullish|bearish
    `,
    likely: `
      upgrade, downgrade, bullish, bearish, outperform, underperform, analyst, upside, top|best idea|pick,
      stock rating
    `,
    hint: `${BROKER}, valuation, coverage, rating, target, estimate, note`,
    not: `
      network|software|system|credit|debt|sovereign|protocol * upgrade|downgrade,
      upgrade ** network|software|system|firmware|mainnet, analyst estimate|expectation|forecast|view,
      credit rating, moody|fitch|S&P * downgrade|upgrade|cut|raise, moody|fitch ** rating
    `,
  },
  {
    slug: 'dividends',
    sure: `
      dividend, quarterly|interim|special|annual|monthly|final|cash|higher|bigger * payout,
      ${CHANGE}|scrap|suspend|declare|omit ** payout, ex div, per share distribution, monthly distribution,
      declare ** distribution, dividend yield
    `,
    likely: 'payout, income investor',
    hint: 'yield, distribution, shareholder, per share',
    not: 'insurance payout, settlement payout, peace|demographic dividend, dividend ETF, payout to victim',
  },
  {
    slug: 'share-buybacks',
    sure: `
      buyback, buy|buys back ** share|=stock, repurchase program|programme|plan|authorization,
      share|stock repurchase, repurchase ** share|=stock, share buy back, =buy back program,
      return ** to shareholder, accelerated repurchase
    `,
    likely: 'repurchase, tender offer',
    hint: 'return cash, own share, board approve, authorize',
    not: 'repurchase agreement',
  },
  {
    slug: 'ipos',
    sure: `
      ipo, initial public offering, go|goes|going|went public, market debut, trading debut,
      stock|wall|exchange ** debut, debut ** nasdaq|nyse|stock|exchange|trading, first day of trading,
      file ** listing, direct listing, SPAC, blank check, pull|shelve|postpone|plan|seek|price * listing,
      =listing of, list ** on|in nasdaq|nyse|hong|london|new, float on, flotation, new listing, public offering
    `,
    likely: '=listing, debut, prospectus, roadshow, =goes public',
    hint: 'oversubscribed, valuation, raise, price range, startup, nasdaq, nyse',
    not: `
      go public with, secondary offering, public offering of * share by, job listing, listing agent, listing price
    `,
  },
  {
    slug: 'short-selling',
    sure: `
      short seller, short selling, short interest, short position, short report, sell|sold|selling short,
      bet|bets|betting against, short squeeze, hindenburg, muddy waters, shorts|shorting ** =stock|share,
      most shorted, heavily shorted, naked short, citron, short bet
    `,
    likely: '=shorted, =shorting, scathing report, short covering',
    hint: 'fraud, accuse, allege, hedge fund',
  },
  {
    slug: 'deals',
    fallback: true,
    likely: 'deal, transaction, tie up, venture capital, funding round, raise ** series|funding',
    hint: 'talk, agree, billion, stake, buy',
    not: 'trade|peace|budget|nuclear|debt|truce deal, big deal, deal with, great deal',
  },
  {
    slug: 'mergers-and-acquisitions',
    sure: `
      to =buy ** group|corp|inc|ltd|plc|holdings, =selling ** to ** for #, merger, =merge|merges|merging with,
      acquisition, acquire, takeover, take over bid, takeover bid|offer|target, buyout, buy out,
      agree|near|plan|set|offer|bid|deal|talk|close * to =buy|acquire|purchase|take, to =buy ** for #,
      =sells|=sell ** to ** for #, =buys ** for #,
      =buys|=bought|=buying ** maker|firm|startup|company|rival|unit|business|stake|group|chain, hostile bid|offer,
      higher|improved|raised|rival bid, bid for, explore|weigh * combination, take private, taken private,
      go private, snap|snaps up, snapped up, swoop on, swoops on, all stock|cash deal, talks between ** collapse,
      walk away from ** deal, merger|takeover talk, tie up, M&A, bidding war, tender offer, break up fee,
      deal to =buy|acquire|sell, purchase of, majority|controlling|minority stake
    `,
    likely: 'shareholder ** offer, deal, =bid, suitor, transaction, stake, synergy, purchase',
    hint: 'agree, billion, cash, talk, valued, rival, close, offer, buy',
    not: `
      trade|peace|budget|supply|nuclear|debt|pay|labor|labour|climate|licensing|truce|licence|wage deal,
      activist ** stake, customer|user|language|land|talent acquisition, insider buy, hostile takeover of power,
      =buy the dip, stock to =buy, =stocks to =buy, what|when|reason|time to =buy, at stake, high stakes, bid to,
      purchase manager|price, home|bond|asset purchase
    `,
  },
  {
    slug: 'partnerships',
    sure: `
      partnership, partner|partners|partnering|partnered with, joint venture, strategic|new alliance,
      alliance with|between, team|teamed up, joins|join|joined|joining force,
      collaborate|collaboration|collaborates with|on|between, collaboration agreement,
      signs|sign|signed ** agreement|pact|mou|deal with, memorandum of understanding, licensing deal|agreement,
      ink|inks|inked ** deal|pact|agreement, tie up with, supply|supplier deal|agreement|pact, co develop,
      long term supply
    `,
    likely: 'alliance, collaboration, MoU, partner, teams up, tie up, agreement, pact',
    hint: 'joint, together, develop, sign',
    not: `
      trade|peace|merger|labor|labour|climate|paris|ceasefire|purchase|definitive|credit|plea|settlement agreement|pact,
      limited partnership, partner at|in law|violence, alliance of parties, military alliance
    `,
  },
  {
    slug: 'divestitures',
    sure: `
      divest, divestiture, divestment, spin off, spinoff, spun off, demerger, carve out,
      sell|sells|selling|sold|offload|offloads|shed|sheds|dispose|exit|exits ** unit|division|business|arm|subsidiary|stake|asset|operation|brand|property|portfolio,
      sale of ** unit|division|business|arm|subsidiary|stake|asset|operation|brand, non core|noncore,
      strategic review, asset sale, split into two|three, break up plan, hive off, unit sale,
      separate ** business|unit|division, considers|weighs|explores|mulls sale
    `,
    likely: 'strategic option|alternative, =stake sale, break up, disposal, sell off * unit',
    hint: 'unit, division, subsidiary, sale, arm',
    not: 'fossil fuel divestment, government asset, frozen asset, insider sell, waste disposal, garbage disposal',
  },
  {
    slug: 'indices',
    sure: `stock index, ibovespa, bovespa, world|msci|global share|=stocks|index ${MOVE}, benchmark index`,
    likely: `index ${MOVE}, =stocks ${MOVE}, global =stocks, index, emerging market =stocks`,
    hint: 'closing, session, record, market',
    not: 'dollar|price|prices|PCE|PMI|CPI|confidence|volatility|manufacturing|sentiment|producer|activity index',
    assets: 'type:index',
  },
  {
    slug: 'us-indices',
    sure: `
      S&P 500, S&P500, spx, dow jones, Dow ${MOVE}, Dow * point, Dow|S&P|Nasdaq =futures, nasdaq composite|100,
      nasdaq ${MOVE}, nasdaq|Dow|S&P end|ends|close|closes|record|notch|notches|log,
      wall street ** ${MOVE}|end|close|open|rally|selloff|record, US =stocks|shares|equities|=futures, russell 2000,
      =stocks ** wall street, S&P ${MOVE}, S&P|Dow|nasdaq and S&P|Dow|nasdaq, american =stocks, stock =futures, tsx,
      S&P * Dow * nasdaq
    `,
    likely: 'Dow, S&P, Nasdaq, wall street, small cap',
    hint: '=futures, =stocks, index, point, session, rally, record, selloff, sell off, close, investor',
    not: `
      list ** nasdaq, nasdaq listed|debut|listing|exchange, on nasdaq,
      wall street analyst|view|estimate|expectation|bank|firm|journal|target|forecast, S&P global|rating,
      Dow inc|chemical, nasdaq inc, join ** S&P 500, S&P 500|2000|100 * ETF|ETFs|fund|trust, russell * ETF,
      wall street =view
    `,
    assets: 'key:SPX, key:NDX, key:DJI, key:RUT, key:TSX',
  },
  {
    slug: 'european-indices',
    sure: `
      ftse, dax, CAC 40, cac40, stoxx, ibex 35, smi index, swiss market index,
      european|europe|london|german|french|frankfurt|paris|uk|british|swiss =stocks|=shares|equities|bourse, AEX,
      euro stoxx, OMX
    `,
    not: 'ftse russell',
    assets: 'key:DAX, key:FTSE100, key:CAC40, key:SX5E, key:IBEX35, key:FTSEMIB, key:SMI',
  },
  {
    slug: 'asian-indices',
    sure: `
      nikkei, topix, hang seng, kospi, csi 300, csi300, shanghai composite, nifty, sensex, asx 200, asx200, taiex,
      asian|asia|pacific|japanese|japan|chinese|china|indian|india|korean|kong|australian|australia =stocks|=shares|equities|bourse,
      straits times index, shenzhen * index
    `,
    assets: 'key:N225, key:HSI, key:CSI300, key:KOSPI, key:NIFTY50, key:ASX200',
  },
  {
    slug: 'volatility',
    sure: `
      VIX, fear gauge, volatility index, market|equity|stock|implied|currency|bond volatility,
      volatility ** surge|spike|jump|return|rise|ease|fall|soar, rush for protection, vol trade, volatility trade,
      cboe volatility
    `,
    likely: 'volatility, turbulence, =volatile',
    hint: 'option, hedge, put, market, turmoil, swing',
    not: 'low volatility ETF, volatile organic',
    assets: 'key:VIX',
  },
  {
    slug: 'funds',
    fallback: true,
    sure: `
      ETF, mutual fund, index fund, exchange traded fund, fund rebalance|rebalances|rebalancing, money market fund,
      target date fund, equity|bond|stock fund
    `,
    likely: 'rebalance, index rebalancing, =funds',
    hint: 'holding, portfolio, fund, tracking',
    not: `
      hedge|pension|wealth|federal|public|relief|activist|raise|emergency =funds|fund,
      crypto|bitcoin|ether|ethereum|spot ETF
    `,
    assets: 'type:etf',
  },
  {
    slug: 'etf-flows',
    sure: `
      ETF|ETFs|fund|funds ** inflow|outflow|withdrawal|redemption, inflow|outflow ** ETF|ETFs|fund|funds,
      pour|poured|pours ** into ** ETF|ETFs|fund|funds,
      ETF|ETFs|funds|fund * attract|draw|pull|lose|suffer|shed|gather|lure ** #, fund flow, ETF flow,
      pull|pulled|yank ** from ** fund|funds|ETF|ETFs, inflow into, outflow from, net inflow|outflow,
      withdraw ** from * fund
    `,
    likely: 'inflow, outflow, redemption, withdrawal',
    hint: 'ETF, fund, investor, week, add',
    not: `
      ${COIN} ** inflow|outflow|ETF|ETFs, inflow|outflow ** ${COIN}, ${COIN} fund|=funds|=products ** #,
      capital outflow, cash inflow|outflow
    `,
  },
  {
    slug: 'fund-launches',
    sure: `
      fund launch, launch|debut|roll|introduce|unveil|list|file ** ETF|ETFs,
      launch|debut|introduce|unveil|list ** mutual|index|traded|hedge|credit|bond|equity fund,
      new ETF|ETFs|fund ** compete|launch|track|list|market, ETF|fund ** launch|debut, first ** ETF|ETFs to|of|in
    `,
    likely: 'new ETF, new fund, rival to',
    hint: 'ETF, fund, launch, tracks, fee',
    not: `spot|${COIN} * ETF|ETFs|fund`,
  },
  {
    slug: 'bonds',
    fallback: true,
    sure: `
      bond market, bond yield, bond sale, =bonds ** rally|slump|selloff|fall|rise|gain, fixed income,
      bond investor|trader|fund, bond rout, bond auction, yield curve
    `,
    likely: '=bonds, yield, fixed income, debt sale, bond',
    hint: 'auction, issue, maturity, debt, coupon, borrow',
    not: 'dividend|crop|staking|farm yield, bail bond, yield per',
  },
  {
    slug: 'government-bonds',
    sure: `
      yield curve, =treasuries,
      treasury|treasuries yield|=bonds|bond|note|auction|bill|market|debt|rally|selloff|${MOVE},
      # year yield|treasury|treasuries|bund|gilt|note|bond|JGB, gilt, bund, JGB,
      sovereign bond|debt|yield|rating|spread, government bond|debt|paper|borrowing, muni|municipal bond|debt,
      yield ** ${MOVE}, bond yield, BTP, yield curve ** invert|steepen|flatten|inversion, debt auction,
      national debt, US debt, weak auction
    `,
    likely: 'bond sale, =treasuries, yield, treasury, coupon',
    hint: '# year, auction, basis point, rate, fed',
    not: `
      corporate|junk|high|dividend|company|convertible * bond|yield, crop yield,
      treasury department|secretary|chief|official|sanction, treasury stock|share|company,
      bitcoin|crypto|ether treasury, Bund der, municipal bond ETF|ETFs
    `,
  },
  {
    slug: 'corporate-credit',
    sure: `
      junk bond|debt|rated|rating, high yield bond|debt|market|spread|=bonds,
      corporate bond|debt|credit|=bonds|borrowing|paper, credit spread|rating|default|market|crunch,
      investment grade, leveraged loan, convertible|green|senior note|bond|=bonds|=notes|debt, private credit,
      moody|fitch ** ${CHANGE}|downgrade|upgrade|junk|rating, S&P ${CHANGE}|downgrade|upgrade|affirm,
      S&P ** rating|rtg, default rate, debt restructuring, default on ** debt|=bonds|bond|payment, bankruptcy,
      chapter 11, refinance ** debt, credit default swap, bondholder, credit facility,
      file|files|filed for * bankruptcy|chapter|creditor, debt offering|offer, note offering, senior =notes,
      term loan, distressed debt, CLO
    `,
    likely: `
      =bonds stumble|slump|tumble|sink|plunge|rally, junk territory, issuance, creditor, refinancing, rating agency,
      junk, =insolvency, default, =notes
    `,
    hint: 'debt, bond, loan, maturity, issue, lender, rating',
    not: `
      S&P 500, credit card|union|score, government|sovereign bond|debt, credit suisse, tax credit, by default,
      default setting
    `,
  },
  {
    slug: 'currencies',
    sure: `
      forex, foreign exchange, currency market|trader|pair|war|intervention|manipulator|strategist,
      sterling ${MOVE}|against|versus, sterling * ${MOVE}, =pound ${MOVE}|against|versus, swiss franc|swissie,
      GBP USD, EUR GBP, USD CAD, USD CHF, AUD USD, NZD USD, loonie,
      aussie|kiwi|australian|canadian|zealand|hong dollar, krona, yuan, renminbi, =franc ${MOVE}, FX, gbpusd,
      audusd, usdcad, usdcnh, usdchf
    `,
    likely: 'currency, sterling, exchange rate, devaluation, =pound, =franc',
    hint: 'weaken, strengthen, against the dollar, trader, central bank, intervention',
    not: `
      digital|crypto|virtual currency, sterling job|work|silver, # pound, # billion|million|bn|mn pound|yuan|krona,
      billion|million pound|yuan|=franc|=francs, # =franc|=francs
    `,
    assets: 'type:currency',
  },
  {
    slug: 'dollar',
    sure: `
      dollar index, DXY, greenback, =dollar ** ${MOVE}|weak|strong|against, US =dollar,
      strong|weak|softer|stronger|weaker|firmer =dollar, dollar bull|bear, king dollar, =dollar strength|weakness
    `,
    likely: '=dollar',
    hint: 'currency, yen, euro, forex, trader, yield, rate',
    not: `
      # dollar, billion|million|trillion dollar, dollar general|tree|store|sign|shave,
      australian|canadian|zealand|hong|singapore|taiwan|aussie|kiwi =dollar, against|per|to|versus * =dollar,
      multi * dollar, top dollar, dollar denominated, bottom dollar
    `,
    assets: 'key:GBPUSD, key:USDCNY, key:USDCHF, key:AUDUSD, key:USDCAD, key:NZDUSD, key:USDSEK, key:USDKRW',
  },
  {
    slug: 'euro',
    sure: `
      =euro ${MOVE}|weak|strong|versus|against|buys, =euro * ${MOVE}, EUR USD, EURUSD, EUR GBP, EURGBP, EUR CHF,
      EURCHF, =euro dollar, =euro parity, single currency
    `,
    likely: '=euro',
    hint: 'currency, dollar, forex, parity, ecb',
    not: 'euro zone|area|stoxx|cup|championship|2024|2028|nations|group, # euro, million|billion|mln|bln|bn|mn euro',
    assets: 'key:EURUSD, key:EURGBP, key:EURCHF',
  },
  {
    slug: 'yen',
    sure: `
      =yen ${MOVE}|weak|strong|versus|against|carry|past|intervention, =yen * ${MOVE}, USD JPY, USDJPY, EUR JPY,
      EURJPY, =japanese yen, yen carry, weak|weaker|strong|stronger =yen
    `,
    likely: '=yen',
    hint: 'currency, dollar, tokyo, intervention, forex, boj, japan',
    not: '# yen, billion|million|trillion yen, yen for',
    assets: 'key:USDJPY, key:EURJPY',
  },
  {
    slug: 'emerging-currencies',
    sure: `
      lira, rupee, rupiah, ringgit, zloty, forint, naira, rand ${MOVE}|and|against, south african rand, peso,
      rouble, ruble, brazilian real, real ${RAISE}|weaken|strengthen ** dollar, emerging ** currency|currencies|fx,
      USD MXN, USD BRL, USD TRY, USD ZAR, USD INR, baht, hryvnia, usdmxn|usdbrl|usdtry|usdzar|usdinr, korean won,
      won ** against
    `,
    likely: 'emerging market, =rand',
    hint: 'currency, against the dollar, record low, devaluation',
    not: `
      # rupee|rouble|ruble|lira|peso|rand, billion|million|crore|lakh|bn|mn rupee|rouble|ruble|lira|peso|rand,
      rand paul|corporation
    `,
    assets: 'key:USDMXN, key:USDBRL, key:USDINR, key:USDTRY, key:USDZAR',
  },
]
