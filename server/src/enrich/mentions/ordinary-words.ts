import { isOfCalendar } from './calendar-words.ts'
import { normalizedWords } from './tokens.ts'

/** Reports whether a word usually means something other than a company, so that it needs context to be a name. */
export function isOrdinary(word: string): boolean {
  return ORDINARY.has(word) || isOfCalendar(word) || isPlace(word) || PEOPLE.has(word) || /^\d+$/.test(word)
}

export const isPersonName = (word: string) => PEOPLE.has(word)
const isPlace = (word: string) => PLACES.has(word) || COUNTRIES.has(word)

/** Everyday and financial words that are, or might be, names of companies and coins. */
const ORDINARY = normalizedWords(`
  medicine medicines marijuana commerce hemp vapor doctor doctors patient patients drug drugs clinics nurse pharmacy
  insulin therapeutic disease genome protein cell cells robot robots battery batteries charger chargers engine engines
  aircraft airplane drone drones rocket rockets satellite satellites telescope microscope tissue tribunal court courts
  college campus student students teacher teachers professor academy coach sport sports soccer baseball basketball golf
  hockey fishing hunting hiking camp tent tents boat boats yacht bike bikes bicycle motorcycle helmet tire tires wheel
  sandwich pizza burger burgers donut bakery cookie chocolate candy milk cheese butter bread juice soda beer wine whiskey
  vodka cigar cigarette tobacco perfume lipstick shampoo soap mattress pillow blanket sofa couch chair lamp carpet
  sweater jacket jeans shirt sneaker sneakers boots sandal hat bag bags purse watch watches jewelry necklace bracelet
  senate congress parliament governor mayor senator minister embassy treaty sanction sanctions border migrant migrants
  hurricane earthquake flood wildfire drought blizzard tornado storm pandemic epidemic outbreak quarantine lockdown
  daybreak sunrise sunset evening afternoon morning midnight weekend holiday christmas easter halloween thanksgiving
  alexandria magyar copa casa united states kingdom
  blockchain metaverse fintech biotech startup startups podcast esports smartphone hashtag chatbot selfie app apps
  cybersecurity telehealth webcast livestream ecommerce
  baird needham cowen bernstein stephens piper guggenheim susquehanna rosenblatt leerink cantor telsey
  dow nasdaq southwest southeast northeast northwest joint peer
  society institute association contango hedge ministry department agency bureau council committee commission
  able above accelerate acceptance access accord achieve acme acorn acquisition acquisitions act action active
  actual adaptive ads advance advanced advantage advent advertising advisors advisory affirm agile agora agree
  agriculture aid aim air airlines airport airports akin alarm ale alert align alignment all alliance allocation
  ally alpha alphabet alternative alternatives alto aluminum amber ambition america american amigo amount analyst
  analysts analytics anchor angel anthem anywhere apartment apex apollo app apparel apple application applications
  applied apps aqua arbor arc arch architectures arena aries ark arm array arrow artificial ascend ascent aspect
  aspen assembly asset assets assist associated association assurance assured aster atlas attention attitude
  audience august aurora authority auto automatic automation autonomous autumn avalanche average aviation avid
  aware axis azure backed bacon baker balance balanced ball bamboo bandwidth bank bankers banking banks banner bar
  bargain barn baron barrel barrier base basic basin bath battery bay beach beacon beam bear bearish beat beats
  beauty bed bee beer begin belief bell belong below bench benchmark berry best better beverage beyond bid big bill
  bio biotech bird bit bite bitwise black blaze blend blink bliss block bloom blue boat body bold bond
  booking boom boost boot border boss boston bounce bounty bow box brand brands brave bread brick bridge brief
  bright brilliant brink broad broadband broadcast broadway brokerage bronze brook brown buckle bud budget buffalo
  build builder building bulk bull bullish bumble bunker burgers burn burning business butler button buy buyer
  buyers cable cactus cadence cadre call calls calm camel camp camping can cancer candy cannabis canopy canyon cap
  capital capitalization captain car carbon card cardinal care cargo carnival carriage carrier cars cascade cash
  casino castle casual cat catalyst caterpillar caution cavalier cedar celebrity cell celsius centennial center
  central century certain chain chairman challenge chamber champion change channel chaos charge charity charm chart
  charter chase cheap check checkpoint chef chemical cherry chewy chicken chief chime china chip choice choices
  chrome church cipher circle citizens city civil claim clarity class classic clean clear clever client clients
  cliff climate climb clinic clock closed cloud clover coal coast coastal cobalt cocoa code coffee coin collect
  collective colony color columbia com comes comet comfort command commercial commodity communities community
  companies company compass complete components composites compound compression computer computing concept concepts
  concert concord concrete conduit connect connection connections connectivity conquest consensus consent
  conservative consolidated constant constellation construction consulting consumer consumers contact container
  context continental contract control controls convertible cool cooper cooperative copper coral core corn corner
  corners corporate cosmic cosmos cost costs cotton counter country courage courier cousins covenant covered craft
  crane creation creative credit credo creek crescent crest critical crop cross crossing crown crude cruises crypto
  crystal cub cue culture curve custom customer customers cyber cycle cypress daily dairy dare dart dash data dawn
  day deal deals debt decision deep deer defense defined degrees delta deluxe demand democracy denim desert design
  designs desktop destination developing development developments devices diagnostics diamond digital dime
  dimension dine direct director discount discover discovery dish display disruptive distributing distribution
  distributor district diversified dividend dock document dollar dolphin domestic dominion door dot down dragon
  dream drilling drink drive driven driver drone duke duration dust dutch dynamic eager eagle earth east eastern
  easy echo eclipse economic economy ecosystem edge education educational effective elastic election electric
  element elephant elite elixir embassy emerald emergency emerging emissions emotion empire employee employees
  enable encompass encore end endeavor endurance energy engage engagement engine engineering enhance enhanced enjoy
  enterprise entertainment entities environmental epic equal equinox equities equity era escape essence essential
  essex estate eternal etf ether ethos euro europe european event ever everest evergreen everything evolution
  evolve exact exceed exchange executive exempt exodus expand expedition experience explorer exponent export
  exports express extra extracts extreme fabric factory fair falcon family farm farmer farmers fashion fast fat
  fate father feather fed federal federated ferry fiber fidelity fields fiesta fifth filing film finance financial
  finish fire firm first fitness five fix flag flags flame flash flat flavors fleet flex flexible flight float
  floating floor flow flower fluence flushing fly focus food foods foot football force ford forecast forefront
  foreign foremost forest forge formula fort fortress fortune forum forward fossil found foundation foundry
  fountain four fox frame franc franchise fraud free freedom freeze frequency fresh freshly friend front frontier
  fuel fuels fulcrum full fund fundamental funding funds furniture fuse fusion future gain gains galaxy game games
  gaming gamma gap garnet garrison gas gasoline gate gates gather gem gene general generation generations genesis
  genius gentle gentleman genuine get giant gift glacier glass glaze global globe glory goal gold golden good goods
  goose government grab grace grain grand granite grape graph graphic graphics grasshopper gravity gray great
  greater green grit grocery group grove growing grown growth guardian guess guidance guide guided guild guitar
  gulf habit half hall hammer handling hands harbor harmony harvest hat haul haven hawk health healthcare healthy
  hearing heart helium helix hello helm heritage hermitage hero high highest highway hill hilltop hinge hold
  holding holdings holiday home homes honest honey hop hope horizon horizons horse hospital host hotel hour house
  housing hub huge humble hunt hunter husky hydrogen hyper ibex ice icon iconic idea ideal idol image images
  imagine immortal immune immutable impact imperial import inch income independence independent index indexed india
  indigo industrial industrials industries industry infant infinite infinity inflation inflection information
  infrastructure initial initiative injective inn innovative insider insight inspire inspired installed instinct
  insurance insured insurer integer integral integrated intelligence intelligent inter interactive interest
  interface intermediate international internet interval intrepid intuitive investment investments investor
  investors invitation iris iron issue issuer item ivory jack jackpot jade jaguar jasmine jet jewel jobs john join
  joint journey joy judge jungle juniper jupiter justice keen key kids kindly kinetic king kite knight know lab
  labor ladder lake lamb lancaster land lands lane lantern large lark laser last latin latitude laureate lavender
  law lawsuit lead leader leaders leaf league leap lear learn leaves legacy legal legend lemonade lender lending
  lens less level lever lexicon liberty licensing life lifetime light lightning lily limited limitless line lines
  link linked lion liquid liquidity list lithium live loan loans local location locations lodge logic logistics
  long loom loop loss losses lots lotus love loyal lucid lucky lumen luna luxury lynx machine machinery machines
  macro magic magna magnet magnolia mail main mainstream major maker makers mammoth man managed management manager
  managers manor mantle manufacturing maple marathon marble march marine mariner maritime mark marker market
  marketing markets mars marvel mass master matador match mate materials matrix matters maverick max maximus meadow
  meat medallion media medical melody memory mentor merchants mercury merger meridian merit meritage mermaid mesa
  met meta metal metals meter meters metro micro midland midnight milestone mill mind miner mini mining minister
  minor mint miracle mirror mission mobile model modern modest modular moment momentum monarch money monitoring
  monster month monument moon morning mortgage mosaic motion motive mountain movement moving multi municipal mural
  muse music mustang mystic nano nation national native natural nature nautilus navigation navigator navy near
  nectar needle neon neptune nerd nest net network networks neutral new news next nice nickel nine noble non
  noodles noon nordic north northeast northern northwest notable notes notion nova novel nuclear nugget number oak
  oasis oath object ocean octave octopus odyssey off offer offering offers office officer oil old olive olympic
  omega omni one online only onyx opal open opera operating operations opportunities opportunity optimism optimum
  option oracle orange orbit orchid orders ore organization origin orion otter outfront outlook outperform outset
  overseas overwrite owl owner oxford oxygen oyster pacer pacific packaging paddle pagoda paid palace palladium
  panda pandemic panther paper par parade paradise parallel paramount parent park parks participation partner
  partners partnership parts pass passage patch patent path patience patriot pavilion paycheck payment payments pdf
  peace peach peak pear pearl pebble peer peers pelican pension people pepper perception perfect performance
  performant personal perspective petal petroleum phoenix photo physical picture pilgrim pillar pine pinnacle pinto
  pioneer pipe pipeline pirate pixel place plains plan planet plank plans plant platform platforms plaza pledge
  plenty plug plus poem point polar polaris polish polygon pool pop popular port portal portfolio post potential
  pound power powerful prairie precision preferred premier premium preserve president presidential pressure
  prestige price pride prime primo prince princess principal print priority prism private privilege pro processing
  processors produce producer product products professional profit profits progress progressive project projects
  prologue promise proof properties property pros prospect prosperity protection proto provident prudential public
  publication publishing pulse puma pumpkin pure purple pursuit puzzle pyramid python quad quaker quality quantum
  quarter quartz queen quest quick quiet rabbit radian radiant rail railway rainbow raise rally rambler ranch rand
  range ranger rapid rare rate ratings raven reach reading ready real realty rebel reckon recognition recovery
  recursion recycling red redwood reef reflect regal regard regency regent regions regulator reliability reliable
  reliance reliant relief remark renaissance render renewable rent rentals reorganization report reports
  representations republic research reserve reshape residential resolute resolve resort resource resources response
  rest restaurant restaurants results retail return revenue revival revolution revolve reward rewards rhythm ribbon
  rich ride rides ridge right ring ripple rise risk rite rival rivals river riverside riviera road robin robotics
  rock rocket rogers rogue roll rooster root rose route rover royal ruby rule rules rumble runway rush sabre saddle
  safe safety saga sage sails saint sale sales salmon salt san sanctuary sand sapphire satellite satin saturn
  savage savings scale scan scarlet scholastic school science scientific scope scores scout sea seaboard seas
  season second secret sector secure secured securities security seed select selective self sell seller sellers
  selling senator senior sense sensing sensors sentinel sequoia serene series serve service services settlement
  seven shade shake share shared shareholder shareholders shares sharing shark shell shelter shield shift ship
  shipping ships shoals shoe shoes shop shore short shot shutdown sierra sight sigma sign signal signet signing
  silence silk silver simon simple simplicity simply simulations sincere singular siren sirius site situations six
  sixth size skin sky skyline slack slam sleep small smaller smart smile smith smooth snap snowflake social socket
  software soho sol solar solid solo solution solutions son sonic sono soul sound source south southern sovereign
  space spark sparrow spear special spectrum speed sphere spice spike spin spiral spire spirit splash sports spring
  sprint sprout sprouts spruce square squared stable stacks stadium stage stagecoach stake stallion stamp standard
  star startup startups state states steady steam steel stellar stem sterling still stitch stock stone stop storage
  store stores stork storm story strait strata strategic strategies strategy stratus strawberry stream streaming
  streamline street strength stride strike stripe strive strong structure structured struggles studio style sub
  sublime success sugar suite summer summit sun sunny sunrise sunset super superior supplier supply support supreme
  surf surge surgical surplus surveillance sustainable swan swift sword symbolic symphony synergy system systems
  table tag tail tailor take talent talk talks tandem tango tapestry target tariff tariffs tax taxi tea teacher
  teak team tech technical technology tempest templates temple tempo tempus ten tender tennis term terra test
  tether text therapy theta third thor three through thumb thunder tiara ticket tide tier tiger tile timber time
  times titan title toast tobacco token toll tool tools top topaz torch total tower town trace track tracking
  tracks tractor trade trader traders trading tradition trail training tranquil trans transaction transfer
  transition transport transportation travel traveler travelers treasure treasury tree trees trend trends trial
  triangle tribe tribune trident trillion trinity trip triple triumph troops tropical truck true trust tulip tundra
  turbo turning turquoise turtle tutor twilight twin twist two ultra umbrella under unicorn union unique unit unity
  universal university unlimited unusual update uptown urban utilities utility vaccine vale valiant valley valor
  value vanguard variable variant vast vault vector vehicle vehicles velocity velvet venture venus verb verdant
  verge verify versus vertex vertical vessel vibrant vicar victory video view viking village vine vintage violet
  virtual virtue virus visa vision visionary visit vista vital vivid voice volatility volume vote voyage vulcan
  wage wages warming warning warrior waste watch water waterfall wave way ways wealth weather web week welcome well
  wellness west western whale wheat wheels whirlpool white whole wholesale wide wild wildcat willow win wind wine
  wing winner winners wins winter wire wireless wisdom wise wish witness wolf women wonder wood woods work workers
  works workshop world worldwide wrap write xenon yacht yard year years yellow yen yeti yield yoga young zebra
  zenith zephyr zion zone zoom`)

