import { normalizedWords } from './tokens.ts'

/** Nouns right after a company's name. */
export const COMPANY_HAS = normalizedWords(`
  inc corp corporation co company ltd plc ag sa nv holdings group
  shares share stock stocks shareholders shareholder investors bonds debt adr options
  ceo cfo coo chief chairman chairwoman president executive executives board boss founder director directors
  earnings results profit profits revenue revenues sales guidance outlook forecast dividend dividends buyback margins
  quarter quarterly q1 q2 q3 q4 fy 1q 2q 3q 4q first second third fourth h1 h2 interim annual full
  stores store plant plants factory workers employees staff jobs layoffs unit subsidiary spokesman spokeswoman
  bookings eps pt price upgraded downgraded initiated cut raised rated rating estimates valuation ipo bid takeover merger deal
  trading traded lawsuit ad ads customers users subscribers products`)

/** Verbs right after a company's name, with the "to" of "Target to cut jobs". */
export const COMPANY_DOES = normalizedWords(`
  hit facing cutting raising selling buying planning launching   writes wrote builds built makes made leads books holds keeps puts pulls pushes leaves turns shows tells calls asks
  wants needs bets backs blocks bars bans orders fined accused denies admits apologises apologizes urges asks hails
  slashes hikes boosts trims doubles triples quits exits enters walks withdraws freezes lays brings returns
  offloads unloads spins splits merges overtakes challenges targets doubles cancels postpones pledges vows reaches
  to reports reported report posts posted says said announces announced unveils unveiled launches launched plans
  sues sued faces settles agrees agreed acquires acquired buys bought sells sold takes names named appoints appointed
  hires fires cuts cut raises raised lifts lowers lowered beats beat misses missed tops topped sees expects expected
  warns warned wins won loses lost signs signed files filed joins opens closes shuts expands invests adds extends
  completes delays recalls recalled halts suspends resumes rises rose falls fell jumps jumped slides slid soars soared
  drops dropped gains gained climbs climbed tumbles tumbled sinks sank plunges plunged surges surged rallies rallied
  slips slipped dips edges shrinks grows grew swings posts delivers declares is has will may could should was plunging
  falling rising soaring surging sliding jumping gaining trading reiterated maintained seeks eyes nears mulls weighs
  considers explores hits reaches secures receives gets gives offers pays spends borrows partners teams ships sold
  reveals introduces debuts rolls tests ends starts begins stops drops scraps ditches rejects accepts approves defends
  forecasts presents moves issues prices priced stands outperforms underperforms upgrades downgrades`)

/** Words right before a company's name. */
export const COMPANY_BEFORE = normalizedWords(`
  shares stock retailer maker giant rival automaker bank lender insurer chipmaker carrier owner parent firm company
  miner brewer drugmaker startup buy sell short upgrade downgrade upgrades downgrades initiates acquire buys bought
  sues against like versus vs nasdaq nyse ceo boss investor investors including includes`)

/** Price movements after a commodity, a currency, a coin or an index. */
export const PRICE_MOVES = normalizedWords(`
  rises rose rise rising falls fell fall falling jumps jumped jump jumping slides slid slide sliding soars soared
  soaring drops dropped drop dropping gains gained gain gaining climbs climbed climb climbing tumbles tumbled tumbling
  sinks sank sinking plunges plunged plunge plunging surges surged surge surging rallies rallied rally rallying
  slips slipped slipping dips dipped dip edges edged eases eased ease easing firms firmed steadies steady flat lower
  higher up down hits hit reaches tops breaks crosses nears hovers holds trades traded trading settles settled closes
  closed ends ended opens opened weakens weakened weaker strengthens strengthened stronger strength weakness retreats
  recovers rebounds rebounded bounces extends snaps pares trims crashes crashed swings whipsaws advances advanced sheds
  lost loses adds added poised heads heading bulls bears price prices futures rate rates spot contracts bounce selloff`)

/** Nouns of a market right after a commodity, a currency, a coin or an index. */
export const MARKET_NOUNS = normalizedWords(`
  output supply demand imports exports inventories reserves stockpiles options record outlook forecast market markets
  trader traders under near above below to may could will set halts`)

/** Words near metals, energy and crops when they are traded. */
export const COMMODITY_CONTEXT = normalizedWords(`
  ounce ounces oz bullion spot futures comex lme tonne tonnes ton tons barrel barrels bushel bushels crop crops harvest
  opec metal metals commodity commodities precious troy nymex ice cbot wti brent crude safe-haven haven mmbtu lb pound
  gold silver copper platinum palladium oil wheat corn soybeans cocoa coffee sugar cotton aluminum aluminium nickel
  refinery prices price traders exports imports production smelters jewellery jewelry`)

