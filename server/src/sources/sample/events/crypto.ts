import type { SampleEvent } from './event.ts'

export const cryptoEvents: SampleEvent[] = [
  {
    kind: 'coin-rally',
    about: 'coin',
    direction: 'positive',
    strength: 0.56,
    weight: 6,
    topics: ['coins'],
    titles: [
      '{name} surges {pct} as buyers return',
      '{name} ({symbol}) jumps {pct} in broad crypto rally',
      '{symbol} breaks out after quiet week',
    ],
    leads: [
      '{name} surged {pct} within a day as fresh money flowed into digital assets.',
      'A broad rally lifted {name} by {pct}, its strongest day in {months} months.',
    ],
    details: [
      'Short positions worth {moneyLow} were liquidated, which added fuel to the move.',
      'Analyst {analyst} of {broker} pointed to improving liquidity and steady demand from funds.',
      'Open interest in futures rose to {moneyHigh}, with the bulk traded through venues in {city}.',
    ],
  },
  {
    kind: 'coin-slide',
    about: 'coin',
    direction: 'negative',
    strength: 0.56,
    weight: 5,
    topics: ['coins'],
    titles: [
      '{name} tumbles {pct} in crypto sell-off',
      '{symbol} slides {pct} as leverage unwinds',
      '{name} sinks to lowest in {months} months',
    ],
    leads: [
      '{name} tumbled {pct} as leveraged positions were unwound across crypto markets.',
      'Heavy selling drove {name} down {pct} to its weakest level in {months} months.',
    ],
    details: [
      'Liquidations reached {moneyLow} within hours, and funding rates turned negative.',
      'Wallets of long-term holders moved coins to exchanges, a worrying sign, {broker} said.',
    ],
  },
  {
    kind: 'crypto-inflows',
    about: 'coin',
    direction: 'positive',
    strength: 0.48,
    weight: 4,
    topics: ['crypto-etfs'],
    titles: ['{name} funds draw {moneyHigh} of inflows', 'Investors pour {moneyHigh} into {symbol} products'],
    leads: [
      'Funds that hold {name} took in {moneyHigh} last week, the strongest inflow in {months} months.',
      'Demand for {symbol} products was brisk, with net purchases of {moneyHigh} by institutions.',
    ],
    details: [
      'Pension funds and advisers were among the buyers, according to {broker}.',
      'Inflows for the year now exceed last year’s total by {pctHigh}, a vote of confidence.',
    ],
  },
  {
    kind: 'crypto-outflows',
    about: 'coin',
    direction: 'negative',
    strength: 0.46,
    weight: 3,
    topics: ['crypto-etfs'],
    titles: ['{name} funds suffer {moneyHigh} of outflows', 'Money leaves {symbol} products for third week'],
    leads: [
      'Investors pulled {moneyHigh} from funds that hold {name}, the third weekly outflow in a row.',
      'Products tied to {symbol} bled {moneyHigh} as appetite for risk faded.',
    ],
    details: [
      'Redemptions were concentrated in {city}, where several large holders gave up, {broker} said.',
      'Assets under management have shrunk by {pctHigh} since the start of the quarter.',
    ],
  },
  {
    kind: 'network-upgrade',
    about: 'coin',
    direction: 'positive',
    strength: 0.42,
    weight: 3,
    topics: ['crypto-flows'],
    titles: ['{name} network upgrade goes live smoothly', '{name} upgrade cuts fees by {pctHigh}'],
    leads: [
      'A long-awaited upgrade of the {name} network went live smoothly and lowered fees by {pctHigh}.',
      'Developers activated an upgrade of {name} that speeds up confirmations and improves wallets.',
    ],
    details: [
      'More than {count} validators adopted the new software without incident.',
      'The next step, planned in {months} months, should raise capacity further.',
    ],
  },
  {
    kind: 'network-outage',
    about: 'coin',
    direction: 'negative',
    strength: 0.5,
    weight: 2,
    topics: ['network-outages'],
    titles: ['{name} network halts for hours', 'Outage freezes {symbol} transfers'],
    leads: [
      'The {name} network stopped producing blocks for several hours, freezing transfers worldwide.',
      'An outage left users of {name} unable to move funds and pushed {symbol} down {pct}.',
    ],
    details: [
      'A faulty client release was to blame; {count} nodes had to be restarted by hand.',
      'Critics renewed complaints about reliability, and two venues in {city} suspended deposits.',
    ],
  },
  {
    kind: 'exploit',
    about: 'coin',
    direction: 'negative',
    strength: 0.7,
    weight: 2.5,
    topics: ['exploits'],
    titles: [
      'Hackers drain {moneyLow} in {name} bridge exploit',
      'Exploit hits lending protocol, {symbol} falls {pct}',
    ],
    leads: [
      'Attackers drained {moneyLow} from a bridge that carries {name}, one of the worst exploits this year.',
      'A flaw in a lending contract allowed a theft of {moneyLow}, dragging {name} down {pct}.',
    ],
    details: [
      'Investigators traced part of the loot through mixers; {count} users were affected.',
      'The team paused withdrawals and offered a reward, but recovery looks doubtful.',
    ],
  },
  {
    kind: 'crypto-approval',
    about: 'coin',
    direction: 'positive',
    strength: 0.55,
    weight: 2.5,
    topics: ['crypto-regulation', 'crypto-etfs'],
    official: true,
    titles: ['Regulator clears new {name} fund', 'Green light for {symbol} products in {city}'],
    leads: [
      'A securities regulator approved a new fund that holds {name}, a milestone for the industry.',
      'Exchanges in {city} received approval to list {symbol} products for retail investors.',
    ],
    details: [
      'Trading may start within {months} months, and {broker} expects inflows of {moneyHigh}.',
      'The decision brings welcome clarity on custody and disclosure, lawyers said.',
    ],
  },
  {
    kind: 'crypto-crackdown',
    about: 'coin',
    direction: 'negative',
    strength: 0.54,
    weight: 2.5,
    topics: ['crypto-regulation', 'crypto-exchanges'],
    official: true,
    titles: ['Regulator fines exchange over {name} trading', 'Crackdown on unlicensed {symbol} venues'],
    leads: [
      'A regulator fined an exchange {moneyLow} for failing to police trading in {name}.',
      'Authorities moved against unlicensed venues that offer {symbol}, rattling the market.',
    ],
    details: [
      'More than {count} accounts were frozen, and further penalties are expected.',
      'Compliance costs will rise sharply, analyst {analyst} of {broker} warned.',
    ],
  },
  {
    kind: 'miner-report',
    about: 'coin',
    direction: 'neutral',
    strength: 0,
    weight: 2,
    topics: ['mining-and-staking'],
    titles: ['{name} network activity steady, report says', '{symbol} holds in narrow range as volumes ease'],
    leads: [
      'Activity on the {name} network was little changed last week, a report by {broker} showed.',
      '{name} traded in a narrow range while volumes eased to {moneyHigh} a day.',
    ],
    details: [
      'Active addresses numbered about {count}, close to the average of the last {months} months.',
      'Options prices suggest that traders expect neither a breakout nor a slump.',
    ],
  },
]