/** Countries, regions, cities and their inhabitants. */
const PLACES = normalizedWords(`
  africa african alabama alaska alberta america american americas amsterdam arabia argentina arizona arkansas asia
  asian athens atlanta atlantic austin australia australian austria baltic baltimore bangkok barcelona beijing
  belgium berkshire berlin bermuda boston brazil brazilian bristol britain british brooklyn brussels buffalo
  bulgaria calgary california cambridge canada canadian caribbean carolina charlotte chicago chile china chinese
  cincinnati cleveland colombia colorado columbia columbus connecticut croatia cuba cyprus dakota dallas danish
  delaware denmark denver detroit devon dubai dublin dutch eastern edinburgh egypt england english essex estonia
  europe european finland florida france french geneva georgia german germany ghana greece greek hamburg hamilton
  hampshire hartford hawaii holland hong houston hungary iceland idaho illinois india indian indiana indonesia iowa
  iran iraq ireland irish israel israeli istanbul italian italy jakarta japan japanese jersey jordan kansas
  kentucky kenya kong korea korean kuwait lancaster latin lebanon lincoln lisbon london louisiana luxembourg
  madison madrid maine malaysia malta manchester manhattan maryland massachusetts mediterranean melbourne memphis
  mexican mexico miami michigan milan milwaukee minnesota mississippi missouri monaco montana montreal moscow
  mumbai munich nashville nebraska netherlands nevada newport nigeria nordic norfolk northwest norway norwegian
  ohio oklahoma ontario oregon orlando oslo ottawa oxford pacific pakistan panama paris pennsylvania persian peru
  philadelphia philippines phoenix pittsburgh poland polish portland portugal prague princeton providence puerto
  qatar quebec richmond rico rio romania rome russia russian sacramento san saudi scandinavian scotland scottish
  seattle seoul serbia shanghai shenzhen siberia singapore spain spanish stanford stockholm sweden swedish swiss
  switzerland sydney taiwan tampa tennessee texas thai thailand tokyo toronto turkey turkish ukraine utah valencia
  vancouver vegas venezuela vermont victoria vienna vietnam virginia warsaw washington wellington westchester
  western windsor wisconsin delhi chilean greenland midwest dixie cadiz berkeley brookline kabul tehran baghdad cairo
  jerusalem lagos nairobi johannesburg manila hanoi kolkata chennai bangalore karachi dhaka lahore riyadh doha beirut
  damascus kyiv kiev minsk belgrade zagreb sofia bucharest budapest bratislava ljubljana vilnius riga tallinn helsinki
  copenhagen antwerp rotterdam frankfurt stuttgart cologne hanover leipzig dresden bremen naples turin venice florence
  genoa bologna lyon marseille bordeaux toulouse seville bilbao porto athens ankara osaka kyoto nagoya yokohama busan
  taipei guangzhou chengdu tianjin nanjing havana bogota lima santiago quito caracas montevideo asuncion
  colombian peruvian argentine argentinian venezuelan cuban egyptian nigerian kenyan african iranian iraqi syrian
  lebanese jordanian afghan pakistani bangladeshi nepalese vietnamese filipino malaysian indonesian australian
  ukrainian belarusian romanian bulgarian hungarian czech slovak serbian croatian austrian belgian portuguese icelandic
  californian texan bavarian catalan flemish eurozone euro balkan worcester wuhan wyoming york yorkshire zealand zurich`)

