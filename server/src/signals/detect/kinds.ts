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
  /** What value, baseline and zScore are. */
  metrics: string
  /** How strength and confidence are computed; "x (half at h)" is x / (x + h). */
  strength: string
  confidence: string
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
    metrics: 'The mean sentiment of the last 24 hours, the median of the days before, and the distance in deviations.',
    strength: 'The z-score without its sign (half at `leastZ`).',
    confidence:
      'Publishers (half at `halfPublishers`), times a half to one by how many of the 28 days have a sentiment.',
    horizon: '1d',
    series: 'asset',
  },
  news_volume_spike: {
    says: 'Far more is written about an asset than usual.',
    rule: 'The number of entries of the last 24 hours, against the numbers of the 28 days before that end at the same time of day: its distance from their median, divided by their deviation (1.4826 times the median absolute deviation, but no less than the root of one more than their mean). Days on which the service as a whole took in much less do not count.',
    direction: 'That of the mean sentiment of the entries.',
    metrics: 'The entries of the last 24 hours, the median of the days before, and the distance in deviations.',
    strength: 'The z-score (half at `leastZ`).',
    confidence: 'Publishers (half at `halfPublishers`), times a half to one by how many of the 28 days are known.',
    horizon: '1d',
    series: 'asset',
  },
  breaking_cluster: {
    says: 'Many publishers tell the same story within hours.',
    rule: 'The publishers of a story and its entries per hour, over the last hours, counting the entries that mention the asset. A story is about at most three assets, those that most of its entries are mainly about: an entry is about the asset that it names most prominently, and about the second if the title of the story names it.',
    direction: 'That of the mean sentiment of the entries.',
    metrics: 'Entries per hour; no baseline and no z-score.',
    strength: 'Publishers (half at `leastPublishers`).',
    confidence: 'Entries (half at `halfEntries`).',
    horizon: 'intraday',
    series: 'cluster and asset',
  },
  insider_cluster_buy: {
    says: 'Several officers or directors of a company bought its shares on the open market.',
    rule: 'Different insiders and the value of all their purchases that were filed within a number of days. Owners who file together count as one; large shareholders who are neither officers nor directors do not count.',
    direction: 'Bullish.',
    metrics: 'Dollars that were paid; no baseline and no z-score.',
    strength: 'The mean of insiders (half at `leastInsiders`) and dollars (half at `halfValue`).',
    confidence: 'Insiders (half at `halfInsiders`).',
    horizon: '1mo',
    series: 'asset',
  },
  insider_large_sale: {
    says: 'An insider sold much on the open market.',
    rule: 'The sales of one insider that were filed within a number of days: their value, their share of what was held, and, where the company had enough sales in the 180 days before, how they compare with these. A sale under a trading plan (Rule 10b5-1) has less confidence.',
    direction: 'Bearish.',
    metrics:
      'Dollars that the sales were worth; what a filing usually sells, and the distance from it in deviations of the logarithm, both null where there were too few to compare with.',
    strength: 'The mean of dollars (half at `halfValue`) and the share of the holding (half at `halfShare`).',
    confidence: '`confidence` or `plannedConfidence`, and `comparedConfidence` added where sales were compared.',
    horizon: '1w',
    series: 'asset',
  },
  activist_stake: {
    says: 'An activist has reported a stake in a company, or a larger one than before.',
    rule: 'A Schedule 13D with a stake of at least a percentage, or with one that has grown since the last Schedule 13D of the same holder in 180 days.',
    direction: 'Bullish.',
    metrics: 'Percent of the class; the percent reported before, null for a first report; no z-score.',
    strength: 'Percent (half at `halfPercent`).',
    confidence: '`confidence`.',
    horizon: '1mo',
    series: 'asset',
  },
  material_event: {
    says: 'A company has reported something that matters on Form 8-K.',
    rule: 'The weight of the heaviest item of the report, by the table below. Amendments do not count.',
    direction:
      'That of the item; where an item may be good or bad, that of the mean sentiment of the entries of the last 24 hours.',
    metrics: 'None: `metrics` is null.',
    strength: 'The weight of the item.',
    confidence: '`confidence`; `openConfidence` where the signal is neutral.',
    horizon: '1w',
    series: 'filing',
  },
  prediction_market_move: {
    says: 'The odds of yes, in a market of yes and no about an asset, have moved far within a day.',
    rule: 'The move of the last 24 hours, in binary markets only, divided by 1.4826 times the median size of the moves of the 28 days before that end at the same time of day, but no less than a least spread.',
    direction:
      'Bullish when what is good for the asset has become more likely, going by the words of the question; neutral where they do not tell, as with interest rates and takeovers.',
    metrics: 'The probability of yes, that of 24 hours before, and the move in deviations.',
    strength: 'The mean of the move (half at `halfMove`) and the z-score (half at `leastZ`), both without their signs.',
    confidence: 'From `leastConfidence` to `mostConfidence` by how many of the 28 earlier moves are known.',
    horizon: '1d',
    series: 'prediction market and asset',
  },
  price_news_divergence: {
    says: 'News about an asset leans one way, and its price has moved the other way.',
    rule: 'The mean sentiment of the entries of the last 24 hours, and the move of the price over the last days against the daily returns of the 60 days before.',
    direction: 'That of the news: the price has yet to follow it.',
    metrics: 'Percent that the price has moved; no baseline; the move in deviations of such a span.',
    strength:
      'The mean of the z-score (half at `leastZ`, at least at 1) and of the mean sentiment, both without their signs.',
    confidence: 'Publishers (half at `halfPublishers`).',
    horizon: '1w',
    series: 'asset',
  },
}
