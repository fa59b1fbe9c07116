import type { TopicTerms } from '../terms.ts'
import { LOWER } from './shared.ts'

const CHIEF = 'CEO|CFO|COO|CTO|chief|chairman|chairwoman|chair|president|boss|executive|director|founder|head'
const LEAVE =
  'step|resign|retire|depart|quit|leave|oust|exit|fire|sack|=out|replace|dismiss|successor|succeed|departure'
const COURT = 'court|judge|jury|lawsuit|plaintiff|prosecutor'

export const companyTerms: TopicTerms[] = [
  {
    slug: 'companies',
    fallback: true,
    sure: `
      win|land|secure|award|clinch|bag ** contract|order, contract win, landmark order, big order, gain ground on,
      overtake ** ranking, =market share
    `,
    likely: 'contract, order book',
    hint: 'company, firm, billion, customer',
    not: 'court|executive|restraining order, in order, order to',
  },
  {
    slug: 'leadership',
    fallback: true,
    sure: 'executive compensation, leadership turmoil, governance row, pay package',
    likely: 'boardroom, management team, corporate governance, executive pay, ceo pay',
    hint: `${CHIEF}, board, management`,
  },
  {
    slug: 'executive-changes',
    sure: `
      removal|ouster|exit as|of * chairman|CEO|CFO|chief|director, CEO|CFO turnover, lose CEO|CFO|chief|president,
      ${CHIEF} ** step|resign|retire|depart|quit|oust|replace|successor|departure|=leaving|=leaves,
      name|appoint|tap|hire|pick|promote|elevate|poach ** ${CHIEF}, ${CHIEF} ** step|steps|stepping down,
      new CEO|CFO|COO|CTO|chairman|boss, new finance|executive|operating chief, ${CHIEF} officer ** ${LEAVE},
      ousted|outgoing|incoming|interim|departing CEO|CFO|chief|boss|chairman|president|executive,
      become|named|appointed ** chief|CEO|CFO|chairman|chairwoman|president|officer,
      succeed ** as CEO|CFO|chief|chairman|president, ${LEAVE} as CEO|CFO|chief|chairman|chair|president|head,
      CEO succession, head of ** left|leaving|=leaves|quit, senior appointment, leadership change|shakeup|shake,
      step|steps|stepped|stepping down as, chief executive search, management shake, ${CHIEF} departs,
      join ** as CEO|CFO|chief|president|head, appoint ** to board, ${CHIEF} =out
    `,
    likely: 'appoint, appointment, successor, succession, resign, step down, resignation, departure',
    hint: `${CHIEF}, board, executive, role`,
    not: `
      president trump|biden|xi|putin|macron|lula|erdogan|zelenskiy, prime minister,
      fed|central|ecb|boj|bank|reserve chair|chief|president|head, party leader, step|steps up,
      president of ** republic, head to|of state
    `,
  },
  {
    slug: 'shareholder-activism',
    sure: `
      activist investor|fund|shareholder|hedge|stake|campaign|firm, activist ** stake, activist call,
      proxy fight|battle|contest|war, elliott * management|investment|take|build|push|seek|urge|stake,
      starboard value, trian, icahn, pershing|ackman ** stake|push|board, third point, board seat,
      seat on the board, shareholder revolt|rebellion|proposal|pressure, dissident, vote against ** pay|board,
      shareholder advisory, ISS|glass ** recommend|urge|advise, jana partners, valueact
    `,
    likely: 'activist, proxy, stake',
    hint: 'shareholder, board, investor, push, fund, urge',
    not: 'climate|rights|political|student|opposition|democracy activist',
  },
  {
    slug: 'products',
    fallback: true,
    sure: 'product line|range|lineup|strategy|portfolio, price increase on product',
    likely: 'product, product line, product recall, gadget, =brand',
    hint: 'customer, launch, sale, new',
    not: 'product price, gross domestic product, household product',
  },
  {
    slug: 'product-launches',
    sure: `
      unveil|launch|debut|introduce|release|showcase|reveal|announce|preview ** phone|smartphone|tablet|chip|car|truck|suv|model|console|app|assistant|device|headset|laptop|watch|service|platform|product|version|drug|vaccine|sneaker|line|edition|processor|subscription|tool|feature|robot|chatbot|software|game|vehicle|card,
      product launch|launches|debut|delay|event, =unveils, =unveiled, =unveiling,
      new iphone|model|product|smartphone, roll|rolls|rolled|rolling out, =rollout, to launch, =launches, =launched,
      delay|postpone ** launch|release|product|model|rollout, =relaunch, goes on sale, pre order, preorder,
      to release
    `,
    likely: 'launch, launching, unveil, debut, release, new product, =delays|=postpones|=delayed|=postponed',
    hint: 'new, model, device, version, feature, review, month, slip',
    not: `
      fed|government|china|police|army|israel|russia|minister|regulator ** launch|unveil,
      launch ** credit|support|program|programme|funding|financing|operation|=sales,
      to release ** =results|quarter|=earnings,
      unveil|introduce|release|announce|reveal|launch ** budget|plan|bill|rule|rules|law|measure|proposal|package|reform|strategy|target|tariff|sanction|stimulus|guideline|guidance|partnership,
      launch ** probe|investigation|inquiry|bid|offer|review|attack|strike|walkout|ipo|fund|ETF|ETFs|buyback|lawsuit|suit|campaign|offering|takeover|search|coverage|research|repurchase|tranche|sale,
      missile|rocket|satellite launch, press|news|earnings|data release,
      release ** earnings|results|data|report|figures|hostage|prisoner|statement,
      debut on|in|of nasdaq|nyse|trading, market|trading debut,
      launches|launched|launch an|the|a * probe|investigation|inquiry|bid|attack
    `,
  },
  {
    slug: 'recalls',
    sure: `
      =recalls, =recalling, recall #,
      recall ** vehicle|car|truck|suv|unit|product|model|pickup|batch|toy|food|device|phone|battery, safety recall,
      product recall, nationwide|voluntary recall, recall ** over|due|after|because, recall of, safety defect,
      halt|stop ** sale ** defect|fault, =recalled
    `,
    likely: 'recall, =defect, contamination, listeria, salmonella, airbag',
    hint: 'safety, faulty, fault, injury, NHTSA, regulator',
    not: `
      recall election|vote|when|how|that, recall * petition, total recall, =recalls her|his|how|when|life|growing,
      gubernatorial recall
    `,
  },
  {
    slug: 'drug-trials',
    sure: `
      late|mid|early stage ** study|trial|data, data for|on ** drug|treatment, positive data,
      phase 1|2|3|ii|iii|1b|2b|2a|three * trial|study|data|test|result|drug, phase ii|iii|1b|2b|2a,
      late|mid|early stage trial|study, clinical trial|study|hold|data,
      drug|vaccine|trial ** fail|succeed|success|setback|trial, trial of ** drug|vaccine|treatment,
      FDA ** approve|approval|reject|panel|grant|review|clear|clearance|nod|advisory|fast|priority|application,
      EMA ** approve|recommend|approval|backs, NDA|BLA submission|filing, drug candidate, primary endpoint,
      orphan drug, breakthrough therapy|designation, pivotal trial|study, topline|top line data|result, placebo,
      fast track designation, drug approval, marketing authorization, drug ** trial,
      experimental drug|treatment|therapy|vaccine, priority review, trial setback|success, biologics license,
      regulatory approval ** drug, complete response letter, wins approval for
    `,
    likely: 'phase 1|2|3, trial, FDA, dosing, efficacy, patient, endpoint, clinical, vaccine',
    hint: 'drug, treatment, study, therapy, cancer, tumor, disease, dose, pill, approval',
    not: `
      impeachment trial, murder|criminal|jury|fraud|civil|antitrust|bench|court trial, trial and error, on trial,
      free trial, phase 1|one * trade|deal|agreement, stand trial
    `,
  },
  {
    slug: 'workforce',
    sure: `
      hiring freeze, hiring spree, to hire #, hire|recruit #, create # * job, back|return to the office,
      remote work, recruit ** worker|staff|people, labor shortage at
    `,
    likely: 'workforce, staff, employee, hire, recruit, worker, headcount',
    hint: 'job, office',
    not: `
      workforce data|statistics, labor force, employee|worker|staff|workforce ** strike|walkout|cut|layoff,
      cut|shed ** staff|workforce|worker|employee
    `,
  },
  {
    slug: 'layoffs',
    sure: `
      layoff, lay|lays|laying|laid off, job cut|loss,
      ${LOWER}|axe|shed|eliminate|slash|cull|scrap ** job|=jobs|position|=roles|staff|workforce|headcount|employee|worker|=posts,
      =redundancies, redundancy plan|program, workforce reduction|cut, downsize|downsizing, staff cut,
      headcount reduction, furlough, pink slip, =jobs ** at risk, fire #, fire ** worker|staff|employee,
      =lose their =jobs, =firing ** worker|staff|employee, job ax
    `,
    likely: 'redundancy, severance, restructuring, cull',
    hint: 'job, worker, staff, employee, workforce, union',
    not: 'cut ** job growth, lay off the, data redundancy',
  },
  {
    slug: 'strikes',
    sure: `
      walkout, walk|walks|walked out ** pay|job|wage|talk|contract|condition, walk|walks|walked off * job,
      go|went|going on strike, on strike, strike action|vote|ballot|threat|deadline|mandate,
      strike ** worker|union|wage|pay|port|plant|halt|airport|rail|staff|pilot|nurse|week|day,
      worker|union|pilot|nurse|teacher|driver|crew|staff|machinist|writer|actor|dockworker|employee|miner ** strike,
      union ** strike, industrial action, picket, work stoppage, labor|labour dispute|strike|union|unrest, UAW,
      teamsters, general strike, vote|votes|voted to|for strike, rail|port|bus|tube|train|airport|postal strike,
      lockout, avert ** strike, strike at, worker walk
    `,
    likely: 'strike, union, collective bargaining, pay talk',
    hint: 'worker, pay, wage, halt, contract, demand, plant',
    not: `
      strike ** tehran|iran|kyiv|gaza|target|ukraine|syria,
      military|nuclear|israeli|russian|us|american|rocket strike, european|credit|african|student union, stand off,
      strike deal|price, strikes deal|down, strike out, strike force, first strike,
      earthquake|storm|hurricane|tornado strike
    `,
  },
  {
    slug: 'legal',
    fallback: true,
    sure: `
      legal dispute|battle|fight|challenge|action|team, court ruling, supreme court, legal cost, arbitration ruling
    `,
    likely: 'lawyer, legal, court, law firm, judge, arbitration',
    hint: 'case, ruling, dispute, charge, verdict',
    not: 'tennis|basketball court, legal age|drinking',
  },
  {
    slug: 'lawsuits',
    sure: `
      lawsuit, sue, =suing, class action, file|face|settle|dismiss|toss|lose|win * suit|lawsuit|complaint,
      jury ** pay|award|order|find|verdict|rule,
      court ** pay|rule|dismiss|uphold|overturn|claim|reject|order|side|appeal,
      judge ** rule|order|toss|throw|dismiss|reject|block|approve|side|suit|say,
      settle ** case|claim|suit|charge|allegation|litigation|lawsuit|dispute, litigation, damages ** case|claim,
      in damages, plaintiff, legal settlement, settlement with|over ** claim, agree * to settle,
      ${COURT} ** settlement|verdict|damages, shareholder|investor|derivative suit,
      law firm ** investigate|announce|remind|claim, appeals court, defamation, wrongful death,
      securities fraud ** action|class|claim
    `,
    likely: 'settlement, verdict, =suit, =sued, =court, jury, damages, appeal, allege, plaintiff',
    hint: 'judge, claim, case, ruling, trial, liability, accuse, dismiss',
    not: `
      settlement cycle|price|date, follow suit, court of public, law suit up, trade court seat,
      space|west bank settlement, israeli settlement, tennis court, appeal to|for, appeals to|for voters,
      suit and tie, space suit, storm damages, currency settlement
    `,
  },
  {
    slug: 'antitrust',
    sure: `
      antitrust, anti trust, monopoly, monopolist,
      competition watchdog|authority|regulator|commission|law|probe|concern|inquiry,
      CMA ** merger|deal|probe|block|clear|takeover,
      FTC ** sue|block|merger|challenge|probe|deal|monopoly|acquisition, cartel fine|probe, price fixing,
      abuse ** dominance|dominant, dominant position, block ** merger|takeover|acquisition, gatekeeper,
      digital markets act, merger review, anticompetitive, anti competitive, market power|dominance
    `,
    likely: 'FTC, dominance, competition, collusion, break up',
    hint: 'merger, regulator, EU, fine, market, probe, block, DOJ, abuse',
    not: `
      drug cartel, monopoly game, state monopoly, opec cartel, competition for|from|in, dance|singing competition
    `,
  },
  {
    slug: 'regulatory-probes',
    sure: `
      probe,
      SEC|DOJ|FTC|regulator|watchdog|FCA|BaFin|prosecutor|senate|police|authority|authorities|ministry|NHTSA|FAA ** investigate|investigation|inquiry|subpoena|charge|probe|raid|scrutinize|question|fine|examine|accuse,
      under investigation, open|launch|face|widen|face ** investigation|inquiry|probe, subpoena,
      investigation into|over|of ** accounting|disclosure|fraud|emission|trading|practice|safety|sale|company,
      accounting fraud|scandal|irregularity|probe|error, wells notice, fine|fined|fines #,
      fined|fines ** over|for|by, raid ** office|headquarters, insider trading, bribery, money laundering,
      whistleblower, regulatory scrutiny|probe|investigation|inquiry, regulator ** question, revenue recognition,
      criminal charge|probe|investigation, settle ** SEC, penalty ** regulator, inquiry into, indict
    `,
    likely: 'investigation, inquiry, =fine, =fined, penalty, prosecutor, fraud, scandal, investigate',
    hint: 'SEC, regulator, watchdog, charge, accounting, disclosure, allegation, DOJ, misconduct',
    not: `
      space|mars|lunar|nasa|moon probe, law firm ** investigate|investigation|probe, fine dining|art|line|print,
      police ** murder|death|crash|shooting|theft, fine with|tune,
      murder|crash|accident|death investigation|probe|inquiry, trade probe,
      investigation into ** shooting|crash|death|fire|murder, impeachment inquiry
    `,
  },
  {
    slug: 'patents',
    sure: `
      patent, intellectual property, trade secret, copyright, IP theft|rights|protection|law,
      trademark infringement|dispute|case, infringe|infringement, royalty dispute, FRAND
    `,
    likely: 'trademark, royalty',
    hint: 'court, claim, licence, license, technology, generic',
    not: 'patent leather',
  },
  {
    slug: 'operations',
    fallback: true,
    sure: `
      outage ** customer|service|hour|user,
      service|network|hours|global|cloud|internet|mobile|widespread|major|computer|it outage,
      outage at|hit|leave|disrupt, glitch ** hit|force|halt|ground|delay, production halt|cut|stoppage,
      operational problem|update, systems failure|fail, production|operations ** resume|suspend|halt|update,
      cost cutting|cuts program
    `,
    likely: 'outage, glitch, disruption, efficiency drive, cost cutting',
    hint: 'customer, system, service, production, restart',
    not: 'power|blockchain|mainnet|solana|grid|refinery|pipeline outage, military operations, blackout',
  },
  {
    slug: 'supply-chains',
    sure: `
      supply chain,
      supply|chip|part|parts|component|component|driver|material|semiconductor|battery|container shortage|bottleneck|crunch|glut,
      shortage|lack of ** part|chip|component|material|magnet|driver,
      supplier ** shift|switch|diversify|strike|halt|disruption|problem|concern|trouble,
      rethink ** supplier|sourcing, shift|move|relocate ** production|sourcing|manufacturing|supply, nearshoring,
      reshoring, onshoring, friendshoring, run|running short, =sourcing from|of, decouple|decoupling from,
      supply deal|bottleneck|disruption|snag|crunch, missing component, long term supply, secure ** supply,
      part run short, inventory glut|shortage
    `,
    likely: 'supplier, =sourcing, shortage, bottleneck, component, logistics disruption',
    hint: 'supply, part, inventory, production, delay, disruption, delivery',
    not: `
      labor|housing|home|food|water|blood|teacher|staff|doctor|gas|fuel|egg|nurse|power|drug shortage,
      oil|crude|money|gas|gold supply, supply cut|glut|worries|and demand
    `,
  },
  {
    slug: 'factories',
    sure: `
      factory ** open|build|close|expand|plan|shut|new|construction|site|investment|production,
      build|open|close|shut|expand|construct|reopen|idle|shutter|halt ** factory|plant|fab|gigafactory|mill|refinery|smelter|facility|site|sites,
      new|second|third|first plant|factory|fab|facility|site|gigafactory, gigafactory, megafactory,
      plant closure|expansion|opening|shutdown, break|breaks|broke ground, assembly plant|line,
      invest ** in * plant|factory|site|facility|production, chip|battery|car|auto|steel plant|factory|fab,
      idle ** plant|line|factory, foundry, manufacturing plant|site|hub|facility, production line|site|capacity,
      expand ** investment in
    `,
    likely: 'factory, plant, fab, facility, =manufacturing site, capacity',
    hint: 'production, build, site, construction, investment, assembly, output',
    not: `
      factory order|output|activity|gate|data|price|inflation|growth|index,
      power|nuclear|coal|treatment|flowering|gas|house|recycling plant, fab four, plant based|tree|seed,
      plant ** tree, factory orders
    `,
  },
  {
    slug: 'data-breaches',
    sure: `
      data breach|leak|theft, cyberattack, cyber attack|incident, ransomware,
      hacker ** steal|stole|leak|breach|access|target|customer|data,
      hack|hacked ** customer|data|system|account|email|record|user,
      =breach ** customer|account|data|record|user|million|security, security breach,
      stolen data|credentials|record, personal data|information ** leak|expose|steal|stole|million, phishing,
      malware, leak ** personal|customer|user data, expose ** record|account|detail|customer, denial of service,
      data of #, compromise ** account|data|customer
    `,
    likely: 'hacker, hack, breach, data leak, leaked',
    hint: 'data, customer, record, system, cyber, account, password, expose, steal',
    not: `
      leaked document|memo|video|recording|audio|draft|cable,
      crypto|bitcoin|defi|exchange|bridge|wallet|protocol|token * hack|hacker|breach,
      breach of contract|duty|trust|covenant|fiduciary, life hack, hack into shape,
      hacker ** crypto|bitcoin|protocol|token, hack ** crypto|protocol, smart contract hack, growth hack
    `,
  },
]