/** Common first names and surnames: "Morgan" or "Ford" alone may be a person. */
/** The countries whose names have one word. */
const COUNTRIES = normalizedWords(countryNames().join(' '))

function countryNames(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  return letters
    .flatMap((first) => letters.map((second) => names.of(first + second) ?? ''))
    .filter((name) => /^\p{L}{4,}$/u.test(name))
}

/** First names, and some surnames. */
const PEOPLE = normalizedWords(`
  abby abdul abigail adele ahmed aisha akira al alain alberto alejandro alessandro alexandra alexis alfred ali alicia
  alison alyssa amanda amber amir amy ana andre andrea andreas andres angel angelo anita anton antonio april ari ariana
  arjun arnold art audrey austin ava barack beatrice becky bella bernie bert beth betty beverly billy bobby boris brad
  bradley brett britney brittany brooke caleb cameron camille candice carmen caroline carrie casey cathy cecilia cesar
  chad chen cheryl chloe chuck cindy clara clayton cliff clinton cody colin connie corey courtney crystal curtis damian
  damon dana daphne darren darryl dawn debbie debra demi denise derek diego dmitry dolores dominic doris doug drew dustin
  dwayne earl edgar eduardo edwin eileen elaine elena elijah elise ella elliot emanuel emmanuel enrique erica erik ernesto
  esther eva evelyn felix fernando fiona florence frances francesca francisco franz freddie gabriel gail garrett gavin
  geoffrey georgia geraldine gina giovanni giuseppe glen glenn grace guido gustavo guy gwen hank hans harriet hassan hazel
  hector heidi heinrich hillary hiroshi hugh hugo hunter ibrahim ines ingrid irene iris irving isabel isabella ivan ivanka
  ivy jackie jaime jake jamal janet janice jared jasmine javier jay jeanne jenna jenny jerome jessie jill jimmy jo joanna
  jodie jorge jose josh juliet julian julio june kara karl kathleen kathryn kathy katie kayla keanu kelvin kendall kenji
  kerry kirk kris kristen kristin krishna kurt lance lara lars latoya leah lena leonardo liam lillian lindsay lindsey liz
  lloyd lola lorenzo loretta lori louise lucia luis luca luigi lydia mackenzie maggie malcolm manuel marcel marco marcos
  margot mariana mario marissa marjorie marlon martina masayoshi mateo mathew maureen mauricio maya meghan melanie melinda
  mercedes meredith mia miley mina mindy miranda miriam mitch mohamed mohammed monica monique muhammad nadia natalie
  natasha ned nicolas nigel nikki nina noel nora norma olga ollie omar oprah orlando pablo paige pat patty pedro penelope
  penny percy pete phil phoebe pierre preston priscilla priya quentin quinn rafael raj ramon raphael raul ray reginald
  renee ricardo rob robin roberto rodrigo roland roman ron rosa rosemary rowan ruby rudy rupert sabrina sacha sadie sally
  salvador samir sandy sanjay sasha satya sebastian selena serena sergei sergio seth shailene shane shannon sheila shelby
  sheldon sheryl shinzo sierra silvia simone sofia sonia stacey stacy stan stefan stefano sue sundar sunil susanna suzanne
  sylvia tamara tammy tanya tara tatiana tessa thiago tiffany tina toby tommy tracey travis trevor tricia tristan troy
  tyrone tyson ursula valerie vanessa vera veronica vicki victor vijay vince viola violet vivian vladimir wanda wei wendell
  whitney wilfred will willie winston xavier yolanda yuki yusuf yvonne zach zoe
  trump biden obama musk buffett powell yellen lagarde draghi putin xi modi chuck carl elon
  aaron abbott adam adams adrian alan albert alex alexander alice allen allison anderson andrew andy angela anna
  anne anthony arthur ashley baker barbara barnes barry becker ben benjamin bennett bernard bill blake bob boyd
  brandon brenda brian brooks brown bruce bryan campbell carl carla carlos carol carter catherine charles charlie
  chris christian christine christopher claire clark claude cole collins connor cook cooper craig crawford cynthia
  dan daniel danny dave david davis dean deborah dennis diana diane dick don donald donna dorothy douglas duncan
  dylan ed eddie edward edwards eli elizabeth ellen ellis emily emma eric erin ernest ethan eugene evan evans
  fisher foster francis frank franklin fred freeman gary gene george gerald gilbert gloria gordon graham grant greg
  gregory griffin hall hamilton hannah harold harper harris harrison harry harvey heather helen henry herbert holly
  howard hudson hughes ian isaac jack jackson jacob james jamie jane jason jay jean jeff jeffrey jenkins jennifer
  jeremy jerry jesse jessica jim jimmy joan joe joel john johnny johnson jon jonathan jones jordan joseph joshua
  joyce juan judith julia julie justin karen kate katherine keith kelly ken kennedy kenneth kevin kim kimberly kyle
  larry laura lauren lawrence lee leo leon leonard leslie lewis lily linda lisa logan louis lucas lucy luke lynn
  madison marc marcus margaret maria marie marilyn marion mark marshall martha martin marvin mary mason matt
  matthew maurice max megan melissa michael michelle miguel mike miller mitchell molly morgan morris morrison
  murphy murray nancy naomi nathan neil nelson nicholas nick nicole noah norman oliver olivia oscar otto owen
  palmer pamela parker patricia patrick paul paula perry peter philip phillip phillips powell rachel ralph randy
  raymond rebecca reed richard rick rita robert roberts robertson robinson rodney roger ronald ronnie ross roy
  russell ruth ryan sam samantha samuel sanders sandra sara sarah scott sean sharon shaun shawn shirley sidney
  simon simpson smith sophia spencer stanley stella stephanie stephen steve steven stewart stuart sullivan susan
  sutherland taylor ted teresa terry theodore theresa thomas thompson tim timothy todd tom tony tracy turner tyler
  vernon victor victoria vincent virginia wade walker wallace walt walter warren watson wayne wells wendy wesley
  west wilbur william williams willis wilson wright zachary`)

