import type { SampleEvent } from './event.ts'

export const commodityEvents: SampleEvent[] = [
  {
    kind: 'gold-rally',
    about: 'commodity',
    direction: 'positive',
    strength: 0.45,
    weight: 4,
    topics: ['gold', 'metals'],
    assets: ['XAU'],
    titles: [
      'Gold climbs {pct} on safe-haven demand',
      'Gold near record as central banks buy',
      'Bullion shines: gold up {pct}',
    ],
    leads: [
      'Gold climbed {pct} as central banks and cautious investors added to their holdings.',
      'Bullion gained {pct} and came close to a record while bond yields retreated.',
    ],
    details: [
      'Central banks bought {count} kilograms last month, according to {broker}.',
      'A softer dollar made the metal more attractive to buyers from {city} to Mumbai.',
    ],
  },
  {
    kind: 'oil-supply-cut',
    about: 'commodity',
    direction: 'positive',
    strength: 0.36,
    weight: 3,
    topics: ['crude-oil'],
    assets: ['BRENT', 'WTI'],
    titles: [
      'Oil jumps {pct} as producers extend supply cuts',
      'Brent and WTI gain after output decision',
      'Crude rallies on tighter supply',
    ],
    leads: [
      'Oil prices jumped {pct} after a group of producers extended its supply cuts for {months} months.',
      'Brent and WTI gained {pct} as an output decision tightened the crude market.',
    ],
    details: [
      'Stockpiles at hubs fell for a fifth week, supporting prices, {broker} said.',
      'Refiners in {city} raised bids for prompt cargoes, and time spreads strengthened.',
    ],
  },
  {
    kind: 'oil-glut',
    about: 'commodity',
    direction: 'negative',
    strength: 0.44,
    weight: 3,
    topics: ['crude-oil'],
    assets: ['BRENT', 'WTI'],
    titles: [
      'Oil slides {pct} on fears of a glut',
      'Crude sinks as inventories swell',
      'Brent and WTI drop on weak demand outlook',
    ],
    leads: [
      'Oil prices slid {pct} after inventories swelled far more than analysts had expected.',
      'Brent and WTI dropped {pct} as fears of a supply glut gripped the crude market.',
    ],
    details: [
      'Tankers are queueing off {city} for lack of storage, traders said.',
      '{broker} cut its forecast and warned of weak demand for at least {months} months.',
    ],
  },
  {
    kind: 'gas-cold-snap',
    about: 'commodity',
    direction: 'positive',
    strength: 0.34,
    weight: 2,
    topics: ['natural-gas'],
    assets: ['NATGAS'],
    titles: ['Natural gas leaps {pct} on cold forecasts', 'Heating demand lifts natural gas'],
    leads: [
      'Natural gas leapt {pct} as forecasts of colder weather pointed to higher heating demand.',
      'Gas futures gained {pct} with storage levels below the average of recent years.',
    ],
    details: [
      'Export terminals ran at full capacity, and buyers in {city} bid for spare cargoes.',
      'Analyst {analyst} of {broker} expects firm prices for {months} months.',
    ],
  },
  {
    kind: 'commodity-rally',
    about: 'commodity',
    direction: 'positive',
    strength: 0.4,
    weight: 5,
    topics: ['commodities'],
    titles: [
      '{name} futures rally {pct} on supply worries',
      '{name} extends gains as stocks tighten',
      '{name} prices rise to {months}-month high',
    ],
    leads: [
      '{name} futures rallied {pct} as dwindling stocks met stronger demand.',
      '{name} prices rose to their highest in {months} months, rewarding patient bulls.',
    ],
    details: [
      'Exchange inventories fell to {count} tonnes, traders in {city} said.',
      'Funds increased net long positions to {moneyLow}, data from {broker} showed.',
    ],
  },
  {
    kind: 'commodity-slump',
    about: 'commodity',
    direction: 'negative',
    strength: 0.42,
    weight: 5,
    topics: ['commodities'],
    titles: [
      '{name} futures slump {pct} on ample supply',
      '{name} drops as demand disappoints',
      '{name} prices sink to {months}-month low',
    ],
    leads: [
      '{name} futures slumped {pct} as ample supply met disappointing demand.',
      '{name} prices sank to their lowest in {months} months, hurting producers.',
    ],
    details: [
      'Warehouses in {city} took in {count} tonnes, adding to the surplus.',
      'Funds dumped long positions worth {moneyLow}, data from {broker} showed.',
    ],
  },
  {
    kind: 'commodity-steady',
    about: 'commodity',
    direction: 'neutral',
    strength: 0,
    weight: 1.5,
    topics: ['commodities'],
    titles: ['{name} steady as traders await report', '{name} holds in range'],
    leads: [
      '{name} was steady as traders awaited a monthly supply report.',
      '{name} prices held within {pctLow} of the previous close in quiet dealings.',
    ],
    details: [
      'Physical premiums in {city} were unchanged, and few cargoes changed hands.',
      '{broker} expects a balanced market for the next {months} months.',
    ],
  },
]