export const CRYPTO_CONTEXT = normalizedWords(`
  crypto cryptos cryptocurrency cryptocurrencies blockchain token tokens tokenized coin coins altcoin altcoins defi
  stablecoin stablecoins wallet staking validators mainnet testnet onchain web3 nft nfts btc eth bitcoin ethereum ether
  solana binance coinbase kraken airdrop memecoin dapp dapps smart layer network protocol ledger mining miners usdt
  rollup validator sol xrp doge cardano dogecoin tether ripple`)

/** Function words of other languages: in their texts a capitalised English word is a name. */
export const FOREIGN_WORDS = normalizedWords(`
  der das und nach für mit auf den dem ein eine le les des du et est une dans sur avec el los las del una por tras il
  della dei nel che em uma não ao com os het een van voor met och att`)

/** Price movements in German, French, Spanish, Italian and Portuguese. */
export const FOREIGN_MOVES = normalizedWords(`
  steigt steigen stieg klettert fällt fallen fiel sinkt rutscht verliert gewinnt legt zieht ziehen gibt bricht fester
  schwächer rekordhoch höchsten tiefsten minus punkte stürzt springt gefallen gestiegen schließt
  monte grimpe recule chute plonge bondit cède baisse hausse termine finit record décroche atteint haut
  sube suben cae caen baja dispara desploma hunde cierra retrocede máximo máximos mínimo récord avanza
  sale scende cala crolla vola rialzo ribasso calo massimi minimi affonda chiude perde guadagna precipita rosso
  effondre effondrent dévisse grimpent reculent bondissent alcanza supera marca tocca supera affondano klettern kräftig
  rutschen brechen atinge dispara disparam bate tumba sobem
  sobe cai recua desaba despenca fecha alta queda máximas recuam sobem vermelho ultrapassa`)

export const CURRENCY_CONTEXT = normalizedWords(`
  currency currencies forex fx dollar greenback euro yen sterling yuan renminbi franc peso lira rupee against versus vs
  intervention intervene exchange central bank boj ecb boe pboc fed rbi devaluation depreciation appreciation pair
  traders peg`)

export const INDEX_CONTEXT = normalizedWords(`
  index indexes indices points point futures wall street stocks benchmark session opening bell equities composite s p
  nasdaq dow nikkei ftse dax close closed closes closing record bluechips blue market markets`)

/** Units before a currency: "5 million euros" is an amount, not a market. */
export const AMOUNT = normalizedWords('million billion trillion mn bn tn thousand hundred lakh crore m b k')

/**
 * Words right before or after a name that show it to be an ordinary word.
 */