/** Abbreviations of business and politics that are also tickers; they count only if marked as a ticker. */
export const ABBREVIATIONS = normalizedWords(`
  ceo cfo coo cto cio cmo evp svp vp ipo spo spac etf etfs etn reit adr ads nav aum ai ar vr ml it hr pr ir esg dei
  gdp cpi ppi pmi pce ism nfp fomc fed ecb boe boj pboc rbi rba snb imf wto who un eu uk us usa uae prc eea nato opec
  nsa mpc cgi cbd epc cdp dhs tsa usps uaw gop nra aclu unicef ebola ceos cfos
  sec fda ftc doj epa irs cia fbi nasa faa fcc cdc nih dod doe dot nhs cma esma finra cftc fdic gao nlrb osha
  eps ebit ebitda roi roe roa roic pe pb cagr yoy qoq mom ytd ttm fy h1 h2 q1 q2 q3 q4 p&l gaap ifrs fcf capex opex
  m&a lbo mbo ppo usd eur gbp jpy chf cny inr cad aud nzd bn mn mm tn km kg mwh gwh kwh bpd boe btu lng lpg ngl oil gas
  pc tv hd uhd led lcd oled cpu gpu ram ssd usb nfc gps iot saas paas api sdk ui ux url pdf faq app seo crm erp
  ev evs suv bev phev ice nft nfts defi dao dex cex apy apr tvl p2p b2b b2c d2c kyc aml
  covid sars mers hiv aids dna rna mrna nda bla ind anda otc fda crl pdufa ema chmp phase
  am pm est edt cst pst gmt utc mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep oct nov dec
  ny nyc la sf dc ca tx fl nj pa va ma md wa az co il oh mi ga nc sc tn
  nyse amex tsx asx nse bse hkex cme cboe ice
  on or so be by go up an as at he we me my no to do if in is of all any are can for now new one two out see has had
  the and but not you our who why how big low key real fast free good best next open live life love car eat fun run
  win top hot cash cost data play post self safe snow spot star team tech time true turn wall well wash work wow zoom
  am fm tba tbd tbc faqs diy rip omg lol fomo yolo ath atl hodl bs pt px tp sl pnl dd lt st
  nfl nba mlb nhl ufc f1 wwe fifa ncaa mit ucla cnn cnbc wsj nyt bbc abc nbc msnbc npr
  inc ltd llc plc ag sa nv se ab spa corp co aa aaa bb bbb ccc agm egm asa mlp bdc rpd oyj nii nim kpi sme npl wacc ebt nav nasdaq100`)
