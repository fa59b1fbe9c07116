import type { Signal } from '../../model/signals.ts'
import { DAY, HOUR } from '../../model/time.ts'

export const HORIZON_SPANS: Readonly<Record<Signal['horizon'], number>> = {
  intraday: 8 * HOUR,
  '1d': DAY,
  '1w': 7 * DAY,
  '1mo': 30 * DAY,
}

/** Documentation of a kind of signal. */
export interface KindOfSignal {
  says: string
  rule: string
  direction: string
  /** Meaning of value, baseline and zScore. */
  metrics: string
  /** How strength and confidence are computed; "x (half at h)" is x / (x + h). */
  strength: string
  confidence: string
  horizon: Signal['horizon']
  /** At most one signal per series is active at a time. */
  series: string
}

/** Documentation of each kind for its users, and its horizon. */
export const KINDS: Readonly<Record<Signal['kind'], KindOfSignal>> = {
  sentiment_shift: {
    says: 'News about an asset has become clearly better or worse than usual.',
    rule: 'Compares the mean sentiment of the entries of the last 24 hours with the means of the 28 days before, which end at the same time of day. The z-score is the distance from their median divided by the deviation of a mean of that many entries: the deviation of single scores divided by the root of the number of entries. The deviation of single scores is 1.4826 times the median of the distances of the days from their median, each multiplied by the root of its number of entries, but at least `scoreSpread`.',
    direction: 'Bullish if the news has become better.',
    metrics: 'The mean sentiment of the last 24 hours, the median of the days before, and the distance in deviations.',
    strength: 'The z-score without its sign (half at `leastZ`).',
    confidence:
      'Publishers (half at `halfPublishers`), multiplied by 0.5 to 1 depending on how many of the 28 days have a sentiment.',
    horizon: '1d',
    series: 'asset',
  },
  news_volume_spike: {
    says: 'There are far more entries about an asset than usual.',
    rule: 'Compares the number of entries of the last 24 hours with the numbers of the 28 days before, which end at the same time of day. The z-score is the distance from their median divided by their deviation (1.4826 times the median absolute deviation, but at least the square root of their mean + 1). Days on which the service as a whole received far fewer entries do not count.',
    direction: 'Follows the mean sentiment of the entries.',
    metrics: 'The entries of the last 24 hours, the median of the days before, and the distance in deviations.',
    strength: 'The z-score (half at `leastZ`).',
    confidence:
      'Publishers (half at `halfPublishers`), multiplied by 0.5 to 1 depending on how many of the 28 days are known.',
    horizon: '1d',
    series: 'asset',
  },
  breaking_cluster: {
    says: 'Many publishers report the same event within hours.',
    rule: 'Counts the publishers of a cluster and its entries per hour over the last hours, using only entries that mention the asset. A cluster is about at most three assets, those that most of its entries are mainly about: the asset that an entry names most prominently, and the second one if the title of the cluster names it.',
    direction: 'Follows the mean sentiment of the entries.',
    metrics: 'Entries per hour; no baseline and no z-score.',
    strength: 'Publishers (half at `leastPublishers`).',
    confidence: 'Entries (half at `halfEntries`).',
    horizon: 'intraday',
    series: 'cluster and asset',
  },
  insider_cluster_buy: {
    says: 'Several officers or directors of a company bought its shares on the open market.',
    rule: 'Counts the insiders and the value of all their purchases that were filed within a number of days. Owners who file together count as one; large shareholders who are neither officers nor directors do not count.',
    direction: 'Bullish.',
    metrics: 'Dollars paid; no baseline and no z-score.',
    strength: 'The mean of insiders (half at `leastInsiders`) and dollars (half at `halfValue`).',
    confidence: 'Insiders (half at `halfInsiders`).',
    horizon: '1mo',
    series: 'asset',
  },
  insider_large_sale: {
    says: 'An insider made a large sale on the open market.',
    rule: 'Adds up the sales of one insider that were filed within a number of days: their value, their share of the holding and, if the company had enough sales in the 180 days before, how they compare with those. Sales under a trading plan (Rule 10b5-1) have less confidence.',
    direction: 'Bearish.',
    metrics:
      'Value of the sales in dollars; the usual value of a filing, and the distance from it in deviations of the logarithm, both null if there were too few sales to compare with.',
    strength: 'The mean of dollars (half at `halfValue`) and the share of the holding (half at `halfShare`).',
    confidence: '`confidence` or `plannedConfidence`, plus `comparedConfidence` if there were sales to compare with.',
    horizon: '1w',
    series: 'asset',
  },
  activist_stake: {
    says: 'An activist has reported a new or larger stake in a company.',
    rule: 'A Schedule 13D with a first stake of at least `leastPercent`, or a stake that has grown by `leastRise` since the last Schedule 13D of the same holder within 180 days.',
    direction: 'Bullish.',
    metrics: 'Percent of the class; the percent reported before, null for a first report; no z-score.',
    strength: 'Percent (half at `halfPercent`).',
    confidence: '`confidence`.',
    horizon: '1mo',
    series: 'asset',
  },
  material_event: {
    says: 'A company has reported an important event on Form 8-K.',
    rule: 'Uses the weight of the heaviest item of the report, from the table below. Amendments do not count.',
    direction:
      'Depends on the item; if the item may be good or bad, on the mean sentiment of the entries of the last 24 hours.',
    metrics: 'None: `metrics` is null.',
    strength: 'The weight of the item.',
    confidence: '`confidence`; `openConfidence` if the signal is neutral.',
    horizon: '1w',
    series: 'filing',
  },
  prediction_market_move: {
    says: 'The odds of a yes-or-no prediction market about an asset have moved far within a day.',
    rule: 'The z-score is the move of the last 24 hours divided by 1.4826 times the median size of the moves of the 28 days before, which end at the same time of day, but at least `leastSpread`. Binary markets only.',
    direction:
      'Bullish if an answer that is good for the asset has become more likely, judged by the words of the question; neutral if they do not say, as with interest rates and takeovers.',
    metrics: 'The probability of yes, the probability 24 hours before, and the move in deviations.',
    strength: 'The mean of the move (half at `halfMove`) and the z-score (half at `leastZ`), both without their signs.',
    confidence: 'From `leastConfidence` to `mostConfidence`, depending on how many of the 28 earlier moves are known.',
    horizon: '1d',
    series: 'prediction market and asset',
  },
  price_news_divergence: {
    says: 'News about an asset leans one way, and its price has moved the other way.',
    rule: 'Compares the mean sentiment of the entries of the last 24 hours with the move of the price over the last days, measured against the daily returns of the 60 days before.',
    direction: 'Follows the news: the price has yet to follow.',
    metrics: 'Move of the price in percent; no baseline; the move in deviations for that number of days.',
    strength:
      'The mean of the z-score (half at `leastZ`, at least at 1) and of the mean sentiment, both without their signs.',
    confidence: 'Publishers (half at `halfPublishers`).',
    horizon: '1w',
    series: 'asset',
  },
}