export const OTHER_MEANINGS: ReadonlyMap<string, Meanings> = new Map(
  Object.entries<Meanings>({
    target: {
      before: normalizedWords(
        'price inflation growth sales profit earnings revenue climate emissions on off its new their a the pt deficit rate percent raises cuts lifts takeover acquisition soft easy prime moving raise lower',
      ),
      after: normalizedWords(
        'price prices date range of for audience market markets at rate group set zone company companies list practice',
      ),
    },
    visa: {
      before: normalizedWords(
        'h1b h 1b work student travel tourist golden schengen us entry exit digital nomad transit business no a the of for on their',
      ),
      after: normalizedWords(
        'fees fee rules rule application applications applicants holders holder program programme programs ban bans waiver waivers restrictions restriction requirements requirement free policy policies issuance services system backlog processing status scheme sponsorship curbs interview costs bond',
      ),
    },
    apple: {
      after: normalizedWords(
        'juice orchard orchards pie pies tree trees cider farmers growers harvest crop exports imports picking hospitality sauce',
      ),
    },
    amazon: {
      after: normalizedWords(
        'rainforest river basin jungle forest fires fire deforestation tribe tribes region delta warrior',
      ),
      before: normalizedWords('brazilian brazils peruvian'),
    },
    meta: { after: normalizedWords('analysis analyses data description tag tags study') },
    shell: {
      after: normalizedWords(
        'company companies corporation corporations firm firms shock game script casings out bank banks entity entities',
      ),
      before: normalizedWords('tortoise empty egg nut sea in a the blank'),
    },
    gap: {
      before: normalizedWords(
        'the a trade gender pay wage funding narrows widens closing price output generation wealth budget bridge valuation mind fill',
      ),
      after: normalizedWords('up down between in year widens narrows higher lower'),
    },
    block: {
      before: normalizedWords('a the to may could would will trade city street bitcoin large road trading'),
      after: normalizedWords('trade trades deal deals reward rewards size chain of bid list party sale'),
    },
    square: {
      before: normalizedWords('times union per red trafalgar tahrir hudson leicester'),
      after: normalizedWords('feet foot miles mile meters metres meter metre kilometers off one root garden'),
    },
    match: {
      before: normalizedWords('a the football soccer cup final perfect title can cannot to not'),
      after: normalizedWords('day against between point fixing the'),
    },
    snap: {
      after: normalizedWords('election elections decision judgment judgement poll up out losing streak back'),
      before: normalizedWords('cold to a in the'),
    },
    ford: {
      before: normalizedWords('gerald harrison doug tom betsy premier rob president christine eileen'),
      after: normalizedWords('foundation theater theatre county field'),
    },
    oracle: { after: normalizedWords('of network'), before: normalizedWords('the an price chainlink') },
    strategy: {
      before: normalizedWords(
        'a the its new their growth investment business trading exit our this pricing marketing long term china turnaround',
      ),
      after: normalizedWords('for of and in at officer chief head shift session meeting'),
    },
    gold: {
      after: normalizedWords(
        'medal medals medalist card cards standard coast rush rated plated plan status mine mines miner miners mining star stock stocks digger fields resources',
      ),
      before: normalizedWords('barrick newmont kinross going black digital olympic yamana agnico fools randgold white'),
    },
    silver: {
      after: normalizedWords(
        'lining lake medal medalist screen tsunami nitrate mine mines miner miners mining standard wheaton',
      ),
      before: normalizedWords('pan nate long quick first'),
    },
    copper: { after: normalizedWords('mine mines miner miners mining wire wiring mountain project tariff') },
    platinum: { after: normalizedWords('card cards jubilee equity album certified mine mines') },
    coffee: {
      after: normalizedWords('shop shops chain chains house maker makers machine giant table break meets bean day cup'),
      before: normalizedWords('luckin dutch for over black'),
    },
    sugar: { after: normalizedWords('tax daddy free bowl coated levy'), before: normalizedWords('blood') },
    corn: { after: normalizedWords('flakes maze ferry products syrup dogs belt') },
    cotton: { after: normalizedWords('on candy club bowl states picking'), before: normalizedWords('tom') },
    dow: { after: normalizedWords('theory') },
    vale: { after: normalizedWords('a la o mais più') },
    joint: { after: normalizedWords('stock venture ventures bid statement') },
    'natural gas': {
      before: normalizedWords('liquefied liquified compressed renewable'),
      after: normalizedWords(
        'producer producers vehicles vehicle plant plants company companies pipeline pipelines utility',
      ),
    },
    ether: { before: normalizedWords('the'), after: normalizedWords('net') },
    near: { after: normalizedWords('the a record all term its') },
    link: { before: normalizedWords('a the click this direct missing read') },
    avalanche: {
      after: normalizedWords('of warning risk danger kills'),
      before: normalizedWords('an the snow colorado'),
    },
    stellar: {
      before: normalizedWords('a'),
      after: normalizedWords('results quarter performance earnings growth year returns run'),
    },
    progressive: {
      before: normalizedWords('a the'),
      after: normalizedWords('tax democrats caucus policies lawmakers groups politics'),
    },
    discover: { after: normalizedWords('how the what why new more') },
    chase: { before: normalizedWords('to the paper car police'), after: normalizedWords('for down yield') },
    unity: { before: normalizedWords('national party a'), after: normalizedWords('government') },
    alphabet: { before: normalizedWords('the'), after: normalizedWords('soup') },
    caterpillar: { before: normalizedWords('a the'), after: normalizedWords('inspection') },
    delta: { before: normalizedWords('the mekong niger'), after: normalizedWords('variant hedging force strain') },
    cable: {
      after: normalizedWords(
        'tv news company operator operators subscribers network networks cars car box boxes bundle provider companies',
      ),
      before: normalizedWords('undersea subsea power submarine the a'),
    },
    euro: {
      after: normalizedWords(
        'zone area stoxx area 2024 2028 championship bloc nations bond bonds parliament disney tunnel countries members',
      ),
    },
    pound: { after: normalizedWords('for cake of'), before: normalizedWords('a per') },
    real: {
      after: normalizedWords('estate wages time income madrid gdp rates yields terms rate world deal life money'),
      before: normalizedWords('the get for'),
    },
    oil: {
      after: normalizedWords(
        'company companies major majors giant giants firm firms producer producers spill field fields refinery sands tanker tankers minister well wells rig rigs services stocks and painting palm change filter industry sector explorer driller drillers patch',
      ),
      before: normalizedWords(
        'palm olive cooking soybean vegetable big crude heating motor united essential engine snake',
      ),
    },
    crude: { before: normalizedWords('a brent'), after: normalizedWords('joke remark') },
  }),
)

interface Meanings {
  before?: ReadonlySet<string>
  after?: ReadonlySet<string>
}
