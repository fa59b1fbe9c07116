/**
 * Initial document frequencies. Without them all words of the first entries would count as rare, and the results of two
 * companies would look similar because both "beat estimates".
 */

import { parseWords } from '../word-lists.ts'

export const STOP_WORDS: ReadonlySet<string> = new Set([
  // English
  ...parseWords(`a an the and or but nor so yet if then than as at by for from in into of off on onto out over to up upon with
    without within about above after again against all along also although am among any are around be because been
    before being below between both can could did do does doing down during each either else ever few had has have
    having he her here hers him his how however i is it its itself just may me might more most much must my near no not
    now often once one only other our ours own per rather s same shall she should since some still such t that their
    theirs them these they this those though through thus till too toward towards under until very via was we were
    what when where whether which while who whom whose why will would you your`),
  // German
  ...parseWords(`der die das den dem des ein eine einen einem einer eines und oder aber auch als am an auf aus bei bis durch für
    gegen hat haben ihr im ist mit nach nicht noch sein sich sie sind so über um unter vom von vor war werden wie wird
    wurde zu zum zur`),
  // French, Spanish, Italian, Portuguese
  ...parseWords(`le la les un une du des et ou mais que qui dans en par pour sur avec sans sous est sont été ses son sa ce cette
    aux au pas plus se ne d l el los las y o pero por para con sin es son su sus del al lo una unos más como il gli
    uno e di da nel nella della delle dei che non ma os as um uma do dos na nos com não mais ao à às`),
  // Dutch
  ...parseWords('het een van voor met op te zijn naar bij uit ook niet dan nog wordt werd'),
])

/** Entries per thousand that contain a word. Rough figures are enough: counts of real entries take over. */
const SHARES: readonly (readonly [perThousand: number, words: string])[] = [
  [
    60,
    `said says year new company percent million billion market stock share report week quarter first 1st 2nd 3rd 4th
    two three monday tuesday wednesday thursday friday last`,
  ],
  [
    25,
    `rise rises rose risen fall falls fell fallen high higher low lower price investor investors sales profit revenue
    earnings result results analyst analysts estimate estimates forecast forecasts expectation expectations expected
    growth trade trading shares stocks markets deal plan plans people government president state states bank
    economy economic rate rates inflation time day month group chief executive ceo business world country countries
    official officials news global data`,
  ],
  [
    10,
    `beat beats miss misses top tops topped gain gains gained drop drops dropped jump jumps jumped surge surges surged
    soar soars soared slump slumps slumped slide slides slid sink sinks sank plunge plunges plunged climb climbs climbed
    slip slips slipped edge edges tumble tumbles rally rallies rebound rebounds cut cuts raise raises raised lift lifts
    lifted boost boosts hit hits record outlook guidance target targets demand supply cost costs spending annual
    quarterly full half third-quarter results dividend buy sell sells sold sale bought acquire acquisition takeover
    merger stake offer bid talks agree agrees agreed agreement launch launches announce announces announced report
    reports reported post posts posted name names named appoint appoints call calls seek seeks warn warns warned see
    sees show shows set sets make makes made take takes took get gets give gives go goes come comes came keep keeps
    kept hold holds held face faces faced help helps move moves moved start starts begin begins end ends win wins won
    lose loses lost lead leads led open opens close closes closed back next past early late strong weak big large small
    major key long short best better worse best good bad firm firms unit bonds bond dollar yield yields oil gold
    crude tech technology bank banks fund funds index wall street job jobs worker workers union strike tax tariff tariffs
    budget policy law court judge lawsuit case police minister prime premier election vote party leader leaders senate
    congress house federal national international public health home city death deaths dead kill kills killed
    war attack attacks military security energy gas power food car cars vehicle vehicles plant factory production output
    investment invest capital loss losses debt credit loan cash value worth increase increases increased decrease decline
    declines declined change changes update january february march april june july august september october november
    december saturday sunday morning night today tomorrow yesterday years months weeks days hours`,
  ],
  [
    4,
    `upgrade upgrades upgraded downgrade downgrades downgraded rating overweight underweight neutral equal weight buyback
    insider director board chair chairman chairwoman chairperson finance financial officer operations head former
    quarter quarters fiscal first-quarter second-quarter fourth-quarter net operating income margin margins share
    holder shareholders meeting notice general declare declares per insider filing filed sec regulator regulators
    regulatory approve approves approved approval reject rejects rejected probe investigate investigation fine fined
    fines penalty antitrust rule rules ruling ban bans banned order orders ordered recall recalls recalled defect issue
    issues risk risks safety outage system service services software hardware chip chips chipmaker maker makers drug
    drugs drugmaker trial patients vaccine disease outbreak virus hospital doctors study scientists research researchers
    university school students storm hurricane typhoon earthquake quake magnitude flood floods fire fires crash crashes
    derail derails rescue rescuers survivors victims injured toll missing strikes struck drone drones missile missiles
    troops army border peace ceasefire truce hostage hostages sanctions embassy summit talks visit meets meet met
    parliament lawmakers bill coalition cabinet opposition resign resigns resigned resignation quits quit step steps sworn
    elected elects protest protesters arrest arrests arrested charged charges jailed sentenced prison jury trial guilty
    thieves steal stole theft hackers hack cyber crypto cryptocurrency exchange token tokens etf coin inflows outflows
    liquidated withdrawals wallet mining miner miners copper silver bullion barrel barrels refinery crude opec producers
    pipeline airline airlines flight flights passengers airport carrier jets jet aircraft rocket satellite space launch
    retailer retailers shoppers consumer consumers store stores brand brands customers customer clothing prices holiday
    employees staff layoffs workforce hiring payrolls unemployment jobless wages pay employers labor housing mortgage
    property homes estate building tower construction factory-output manufacturing industrial services exports imports
    duties dispute pact retaliate curbs restrict restrictions central benchmark basis points hike hikes reserve policymakers
    monetary committee borrowing recession contraction gdp gross domestic product prize award awarded title championship
    cup final match goal goals game games season team teams coach club player players league derby victory defeat
    series film movie show stream streaming subscription media video games users app apps data centers center cloud
    artificial intelligence ai model models device devices phone phones smartphone online internet digital platform
    sources source report told according statement spokesman spokesperson document documents interview exclusive analysis
    opinion explainer breaking live updates watch photos premarket midday after-hours session wrap roundup brief
    things know biggest moves moving transcript edited conference presentation preview slideshow inc corp ltd plc llc group
    holdings co company corporation gmt est pt eps ipo q1 q2 q3 q4 jan feb mar apr jun jul aug
    sep sept oct nov dec mon tue wed thu fri sat sun am amid despite ahead versus why what who how`,
  ],
]

/** Names that are as frequent as common words but still tell clusters apart. */
const NAME_SHARES: typeof SHARES = [
  [60, 'us'],
  [20, 'china britain europe trump'],
  [8, 'japan germany france india russia ukraine israel canada fed london york'],
]

/** Words other than names, with their share of all entries. */
export const COMMON_WORDS = sharesOf(SHARES)
export const COMMON_NAMES = sharesOf(NAME_SHARES)

function sharesOf(shares: typeof SHARES): ReadonlyMap<string, number> {
  const frequentLast = shares.toReversed()
  return new Map(
    frequentLast.flatMap(([perThousand, words]) => parseWords(words).map((word) => [word, perThousand / 1000])),
  )
}
