import type { Signal } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'

export const HORIZON_SPANS: Readonly<Record<Signal['horizon'], number>> = {
  intraday: 8 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
  '1mo': 30 * DAY,
}

export interface KindOfSignal {
  says: string
  rule: string
  direction: string
  horizon: Signal['horizon']
  /** Of which at most one is active at a time. */
  series: string
}

/** What each kind of signal says and when, as its users read it; the horizon is taken from here. */
export const KINDS: Readonly<Record<Signal['kind'], KindOfSignal>> = {
  sentiment_shift: {
    says: 'News about an asset has become clearly better or worse than it usually is.',
    rule: 'The mean sentiment of the entries of the last 24 hours, against the means of the 28 days before that end at the same time of day: its distance from their median, divided by the deviation of a mean of that many entries. That is the deviation of single scores over the root of their number; it is 1.4826 times the median of how far the days are from their median, each times the root of its number of entries, but no less than a least one.',
    direction: 'Bullish when it has become better.',
    horizon: '1d',
    series: 'asset',
  },
  news_volume_spike: {
    says: 'Far more is written about an asset than usual.',
    rule: 'The number of entries of the last 24 hours, against the numbers of the 28 days before that end at the same time of day: its distance from their median, divided by their deviation (1.4826 times the median absolute deviation, but no less than the root of one more than their mean). Days on which the service as a whole took in much less do not count.',
    direction: 'That of the mean sentiment of the entries.',
    horizon: '1d',
    series: 'asset',
  },
  breaking_cluster: {
    says: 'Many publishers tell the same story within hours.',
    rule: 'The publishers of a story and its entries per hour, over the last hours. A story is about at most three assets, those that most of its entries mention.',
    direction: 'That of the mean sentiment of the entries.',
    horizon: 'intraday',
    series: 'cluster and asset',
  },
  insider_cluster_buy: {
    says: 'Several officers or directors of a company bought its shares on the open market.',
    rule: 'Different insiders and the value of all their purchases that were filed within a number of days. Owners who file together count as one; large shareholders who are neither officers nor directors do not count.',
    direction: 'Bullish.',
    horizon: '1mo',
    series: 'asset',
  },
  insider_large_sale: {
    says: 'An insider sold much on the open market.',
    rule: 'The sales of one insider that were filed within a number of days: their value, their share of what was held, and, where the company had enough sales in the 180 days before, how they compare with these. A sale under a trading plan (Rule 10b5-1) has less confidence.',
    direction: 'Bearish.',
    horizon: '1w',
    series: 'asset',
  },
  activist_stake: {
    says: 'An activist has reported a stake in a company, or a larger one than before.',
    rule: 'A Schedule 13D with a stake of at least a percentage, or with one that has grown since the last Schedule 13D of the same holder in 180 days.',
    direction: 'Bullish.',
    horizon: '1mo',
    series: 'asset',
  },
  material_event: {
    says: 'A company has reported something that matters on Form 8-K.',
    rule: 'The weight of the heaviest item of the report, by the table below. Amendments do not count.',
    direction: 'That of the item; where an item may be good or bad, that of the news of the last 24 hours.',
    horizon: '1w',
    series: 'filing',
  },
  prediction_market_move: {
    says: 'The odds of a question about an asset have moved far within a day.',
    rule: 'The move of the last 24 hours, divided by 1.4826 times the median size of the moves of the 28 days before that end at the same time of day, but no less than a least spread.',
    direction:
      'Bullish when what is good for the asset has become more likely, going by the words of a question that is answered with yes or no; else neutral.',
    horizon: '1d',
    series: 'prediction market and asset',
  },
  price_news_divergence: {
    says: 'News about an asset leans one way, and its price has moved the other way.',
    rule: 'The mean sentiment of the entries of the last 24 hours, and the move of the price over the last days against the daily returns of the 60 days before.',
    direction: 'That of the news: the price has yet to follow it.',
    horizon: '1w',
    series: 'asset',
  },
}
