import { directionOf, type Finding } from './finding.ts'
import { type AssetMoment, newsSentiment, publishersOf } from './news.ts'
import { countOf, robustZOfMove, round, saturate, signed } from './numbers.ts'
import type { AssetPrices } from './observation.ts'
import type { Thresholds } from './thresholds.ts'

const RETURNS = 60

/**
 * Detects news that leans one way while the price has moved the other way. The direction is that of the news: the finding says
 * that the price has yet to follow.
 */
export function priceNewsDivergence(
  prices: AssetPrices,
  { assetKey, name, at, recent }: AssetMoment,
  limits: Thresholds['price_news_divergence'],
): Finding | undefined {
  const scored = recent.filter(({ sentimentScore }) => sentimentScore !== null)
  if (scored.length < limits.leastEntries) return undefined
  const sentiment = newsSentiment(scored)
  const publishers = publishersOf(scored)
  if (sentiment === null || Math.abs(sentiment) < limits.leastSentiment) return undefined
  if (publishers < limits.leastPublishers) return undefined
  const move = priceMove(prices, assetKey, at, limits)
  if (move === undefined || Math.sign(move.percent) !== -Math.sign(sentiment)) return undefined
  if (Math.abs(move.percent) < limits.leastMovePercent || Math.abs(move.z) < limits.leastZ) return undefined
  return {
    kind: 'price_news_divergence',
    direction: directionOf(sentiment),
    assetKey,
    strength: (saturate(Math.abs(move.z), Math.max(limits.leastZ, 1)) + Math.abs(sentiment)) / 2,
    confidence: saturate(publishers, limits.halfPublishers),
    title: sentiment > 0 ? `${name} falls on good news` : `${name} rises on bad news`,
    summary:
      `${name}: the price moved ${signed(move.percent, 1)}% in ${countOf(limits.priceDays, 'day')}, while ` +
      `${scored.length} entries of the last 24 hours have a mean sentiment of ${signed(sentiment, 2)}.`,
    metrics: {
      value: round(move.percent, 4),
      baseline: null,
      zScore: round(move.z, 2),
      window: `${limits.priceDays}d`,
    },
    entryIds: scored.map(({ id }) => id),
  }
}

/** Compares the move since the close `priceDays` ago with the daily returns before it. */
function priceMove(
  prices: AssetPrices,
  assetKey: string,
  at: number,
  { priceDays, leastDays }: Thresholds['price_news_divergence'],
): { percent: number; z: number } | undefined {
  const closes = prices.dailyCloses(assetKey, at, RETURNS + priceDays)
  const start = closes.at(-priceDays)
  const price = prices.at(assetKey, at)
  if (start === undefined || price === undefined || !(start > 0) || !(price > 0)) return undefined
  const earlier = closes.slice(0, closes.length - priceDays + 1)
  const returns = earlier.slice(1).map((close, index) => Math.log(close / (earlier[index] ?? close)))
  if (returns.length < leastDays || !returns.every(Number.isFinite)) return undefined
  // Scale daily returns to `priceDays` days.
  const usual = returns.map((each) => each * Math.sqrt(priceDays))
  const z = robustZOfMove(Math.log(price / start), usual, LEAST_RETURN * Math.sqrt(priceDays))
  return { percent: (price / start - 1) * 100, z }
}

/** Least deviation of daily returns, so that tiny moves of stable prices, such as stablecoins, have no large z-score. */
const LEAST_RETURN = 0.001
