import type { SampleEvent } from './event.ts'

export const marketEvents: SampleEvent[] = [
  {
    kind: 'index-gain',
    about: 'index',
    direction: 'positive',
    strength: 0.46,
    weight: 5,
    topics: ['indices'],
    titles: [
      '{name} closes {pct} higher on upbeat earnings',
      'Stocks rally, {name} gains {pct}',
      '{name} hits record as rate worries fade',
    ],
    leads: [
      'The {name} rose {pct} as upbeat earnings and falling bond yields encouraged buyers.',
      'Stocks rallied across the board, and the {name} finished {pct} higher near a record.',
    ],
    details: [
      'Advancing shares outnumbered decliners by a wide margin, with cyclical stocks in front.',
      'Strategist {analyst} of {broker} sees improving breadth as a healthy sign.',
    ],
  },
  {
    kind: 'index-fall',
    about: 'index',
    direction: 'negative',
    strength: 0.48,
    weight: 5,
    topics: ['indices'],
    titles: [
      '{name} drops {pct} as yields jump',
      'Stocks slide, {name} loses {pct}',
      'Sell-off deepens: {name} down {pct}',
    ],
    leads: [
      'The {name} fell {pct} as a jump in bond yields and weak data frightened investors.',
      'Stocks slid for a third session, leaving the {name} {pct} lower at the close.',
    ],
    details: [
      'Technology and small caps suffered most, while few sectors escaped the losses.',
      'Strategist {analyst} of {broker} warned that positioning remains dangerously crowded.',
    ],
  },
  {
    kind: 'index-flat',
    about: 'index',
    direction: 'neutral',
    strength: 0,
    weight: 2,
    topics: ['indices'],
    titles: ['{name} little changed ahead of data', '{name} ends flat in thin trading'],
    leads: [
      'The {name} ended little changed as investors waited for economic data due later this week.',
      'Trading was thin, and the {name} moved within a narrow band for most of the session.',
    ],
    details: [
      'Gains in defensive stocks offset losses elsewhere, and volumes were below average.',
      '{broker} kept its year-end target for the index unchanged.',
    ],
  },
  {
    kind: 'volatility-spike',
    about: 'index',
    direction: 'negative',
    strength: 0.55,
    weight: 1.5,
    topics: ['volatility'],
    assets: ['VIX'],
    titles: ['VIX leaps as traders rush for protection', 'Fear gauge spikes to highest in {months} months'],
    leads: [
      'The VIX leapt to its highest in {months} months as traders rushed to buy protection.',
      'Wall Street’s fear gauge spiked after a turbulent morning that hit almost every sector.',
    ],
    details: [
      'Demand for put options swelled, and {broker} warned of forced selling by funds.',
      'Margin calls of {moneyLow} were reported among leveraged accounts.',
    ],
  },
  {
    kind: 'etf-inflows',
    about: 'fund',
    direction: 'positive',
    strength: 0.4,
    weight: 4,
    topics: ['etf-flows'],
    titles: ['{symbol} attracts {moneyHigh} in a week', 'Inflows into {name} accelerate'],
    leads: [
      '{name} attracted {moneyHigh} of new money in a week, among the strongest inflows of any fund.',
      'Investors added {moneyHigh} to {symbol}, extending a streak of healthy inflows.',
    ],
    details: [
      'Model portfolios and retirement savers drove the demand, {broker} said.',
      'Low fees and tight spreads make the fund a favourite, analyst {analyst} noted.',
    ],
  },
  {
    kind: 'etf-outflows',
    about: 'fund',
    direction: 'negative',
    strength: 0.4,
    weight: 3,
    topics: ['etf-flows'],
    titles: ['{symbol} loses {moneyHigh} to withdrawals', 'Outflows from {name} quicken'],
    leads: [
      'Investors withdrew {moneyHigh} from {name}, the largest weekly outflow in {months} months.',
      '{symbol} suffered withdrawals of {moneyHigh} as sentiment soured.',
    ],
    details: [
      'Hedge funds cut exposure after weak data, {broker} said, and short interest climbed.',
      'The fund trails its category by {pctHigh} this year, a disappointing record.',
    ],
  },
  {
    kind: 'etf-rebalance',
    about: 'fund',
    direction: 'neutral',
    strength: 0,
    weight: 2,
    topics: ['funds'],
    titles: ['{symbol} rebalances holdings', '{name} completes quarterly rebalance'],
    leads: [
      '{name} completed its quarterly rebalance, with turnover of {pctLow} of assets.',
      'Managers of {symbol} adjusted holdings worth {moneyLow} in line with index changes.',
    ],
    details: [
      'Trading was orderly and tracking error stayed within its usual range.',
      'The next review takes place in about {months} months.',
    ],
  },
  {
    kind: 'pair-up',
    about: 'pair',
    direction: 'positive',
    strength: 0.32,
    weight: 4,
    topics: ['currencies'],
    titles: ['{name} rises {pct} after data', '{name} climbs to highest in {months} months', '{symbol} extends gains'],
    leads: [
      '{name} rose {pct} after economic data came in stronger than forecasters had predicted.',
      '{name} climbed to its highest in {months} months as rate expectations shifted in its favour.',
    ],
    details: [
      'Momentum is firmly positive, strategist {analyst} of {broker} said, with resistance some way off.',
      'Importers in {city} bought on dips, which supported the advance.',
    ],
  },
  {
    kind: 'pair-down',
    about: 'pair',
    direction: 'negative',
    strength: 0.34,
    weight: 4,
    topics: ['currencies'],
    titles: [
      '{name} slips {pct} on rate bets',
      '{name} weakens to lowest in {months} months',
      '{symbol} under pressure',
    ],
    leads: [
      '{name} slipped {pct} as traders bet on a less favourable path of interest rates.',
      '{name} weakened to its lowest in {months} months after a string of poor data.',
    ],
    details: [
      'Further losses are likely if support breaks, strategist {analyst} of {broker} warned.',
      'Exporters in {city} hurried to hedge, adding to the selling pressure.',
    ],
  },
  {
    kind: 'pair-range',
    about: 'pair',
    direction: 'neutral',
    strength: 0,
    weight: 2,
    topics: ['currencies'],
    titles: ['{name} steady before central bank meeting', '{name} trades in tight range'],
    leads: [
      '{name} was steady before a central bank meeting that is expected to bring no change.',
      '{name} moved in a tight range of {pctLow} with many desks on the sidelines.',
    ],
    details: [
      'Implied volatility is close to its average of the past {months} months.',
      '{broker} left its forecast for the end of the year unchanged.',
    ],
  },
  {
    kind: 'fund-launch',
    about: 'fund',
    direction: 'neutral',
    strength: 0,
    weight: 1.2,
    topics: ['fund-launches'],
    titles: ['New rival to {symbol} comes to market', 'Fund launch: newcomer takes aim at {symbol}'],
    leads: [
      'A newcomer from {city} listed a fund that tracks a similar basket to {name}.',
      'A new exchange-traded fund will compete with {name} at a slightly lower fee.',
    ],
    details: [
      '{broker} does not expect large shifts of money in the first {months} months.',
      'Seed capital amounts to {moneyLow}, according to the prospectus.',
    ],
  },
]
