import type { LabelledText } from './measure.ts'

/** Headlines by the kind of mistake that they invite, as `keys | title`, written without a look at the rules. */
const LINES = `
# wire prefixes
PFE | BRIEF-Pfizer names new finance chief
BA | UPDATE 2-Boeing delivers fewer jets in March
INTC AMD | RPT-WRAPUP 1-Intel, AMD gain on chip tariffs pause
NFLX | REUTERS-Netflix raises prices in France
UBER | EXCLUSIVE-Uber in talks with Delivery Hero
CVX | FACTBOX-Which parts of Chevron's Gulf output are shut
SBUX | MW Starbucks closes 200 stores
MRK | DJ Merck & Co wins approval for heart pill
MU | BUZZ-Micron jumps after forecast
TGT | UPDATE 1-Target cuts forecast after weak quarter
META | CORRECTED-Meta to lay off staff in Dublin
# persons
 | Harrison Ford's plane lands safely in Los Angeles
 | Doug Ford's government drops tolls in Ontario
TSLA | Elon Musk's Tesla cuts prices in Norway
AAPL | Tim Cook's Apple faces another lawsuit
MS | Morgan Stanley's profit beats estimates
 | Robert Duke's memoir tops the bestseller list
F | Ford's profit falls as truck plant idles
 | Arthur Lowe's winning goal sends the club to the final
 | Senator Block's bill fails in committee
 | Chris Dow's novel is filmed in Ireland
# long forms
AMD | Advanced Micro Devices unveils a faster accelerator
IBM | International Business Machines to cut jobs in Europe
2330.TW | Taiwan Semiconductor Manufacturing Co lifts capital budget
BMW.DE | Bayerische Motoren Werke recalls 1.5 million cars
PG | Procter and Gamble raises detergent prices
SAN.MC | Banco Santander SA to buy back shares
8306.T | Mitsubishi UFJ Financial Group posts record profit
JPM | JPMorgan Chase & Co hires traders in Paris
CBA.AX | Commonwealth Bank of Australia fined over fees
TCS.NS | Tata Consultancy Services Ltd wins British contract
# longer names
 | Visa Flow raises seed money for travel paperwork
 | Delta LNG signs supply deal with Poland
 | Oracle Lake Gold drills 12 metres of ore in Ontario
 | Apple Lake Gold announces private placement
 | Meta Flow Systems opens plant in Ohio
 | Dow Lake Gold reports assay results
 | Southern LNG wins permit for export terminal
SHEL.L | Shell's LNG arm signs supply deal with Turkey
 | Snowflake Flow buys rival maker of valves
 | Target Lake Gold names geologist to board
# accents
OR.PA | L'Oreal sales rise in China
NESN.SW | Nestle cuts outlook as prices bite
RMS.PA | Hermes handbag sales jump in Japan
TEF.MC | Telefonica sells its unit in Peru
PETR4.SA | Petroleo Brasileiro pays special dividend
ITUB4.SA | Itau Unibanco profit beats estimates
NESN.SW | Nestlé streicht Stellen in Zürich
RHM.DE | Rheinmetall übernimmt Werft in Bremen
DBK.DE | Kündigungen bei der Deutschen Bank
VOLV-B.ST | AB Volvo höjer utdelningen
# commodities and indexes
N225 | 日経平均が3日続伸
N225 | 日経平均株価、終値は4万円台
XAU | Gold hits record as dollar slides
COPPER | Copper falls on weak Chinese factory data
 | Olympic gold for Kenyan runner
 | Silver medal for the relay team
BRENT | Brent settles above $90
COFFEE | Arabica coffee climbs to a 13-year high
NATGAS | Natural gas futures drop on mild forecasts
 | Coffee shop chain to open in Leeds
 | Sugar tax cuts obesity among girls, study finds
COCOA | Cocoa futures plunge after Ghana rains
XAG | Silver rallies past $40 an ounce
# year after a word
 | Target 2030: the union's plan for cleaner steel
 | Vision 2030 fund opens Riyadh office
 | Strategy 2027 puts profit before growth at the railway
 | Block 2026 budget, opposition tells senators
TSLA | Tesla 2026 deliveries forecast cut by analysts
SNOW | Snowflake 2025 revenue tops guidance
 | Now 2026 begins with a cold spell
 | Agenda for 2027: Meta analysis of school meals
`

/** Returns the headlines of each kind. */
export function misleadingNames(): Map<string, LabelledText[]> {
  const kinds = new Map<string, LabelledText[]>()
  for (const kind of LINES.split('\n# ').slice(1)) {
    const [name = '', ...lines] = kind.trim().split('\n')
    kinds.set(name, lines.map(labelled))
  }
  return kinds
}

function labelled(line: string): LabelledText {
  const [keys = '', title = ''] = line.split(' | ')
  return { title, content: '', assetKeys: keys.split(' ').filter((key) => key !== '') }
}
