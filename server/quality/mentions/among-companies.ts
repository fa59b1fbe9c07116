import type { LabelledText } from './measure.ts'

/**
 * Headlines for a catalogue with all companies that EDGAR lists, as `keys | title`. They name small companies, and people,
 * places, brands and ordinary words that are also names of companies. Written for this repository; every third line is
 * held back: no rule was made to fit it.
 */
const LINES = `
JBLU | JetBlue to drop 15 routes from New York
 | Lindsay Graham backs new sanctions bill
KSS | Kohl's warns of weak holiday season
 | The world's largest battery opens in Australia
GM | GM's recall grows to 2.6 million cars
 | Delhi chokes on smog as schools close
WAT | Waters Corporation to buy biosciences unit
 | Warm waters fuel the hurricane season
RCL CCL | Royal Caribbean, Carnival Corp shares jump on bookings
 | Carnival season begins in Rio
EBAY | UPDATE 2-eBay forecasts weak quarter, shares fall
LULU | BRIEF-Lululemon names new finance chief
TSN | Tyson Foods closes beef plant in Nebraska
 | Mike Tyson to fight again at 58
ETN | Eaton Corp lifts outlook on data-centre orders
 | Watch Shelby Eaton sing the anthem
HTZ | Hertz sells 20,000 electric cars
 | Frequencies are measured in hertz, teachers explain
DAL | Delta expects record summer demand
 | The Mekong delta is sinking, scientists warn
 | Employers added fewer jobs than expected in May
EIG | Employers Holdings, Inc. reports third-quarter results
SCI | Service Corporation International raises dividend
PKG | Packaging Corporation of America beats estimates
 | Corporation tax to rise next April
BKE | The Buckle, Inc. posts higher comparable sales
 | Buckle up for a bumpy flight
DPZ | Domino's sales beat estimates as deliveries rise
FOSL | Fossil Group shares sink 20% on weak watch sales
 | Fossil fuels still dominate, report says
SNAP | Snap shares surge 25% after revenue beats forecasts
 | Cold snap hits Europe
ZM | Zoom raises revenue forecast as enterprise customers grow
 | Pupils zoom through maths app
 | Beyond the pandemic: how cities recover
BYND | Beyond Meat cuts jobs as sales fall
 | Bed Bath & Beyond closes last stores
MTCH | Match Group settles FTC suit over Tinder ads
 | City leaders approve budget for new stadium
CHCO | City Holding Company declares quarterly dividend
 | Blockchain startup raises $30 mln from investors
 | Universe of risks faces the new finance minister
UPST | Upstart Holdings swings to profit
TSLA | Chinese upstart challenges Tesla in Europe
PENN | Penn Entertainment to sell media unit
 | Sean Penn wins third Oscar
KN | Knowles Corp sells microphone business
 | CEO Knowles steps down after ten years
BHVN | Biohaven slides 15% after FDA delay
 | Blueprint for peace agreed in Doha
BPMC | Blueprint Medicines Corp rises on drug data
LSCC | Lattice Semiconductor misses revenue estimates
 | Special envoy travels to Beirut
 | Champions League final moves to Budapest
NSA | National Storage Affiliates Trust cuts guidance
 | NSA chief tells Congress of new cyber threats
X | United States Steel halts furnace in Indiana
 | United States imposes tariffs on copper pipes
HWBK | Hawthorn Bancshares declares dividend
 | Hawthorn hedges return to English farms
VNCE | Vince Holding Corp. warns on margins
 | Vince McMahon ousted from wrestling firm
J | Jacobs Solutions wins nuclear clean-up contract
 | Marc Jacobs closes New York fashion week
CMP | Compass Minerals to idle Ontario mine
 | A moral compass for markets
PLAY | Dave & Buster's beats profit estimates
M | Macy's to close 66 stores this year
GPRO | GoPro cuts a fifth of its staff
RBLX | Roblox bookings jump 50% in second quarter
ULTA | Ulta Beauty lifts full-year forecast
 | Greenland votes in early election
 | Namibia finds more offshore oil
ROKU | Roku narrows loss as ad sales grow
PTON | Peloton recalls 800,000 exercise bikes
 | Peloton crashes ten kilometres before the finish
CVNA | Carvana jumps 20% after record profit
DASH | DoorDash in talks to buy British rival
HOOD SPX | Robinhood to join S&P 500
ETSY | EXCLUSIVE-Etsy explores sale of resale app
NET | Cloudflare outage hits websites worldwide
OKTA | Okta, Inc. falls on weak billings
CROX | Crocs drops after outlook disappoints
 | Hunters kill crocs in Northern Territory
WEN | Wendy's tests surge pricing, then retreats
DKS | Dick's Sporting Goods to buy shoe retailer
 | Dick Cheney dies at 84
`

/** The lines that rules were tuned on, and those held back. */
export function companyTexts(): { tuned: LabelledText[]; heldBack: LabelledText[] } {
  const texts = LINES.trim()
    .split('\n')
    .map((line): LabelledText => {
      const [keys = '', title = ''] = line.split(' | ')
      return { assetKeys: keys.split(' ').filter((key) => key !== ''), title, content: '' }
    })
  return {
    tuned: texts.filter((_, index) => index % 3 !== 2),
    heldBack: texts.filter((_, index) => index % 3 === 2),
  }
}
