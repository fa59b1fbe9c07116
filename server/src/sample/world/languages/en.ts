import { sampleEvents } from '../events/catalogue.ts'
import { group, type Language } from './language.ts'

const ordinals = ['first', 'second', 'third', 'fourth']
const symbols: Record<string, string> = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', KRW: '₩' }

export const english: Language = {
  code: 'en',
  joiner: ' ',
  contentLength: 260,
  numbers: {
    percent: (value, digits) => `${value.toFixed(digits)}%`,
    money: (billions, currency) => {
      const unit = symbols[currency] ?? `${currency} `
      if (billions < 1) return `${unit}${Math.round(billions * 100) * 10} million`
      if (billions >= 1000) return `${unit}${(billions / 1000).toFixed(1)} trillion`
      return `${unit}${billions < 100 ? billions.toFixed(1) : Math.round(billions)} billion`
    },
    perShare: (value, currency) => `${symbols[currency] ?? `${currency} `}${value.toFixed(2)}`,
    count: (value) => group(value, ','),
  },
  assetNames: {},
  quarter: (quarter) => `${ordinals[quarter - 1]}-quarter`,
  quarterLabel: (quarter, year) => `Q${quarter} ${year}`,
  banks: {
    US: 'the Federal Reserve',
    EU: 'the European Central Bank',
    GB: 'the Bank of England',
    JP: 'the Bank of Japan',
    CN: "the People's Bank of China",
  },
  places: {
    US: 'in the United States',
    EU: 'in the euro area',
    GB: 'in Britain',
    JP: 'in Japan',
    CN: 'in China',
  },
  eventTemplates: Object.fromEntries(sampleEvents.map((event) => [event.kind, event])),
  onePeer: [
    '{peer} was also in focus.',
    'Traders were watching {peer} as well.',
    'The news was felt at {peer}, too.',
    'Comparisons with {peer} were quickly drawn.',
  ],
  twoPeers: [
    '{peer} and {peer2} were also in focus.',
    'Traders were watching {peer} and {peer2} as well.',
    'The news was felt at {peer} and {peer2}, too.',
  ],
  backgrounds: {
    company: [
      '{full} belongs to the most closely followed names in {industry}.',
      'The next set of figures from {name} is due in a few weeks.',
      'Consensus estimates for {symbol} have moved by {pctLow} over the past month.',
      'Volume in {symbol} was well above its daily average.',
      '{broker} keeps {name} on its watch list for {year}.',
      'The company has offices in {city} and sells worldwide.',
    ],
    deal: [
      'Both companies are well known in {industry}.',
      'Details will be presented in {city} next month.',
      'Shareholders of {name} do not have to vote on the matter.',
    ],
    coin: [
      'Daily turnover in {symbol} amounted to about {moneyHigh}.',
      '{name} is among the assets most traded by {broker} clients.',
      'Volatility is common in digital assets, and weekends bring thin order books.',
      'On-chain data is published daily and often revised.',
    ],
    fund: [
      'Exchange-traded funds publish their holdings every day.',
      'The average spread in {symbol} was one basis point.',
      'Assets in comparable funds total {moneyHigh}.',
    ],
    index: [
      'Trading volume was {pctLow} away from its monthly average.',
      'Company reports and {quarterLabel} forecasts will set the tone next week.',
      'Dealers in {city} spoke of active order books.',
    ],
    pair: [
      'Turnover in {symbol} is highest while both London and New York are open.',
      'Interest rate differences remain the main driver, dealers in {city} said.',
      'Option expiries may influence trading later in the week.',
    ],
    commodity: [
      'The next official inventory report is due on Wednesday.',
      'Weather, freight and the dollar remain the main drivers.',
      'Trading houses in {city} follow the market closely.',
    ],
    economy: [
      'The figures are seasonally adjusted and may be revised.',
      'Details will be published by the statistics office next week.',
      'A survey by {broker} of {count} households gives a similar picture.',
    ],
    sector: [
      'The survey covers {count} firms of all sizes.',
      'Results are compared with the average of the past {months} months.',
      'The industry association will meet in {city} next month.',
    ],
  },
  closings: {
    positive: [
      'Investors reacted with enthusiasm, and several brokers lifted their estimates.',
      'Optimism prevailed on trading floors after the announcement.',
      'Most observers regard the development as encouraging.',
      'The mood among portfolio managers has brightened noticeably.',
      'Momentum could carry into next week, strategists believe.',
      'The news compares favourably with what rivals have shown so far.',
      'Risk appetite improved, and credit spreads narrowed.',
      'Supporters speak of a turning point.',
    ],
    negative: [
      'Investors reacted with dismay, and several brokers lowered their estimates.',
      'Pessimism prevailed on trading floors after the announcement.',
      'Most observers regard the development as a setback.',
      'The mood among portfolio managers has darkened noticeably.',
      'Pressure could persist into next week, strategists fear.',
      'The news compares poorly with what rivals have shown so far.',
      'Risk appetite faded, and credit spreads widened.',
      'Critics speak of a warning sign.',
    ],
    neutral: [
      'Investors took note, and prices hardly moved.',
      'Market participants described the reaction as muted.',
      'Most observers had expected roughly this outcome.',
      'Further details are to follow in the coming weeks.',
      'Strategists see no reason to change their forecasts.',
      'Opinions on the consequences differ.',
    ],
  },
  authors: {
    given:
      'Ada,Bram,Celia,Dorian,Edith,Felix,Greta,Hollis,Imogen,Jasper,Keira,Lionel,Maeve,Nolan,Opal,Piers,Quinn,Rosalind,Silas,Tamsin,Ursula,Vaughn,Willa,Yusuf,Zadie'.split(
        ',',
      ),
    family:
      'Ashgrove,Birdwhistle,Copperfold,Dunmarrow,Elderfen,Fernsby,Greyholt,Hartleap,Inkpen,Juniper,Kestrelby,Larkmoor,Merriwind,Nightley,Oakhollow,Pennyfarth,Quillon,Rookwood,Silverlock,Thistledown,Umberly,Vexford,Wrenfield,Yarrow'.split(
        ',',
      ),
  },
}
