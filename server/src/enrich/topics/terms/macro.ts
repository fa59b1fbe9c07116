import type { TopicTerms } from '../terms.ts'
import { CHANGE, MOVE, NATIONAL } from './shared.ts'

const RATE_MOVE = `${CHANGE}|hold|held|keep|kept|leave|left|pause|ease|tighten|signal|maintain|delay|mull`
/** Countries and regions before "economy"; possessive endings are removed from texts. */
const COUNTRY = `US|UK|EU|USA|america|britain|germany|france|italy|spain|china|japan|india|korea|brazil|mexico|canada|australia|zone|eurozone|turkey|russia|argentina|switzerland|sweden|norway|poland|global|world|${NATIONAL}`

export const macroTerms: TopicTerms[] = [
  {
    slug: 'macro',
    fallback: true,
    sure: 'global|world economy, macro outlook, macroeconomic, economic data|outlook, IMF, OECD, world bank',
    likely: 'economist, economy, economic',
    hint: 'growth, data, forecast, uncertainty',
  },
  {
    slug: 'central-banks',
    sure: `
      central bank, rate cut|hike|rise|decision|setter|pause|path|bet, interest rate ${MOVE}|${RATE_MOVE},
      ${RATE_MOVE} ** interest|key|policy|benchmark|main rate, =rates unchanged|steady|at, =rates on hold,
      monetary policy|easing|tightening, reserve bank, RBA, RBNZ, RBI, SNB, swiss national bank, riksbank,
      norges bank, bank of canada|korea|israel|mexico, banxico, BoC, quantitative easing|tightening, central banker,
      policy rate, basis point ** rate|cut|hike, cut|hike|raise|lower ** basis point, zero interest, benchmark rate,
      surprise ** rate, rate by # basis
    `,
    likely: `
      ${RATE_MOVE} =rates, interest rate, policymaker, =easing, =tightening, hawkish, dovish, =rates, basis point,
      monetary
    `,
    hint: 'inflation, governor, minutes, meeting, statement, rate, cut, hike, unchanged, policy',
    not: `
      mortgage|tax|growth|jobless|unemployment|occupancy|vacancy|exchange|death|birth|crime|freight|default|loan|churn|container|day|corporate =rates|rate,
      central banks buy, central bank gold|digital
    `,
  },
  {
    slug: 'federal-reserve',
    sure: `
      federal reserve, Fed|FED, FOMC, Powell, powell, beige book, dot plot, jackson hole, federal funds,
      yellen ** rate
    `,
    likely: 'federal funds rate, Waller, Bowman, Kashkari, Goolsbee, Bostic, Barkin, Williams ** rate, Daly ** rate',
    hint: 'rate, inflation, minutes',
    not: 'fed into|by, FED UP, Fed up|into|by|cup|ex, Colin Powell',
  },
  {
    slug: 'european-central-bank',
    sure: 'european central bank, ECB, lagarde, draghi, schnabel ** rate|inflation, deposit facility, bundesbank',
    likely: 'frankfurt, governing council',
    hint: 'euro zone, rate, policymaker',
  },
  {
    slug: 'bank-of-england',
    sure: 'bank of england, BoE|BOE, threadneedle street, andrew bailey, MPC ** rate|vote, bank rate',
    likely: 'MPC, Bailey',
    hint: 'gilt, sterling, rate',
    not: 'boe per day, # boe',
  },
  {
    slug: 'bank-of-japan',
    sure: 'bank of japan, BoJ|BOJ, ueda, kuroda, yield curve control',
    likely: 'negative rate, japan ** rate hike',
    hint: 'japan, yen, JGB, rate',
  },
  {
    slug: 'peoples-bank-of-china',
    sure: `
      people bank of china, people's bank of china, PBOC|PBoC, china central bank, chinese central bank,
      loan prime rate, reserve requirement ratio, china ** RRR
    `,
    likely: 'RRR, reserve requirement, LPR, medium term lending',
    hint: 'china, beijing, yuan, liquidity',
  },
  {
    slug: 'inflation',
    sure: `
      =inflation ** expectation|target|data|pressure|fear|worry|worries|outlook|forecast|fight, price pressure,
      stagflation, hyperinflation, deflation, disinflation, cost of living, =inflation
    `,
    likely: 'consumer|producer price, rising price',
    hint: 'price, economist, cost, pressure',
    not: 'inflation protected, asset price inflation, grade inflation, inflation reduction act',
  },
  {
    slug: 'consumer-prices',
    sure: `
      consumer price, CPI, PCE, core =inflation|price|PCE,
      =inflation ${MOVE}|accelerate|cool|quicken|slow|jump|heat|at|hit|rate|report|reading|print,
      =inflation * ${MOVE}|accelerate|cool|quicken|slow, annual =inflation,
      food|grocery|rent|energy|service price ${MOVE}, headline =inflation, HICP, ${COUNTRY} =inflation,
      =inflation ** cool|accelerate|slow|ease, hot|cooler|sticky =inflation
    `,
    likely: '=inflation, cost of living, grocery price',
    hint: 'price, economist, annual, core, month, year earlier',
    not: '=inflation expectation|target|reduction|fear|worry|hedge',
  },
  {
    slug: 'producer-prices',
    sure: `
      producer price, PPI, wholesale price|inflation, factory gate, input price|cost inflation, import price,
      price pressure in factory
    `,
    likely: 'producer =inflation, output price, charge less for',
    hint: 'factory, price, wholesale, manufacturer, goods',
    not: '=lower input cost',
  },
  {
    slug: 'growth',
    sure: `
      recession, economic growth|slowdown|recovery|expansion|contraction|downturn|rebound|activity|stimulus,
      growth forecast ** economy|IMF|cut, economist ** growth, slowing economy, soft landing, hard landing,
      consumer confidence|sentiment|spending, business|economic confidence|sentiment|climate,
      ifo|zew index|survey|sentiment, leading indicator, growth outlook, services PMI, composite PMI,
      services sector ** activity|growth
    `,
    likely: 'economy, PMI, stimulus, slowdown, downturn',
    hint: 'growth, forecast, economist, economic, output, quarter',
    not: `
      revenue|sales|profit|earnings|subscriber|job|wage|user|dividend|loan|pay growth, growth stock, crypto economy,
      circular economy, economy class
    `,
  },
  {
    slug: 'gdp',
    sure: `
      GDP, gross domestic product, ${COUNTRY} * economy ${MOVE}|expand|contract|grow|shrink|stagnate|stall|rebound,
      economy ** expand|contract|grow|grew|shrink|shrank|stagnate ** #,
      economy ** grow|grew|grows|shrink|shrank|shrinks|contract|expand ** quarter|pace|rate|faster|slower|expected|annual,
      technical recession, economic output,
      economy expand|expands|grew|grows|shrank|shrinks|contracts|contracted|stagnates|stagnated
    `,
    likely: 'economy, recession, =output',
    hint: 'growth, quarter, annual rate, expand, contract, statistics office',
    not: '# of GDP, of GDP, debt to GDP',
  },
  {
    slug: 'manufacturing',
    sure: `
      manufacturing ${MOVE}|PMI|index|activity|output|survey|sector|data|contraction|slump|recession|order|growth,
      manufacturing ** contraction|expand|contract, factory order|output|activity|data|growth|slump,
      industrial output|production|order, ISM, PMI, durable goods, purchasing manager, machine order,
      empire state index|survey, philly fed, machinery order, capacity utilization,
      manufacturer|=manufacturing ** contract|expand|slump|shrink, core machinery
    `,
    likely: '=manufacturing, factory, =manufacturers',
    hint: 'output, order, survey, contraction, index, export',
    not: `
      factory gate, services PMI, manufacturing plant|site|facility|hub|process|partner|agreement,
      factory open|plan|worker, semiconductor manufacturing, manufacturing company|co
    `,
  },
  {
    slug: 'retail-sales',
    sure: `
      retail =sales, retail spending, consumer spending ${MOVE}, shopper ** spend|spending,
      holiday|christmas =sales|shopping|spending, black friday, cyber monday, same store sales ** sector,
      high street =sales|spending, household spending, footfall, singles day
    `,
    likely: 'consumer spending, shopper, shopping, holiday season',
    hint: 'retail, =sales, store, consumer, month, spend',
    not: 'retail sales associate',
  },
  {
    slug: 'housing',
    sure: `
      mortgage rate|application|lending|demand|approval|lender,
      housing =market|start|starts|price|demand|data|crisis|permit|affordability|boom|slump|bubble|shortage|inventory|sector,
      home|house|property price|sale|=sales|builder|sales|buying|buyer, =homebuilder, homebuilding,
      existing|new|pending home, building permit, case shiller, homebuyer, =housing, rent ${MOVE},
      real estate agent|market, home loan, homeowner|homeownership, property market|bubble|slump|crisis, NAHB,
      zillow|redfin ** price|home|market
    `,
    likely: 'mortgage, homebuyer, realtor, builder, property',
    hint: 'home, house, buyer, permit, rent, price, affordability',
    not: `
      house passes|votes|panel|committee|speaker|republican|democrat, home improvement|depot|delivery|screen,
      house of, commercial property, intellectual property
    `,
  },
  {
    slug: 'labor',
    fallback: true,
    sure: `
      labor|labour market|force|shortage|supply|reform|law, minimum wage, immigration ** worker, gig worker,
      skills shortage
    `,
    likely: 'labor|labour market, worker, labor|labour force, unemployment',
    hint: 'job, hiring, employer, wage, pay',
    not: 'labour party|mp|government|leader',
  },
  {
    slug: 'jobs-reports',
    sure: `
      payroll, non farm|nonfarm, jobs report|data|growth, jobless, =unemployment,
      job growth|gain|opening|creation|market|vacancy, hiring ** stall|pick|slow|rebound|surge|slump|freeze|weak,
      employer ** add|hire|cut ** job|position|people, JOLTS, ADP, add|adds|added # * job|=jobs,
      economy ** add|lose ** =jobs, labor|labour market ** cool|tight|slow|strong|weak|resilient|data,
      employment ${MOVE}|data|report|figure|growth|change|index, first time claim
    `,
    likely: '=hiring, employment, labor|labour market, =jobs',
    hint: 'claim, employer, worker, rate, month, economist, position',
    not: 'payroll tax|protection, job cut|loss, =jobs at, unemployment benefit fraud, steve jobs',
  },
  {
    slug: 'wages',
    sure: `
      wage ${MOVE}|growth|deal|talk|increase|demand|pressure|inflation|data|hike|rise|offer|gain|bill,
      real|minimum|average|higher|hourly wage|=pay|=earnings,
      =pay growth|rise|raise|deal|increase|settlement|hike|offer|talk|packet|award|gap, =wages,
      average hourly earnings, salary ${MOVE}|increase|growth|hike, salaries ** rise|rose|grow, shunto,
      ${CHANGE} wage|salary|salaries, over =pay, raise ** =pay
    `,
    likely: 'wage, salary, =pay',
    hint: 'worker, union, raise, hourly, negotiation',
    not: `
      executive|ceo pay, pay for|off|to|the|a|attention|tribute|tv|wall, wage war, apple|google|samsung pay, to pay
    `,
  },
  {
    slug: 'trade',
    sure: `
      trade war|tension|talk|deal|deficit|surplus|balance|gap|pact|agreement|negotiator|negotiation|truce|dispute|policy|barrier|minister|representative|outlook|relation|friction|row|partner|envoy|delegation|accord|figures,
      free trade, trade with|between ** china|EU|US|india|mexico, WTO, USMCA, NAFTA, brexit * trade|deal,
      export ${MOVE}|data|order|growth, import ${MOVE}|data, =exports|=imports ** ${MOVE}, current account,
      =exporter, =exporters, protectionism, mercosur, phase one
    `,
    likely: '=exports, =imports, trade, =importer, =importers, negotiator',
    hint: 'china, tariff, export, import, duty, beijing, washington',
    not: `
      export control|ban|curb|licence|terminal|license|rule,
      trade secret|show|union|fair|school|publication|desk|idea|off|mark|in, insider|day|stock|options trade,
      trade ** player, trade at|in|down|up|for, carry|momentum|crowded trade
    `,
  },
  {
    slug: 'tariffs',
    sure: `
      tariff, import duty|tax|levy|levies, customs duty|duties,
      retaliate|retaliatory * duty|levy|levies|tariff|measure, =retaliates with, anti dumping, antidumping,
      countervailing, section 232|301, extra duties, duties on,
      levy|levies on ** import|imports|goods|american|chinese|european|steel|aluminum|car|good, trade tension,
      de minimis
    `,
    likely: '=duties, levy|levies, retaliation, retaliate',
    hint: 'import, trade, export, trump, beijing, brussels, goods',
    not: 'electricity|feed in|roaming|energy|power|freight|mobile tariff, carbon * levy, windfall levy',
  },
  {
    slug: 'export-controls',
    sure: `
      export control|ban|curb|restriction|rule|licence|license|limit, curb ** export,
      ban ** export|exports|sale of chips, entity list,
      restrict|limit|block|ban|curb|tighten|ease ** =exports|export|sale|=sales ** china|chip|technology|rare|russia,
      allow|lets|let|permit ** sell ** china|russia, rare earth ** export|curb|restriction|licence|license,
      export ** licence|license|licensing, blacklist ** chinese|china|tech|company, bureau of industry and security,
      chip ban|curb, chips to china, dual use
    `,
    likely: 'rare earth, blacklist, licensing regime',
    hint: 'export, china, chip, technology, beijing, washington, commerce department, licence, license',
  },
  {
    slug: 'shipping-lanes',
    sure: `
      red sea, suez, panama canal, strait of, =strait, hormuz,
      shipping lane|route|disruption|delay|rate|cost|crisis|traffic|attack, freight rate|cost,
      container rate|ship|shipping|vessel|line|port|volume|freight,
      vessel ** avoid|attack|queue|delay|stranded|divert|seize|reroute,
      tanker ** reroute|attack|seize|queue|avoid|hit|drift|transit,
      port congestion|closure|backlog|delay|strike|worker, houthi, baltic dry, maritime,
      =ships ** reroute|divert|avoid|stuck|cape, cape of good hope, =shipping
    `,
    likely: 'vessel, tanker, container, cargo ship, freight, canal',
    hint: 'ship, port, sea, route, disruption, reroute, delay',
    not: `
      free|next day|same day|fast shipping, shipping container home, blood vessel, shipping date|fee,
      supertanker order
    `,
  },
]
