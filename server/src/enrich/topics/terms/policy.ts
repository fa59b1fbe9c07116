import type { TopicTerms } from '../terms.ts'

const MAKES =
  'propose|adopt|finalize|finalise|unveil|draft|approve|weigh|consult|delay|scrap|ease|tighten|soften|relax|publish|repeal|sign|pass|issue|plan|update|weaken|water'

export const policyTerms: TopicTerms[] = [
  {
    slug: 'policy',
    fallback: true,
    sure: `
      impeachment, government policy, white house, executive order, congress ** bill, senate ** bill,
      parliament ** vote|approve|pass
    `,
    likely: `
      republican, democrat, impeachment, capitol hill, lawmaker, government, parliament, congress, senate, ministry,
      legislation, minister, administration
    `,
    hint: 'law, bill, policy, vote, trump, biden, president',
  },
  {
    slug: 'fiscal',
    sure: `
      finance minister ** spending|debt|deficit, extra spending, fiscal, public finances|debt|spending,
      national|government debt, debt ceiling|limit|brake, austerity, stimulus bill|package|check, bailout fund,
      sovereign wealth, deficit ** GDP|output, public sector borrowing, borrowing limit
    `,
    likely: 'deficit, stimulus, treasury, public debt, government spending',
    hint: 'spending, budget, debt, government, finance minister',
    not: 'fiscal quarter|year|q1|q2|q3|q4|first|second|third|fourth, trade|attention|supply|market deficit',
  },
  {
    slug: 'budgets',
    sure: `
      budget, spending plan|cut|bill|review|package, government shutdown, appropriations, stopgap,
      continuing resolution, public spending, fiscal plan, chancellor ** spending|tax, reeves|hunt ** budget|fiscal,
      spending ** lawmaker|congress|government, OBR
    `,
    likely: 'shutdown, =deficit, chancellor, finance minister',
    hint: 'spending, government, lawmaker, debt, congress, senate, fiscal, subsidy',
    not: `
      avis budget, marketing|ad|family|household|advertising|it|hospital|film|home|low|big|defense budget,
      budget airline|carrier|phone|hotel|travel|range, plant shutdown, factory shutdown
    `,
  },
  {
    slug: 'taxes',
    sure: `
      tax cut|hike|break|relief|bill|rate|reform|rise|credit|plan|law|overhaul|policy|holiday|increase|haven|avoidance|evasion|burden|refund|deal|proposal|code|return|authority|incentive|dodging|revenue|raid,
      corporate|income|wealth|carbon|capital|sales|property|digital|services|windfall|value|inheritance|payroll|global|minimum|excise|fuel|sugar tax,
      windfall levy, capital gains ** tax, VAT, taxpayer, taxation, IRS, =taxes, tax on, excise duty, raise|cut tax,
      stamp duty
    `,
    likely: 'tax, levy',
    hint: 'government, revenue, lawmaker, treasury, relief',
    not: `
      before|after|pre|post tax, interest and taxes, before interest, profit before, carbon border, tax profit,
      tariff tax, electric|ev ** tax credit, import tax
    `,
  },
  {
    slug: 'regulation',
    fallback: true,
    sure: `
      regulatory|regulation overhaul|framework|burden|reform|rule|change, deregulation,
      new|proposed|draft|stricter|tougher =rules|=rule, ${MAKES} ** =rules|=rule|regulation, =rules for,
      review ** =rules, reporting duty|duties|requirement, consumer protection, CFPB, oversight
    `,
    likely: 'regulation, =rules, regulator, watchdog, compliance, oversight, law',
    hint: 'proposal, consultation, ban, official, draft, comment, approve',
    not: 'rule out, as a rule, ruled out, rule the, golden rule, blood sugar regulation, house rules',
  },
  {
    slug: 'securities-rules',
    sure: `
      SEC ** rule|rules|propose|adopt|approve|plan|regulation|disclosure,
      =securities law|rule|regulation|commission, disclosure rule|requirement, trading rule|halt rule,
      listing rule|standard, settlement cycle, payment for order flow, short selling ban|rule, market structure,
      MiFID, ESMA ** rule|propose|guideline, FCA ** rule|rules|propose|listing, reporting of risk,
      quarterly reporting, circuit breaker, insider trading rule, listed company ** report|rule, proxy rule,
      prospectus rule, best execution, SEC chair|gensler|atkins
    `,
    likely: 'SEC, disclosure, =securities, settlement cycle, Finra, ESMA',
    hint: 'rule, regulator, propose, comment, trading, investor protection, consultation',
    not: `
      SEC filing, SEC championship|football|tournament, crypto|digital asset ** market structure,
      SEC probe|investigation, SEC opens
    `,
  },
  {
    slug: 'banking-rules',
    sure: `
      basel, capital requirement|rule|buffer|hurdle|ratio|adequacy|standard, stress test,
      bank capital|liquidity|regulation|rule|regulator|supervision|oversight|supervisor|merger rule, liquidity rule,
      leverage ratio|rule, banking rule|regulation|supervisor|law|union, FDIC, OCC ** rule|bank|charter, dodd frank,
      volcker rule, deposit insurance, ${MAKES} ** capital ** bank|lender, rule ** bank|lender, CET1,
      bank resolution, prudential, EBA
    `,
    likely: 'supervisor, capital cushion, leverage ratio',
    hint: 'bank, lender, capital, rule, fed, requirement, liquidity',
    not: 'working capital requirement, heart|nuclear|cardiac stress test, human capital',
  },
  {
    slug: 'ai-rules',
    sure: `
      AI act|rule|regulation|law|bill|safety|guardrail|oversight|legislation|policy|framework|governance,
      artificial intelligence act|rule|regulation|law|bill|safety|guardrail|oversight|legislation|framework,
      regulate|regulating|curb|ban|govern ** AI|artificial|deepfake|chatbot, guidance on AI|artificial,
      rules ** AI|artificial|chatbot|deepfake,
      ${MAKES} ** AI|artificial ** rule|guideline|code|law|bill|safety|standard, AI ** rule|regulator|law,
      deepfake ** ban|law|bill
    `,
    likely: 'AI model, deepfake, AI safety',
    hint: 'AI, artificial intelligence, rule, law, lawmaker, regulator, EU',
    not: 'AI chip|server|startup|assistant, AI law firm',
  },
  {
    slug: 'climate-rules',
    sure: `
      climate rule|law|disclosure|policy|target|reporting|bill|pact|summit|regulation|deal|goal,
      emission|emissions rule|limit|report|standard|trading|target|disclosure|cap|reporting|regulation|law|scheme|reduction,
      carbon border|market|price|pricing|credit|tax|levy|permit|emission|trading|neutral, greenhouse gas, net zero,
      paris agreement|accord, EPA ** rule|limit|scrap|emission|standard|pollution, green deal|taxonomy,
      ESG rule|disclosure|regulation|label, CSRD, deforestation law|rule, combustion engine ban,
      COP28|COP29|COP30|COP31, methane rule|fee, fuel economy, sustainability reporting, clean air act
    `,
    likely: 'carbon, emission, climate, EPA, ESG',
    hint: 'rule, report, regulator, brussels, standard, pollution, target',
    not: `
      business|political|economic|investment climate, low|zero emission vehicle, carbon fiber|fibre|monoxide|copy
    `,
  },
  {
    slug: 'geopolitics',
    sure: `
      north korea, iranian|israeli|russian|american|us strike|attack, hong kong protest|protester, geopolitical,
      geopolitics, ceasefire, cease fire, missile, invasion, war in|with|on|between, peace talk|deal|plan, ukraine,
      gaza, israel ** iran|strike|hamas|hezbollah|attack, iran ** nuclear|strike|attack|war|deal, taiwan strait,
      north korea ** missile|nuclear, south china sea, NATO, coup,
      military ** strike|action|drill|buildup|operation, airstrike, kremlin, middle east,
      summit ** xi|putin|trump|leaders, border clash, diplomat, putin, troops
    `,
    likely: `
      qatar, gulf state|arab, saudi arabia, rift, pyongyang, iranian, russian, israeli, =war, conflict, nuclear,
      military, truce, hostage, diplomacy, russia, iran, israel, invade
    `,
    hint: 'tension, attack, border, leader, troop, summit, talk',
    not: `
      trade|price|bidding|streaming|star|chip|talent|console|culture|currency|price war|wars, cold war kids,
      war on drugs, conflict of interest, tariff truce, war chest|room, north korean hacker
    `,
  },
  {
    slug: 'sanctions',
    sure: `
      sanction, embargo, blacklist ** refiner|bank|ship|tanker|oligarch|iran|russia|entity, asset freeze,
      frozen russian, price cap ** oil|russian|crude, OFAC, SWIFT ban, oligarch, shadow fleet, frozen asset
    `,
    likely: 'blacklist, treasury department, price cap, freeze asset',
    hint: 'russia, iran, venezuela, moscow, tehran, treasury, EU, ban, evade',
    not: 'court sanctions, sanctioned event, benefit sanction',
  },
  {
    slug: 'elections',
    sure: `
      =election, =elections, electoral, exit poll, ballot, referendum,
      primary ** win|candidate|vote|republican|democrat,
      presidential race|candidate|campaign|debate|bid|vote|hopeful|nominee, opinion poll,
      polling ** lead|ahead|show, runoff, run off vote, voter, midterm, coalition talk|government, snap poll,
      swing state, campaign ** final|trail|weeks, parliament ** dissolve, polls point|show|open|close, iowa caucus,
      caucus, nominee
    `,
    likely: '=vote, poll, candidate, campaign, incumbent, senator, party',
    hint: 'president, parliament, lead, race, win, democrat, republican, victory',
    not: `
      strike|union|board|shareholder|proxy ** ballot|election|vote,
      marketing|ad|advertising|fundraising|vaccination|holiday campaign, drug candidate,
      election of director|directors|board, open enrollment election, leadership election of board,
      vote of confidence
    `,
  },
]
