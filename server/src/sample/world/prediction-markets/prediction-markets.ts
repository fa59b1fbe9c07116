import { stableId } from '../../../model/ids.ts'
import type { NewPredictionMarket, Odds, PredictionMarket } from '../../../model/prediction-markets.ts'
import { DAY, isoTime, isoTimeOrNull } from '../../../model/time.ts'
import { newsOf, type Report } from '../news.ts'
import { roundTo } from '../prices/price-model.ts'
import type { Prices } from '../prices/prices.ts'
import { createRandom } from '../random.ts'
import { companyQuestions } from './company-questions.ts'
import { createHistory, findChange, outcomeIds, pickWinner, settledOdds } from './history.ts'
import { type OddsSources, STEP } from './odds.ts'
import { priceQuestions } from './price-questions.ts'
import { kebab, type Question } from './question.ts'
import { worldQuestions } from './world-questions.ts'

interface SamplePredictionMarketsOptions {
  now: number
  reports: Iterable<Report>
  prices: Pick<Prices, 'at'>
}

/** Creates invented questions as of `now`. Their odds and results follow the sample's own prices and news. */
export function samplePredictionMarkets(options: SamplePredictionMarketsOptions): NewPredictionMarket[] {
  const { now, reports, prices } = options
  const sources: OddsSources = { now, prices, news: newsOf(reports) }
  const questions = [...priceQuestions(now, prices), ...companyQuestions(now), ...worldQuestions(now)]
  return questions.map((question, index) => createMarket(question, venueAt(index), sources))
}

interface Venue {
  slug: PredictionMarket['venue']
  name: string
  isRealMoney: boolean
  currency: string
  /** Typical volume of a question. */
  volume: number
  /** Half the bid-ask spread; null without an order book. */
  halfSpread: number | null
  hasImages: boolean
}

const polymarket: Venue = {
  slug: 'polymarket',
  name: 'Polymarket',
  isRealMoney: true,
  currency: 'USD',
  volume: 400_000,
  halfSpread: 0.005,
  hasImages: true,
}
const kalshi: Venue = {
  ...polymarket,
  slug: 'kalshi',
  name: 'Kalshi',
  volume: 150_000,
  halfSpread: 0.01,
  hasImages: false,
}
const manifold: Venue = {
  slug: 'manifold',
  name: 'Manifold',
  isRealMoney: false,
  currency: 'MANA',
  volume: 20_000,
  halfSpread: null,
  hasImages: true,
}
const rotation = [polymarket, kalshi, manifold, polymarket, kalshi]

function venueAt(index: number): Venue {
  return rotation[index % rotation.length] ?? polymarket
}

/** Time from the close to the result. */
const DELIBERATION = 2 * DAY

function createMarket(question: Question, venue: Venue, sources: OddsSources): NewPredictionMarket {
  const { now } = sources
  const { openAt, closeAt } = question.period
  const id = stableId('prediction-market', question.key)
  const slug = kebab(question.question)
  const host = `${venue.slug}.sample.example`
  const status = statusOf(question, now)
  const history = createHistory(question, sources)
  const winner = status === 'resolved' ? pickWinner(question, history.at(-1), sources) : null
  const resolvedAt = winner === null ? null : closeAt + STEP
  if (winner !== null) history.push(settledOdds(question, winner, closeAt + STEP))
  const outcomes = createOutcomes(question, venue, status, history, winner, now)
  return {
    id,
    slug,
    venue: venue.slug,
    venueMarketId: `sample-${id.slice(0, 8)}`,
    eventTitle: question.eventTitle,
    url: `https://${host}/markets/${slug}`,
    imageUrl: venue.hasImages ? `https://images.${host}/${slug}.png` : null,
    question: question.question,
    description: `Sample data: an invented question with invented odds, not one that is traded at ${venue.name}.`,
    category: question.category,
    topicSlugs: question.topicSlugs,
    assetKeys: question.assetKeys,
    type: question.type,
    status,
    isRealMoney: venue.isRealMoney,
    currency: venue.currency,
    probability: outcomes[0]?.probability ?? null,
    outcomes,
    ...createTradingFigures(question, venue, status, now),
    priceChange24h: outcomes[0]?.priceChange24h ?? null,
    priceChange7d: findChange(history, outcomes[0]?.id ?? '', now, 7 * DAY),
    openAt: isoTime(openAt),
    closeAt: isoTime(closeAt),
    resolvedAt: isoTimeOrNull(resolvedAt),
    resolution: winner === null ? null : (question.outcomes[winner]?.label ?? null),
    rules: `Sample rule. ${question.rules}`,
    resolutionSource: question.resolutionSource,
    history,
  }
}

function statusOf({ isCancelled, period }: Question, now: number): PredictionMarket['status'] {
  if (isCancelled) return 'cancelled'
  if (now < period.closeAt) return 'open'
  return now < period.closeAt + DELIBERATION ? 'closed' : 'resolved'
}

function createOutcomes(
  question: Question,
  venue: Venue,
  status: PredictionMarket['status'],
  history: readonly Odds[],
  winner: number | null,
  now: number,
): PredictionMarket['outcomes'] {
  const last = history.at(-1)?.probabilities ?? {}
  const spread = status === 'open' ? venue.halfSpread : null
  return outcomeIds(question).map((id, index) => {
    const probability = last[id] ?? null
    const hasBook = probability !== null && spread !== null
    return {
      id,
      label: question.outcomes[index]?.label ?? id,
      probability,
      bestBid: hasBook ? roundTo(Math.max(probability - spread, 0), 3) : null,
      bestAsk: hasBook ? roundTo(Math.min(probability + spread, 1), 3) : null,
      lastPrice: probability,
      priceChange24h: findChange(history, id, now, DAY),
      isWinner: winner === null ? null : index === winner,
    }
  })
}

type Trading = Pick<PredictionMarket, 'volume' | 'volume24h' | 'liquidity' | 'openInterest'>

function createTradingFigures(
  question: Question,
  venue: Venue,
  status: PredictionMarket['status'],
  now: number,
): Trading {
  const random = createRandom(`trading:${question.key}`)
  const { openAt, closeAt } = question.period
  const traded = Math.min(now, closeAt) - openAt
  const volume = venue.volume * Math.exp(1.1 * random.normal()) * (traded / (30 * DAY))
  // Trading time within the last day.
  const lastDay = Math.min(Math.max(closeAt - (now - DAY), 0), DAY)
  const volume24h = volume * Math.min((lastDay / traded) * random.between(0.4, 1.8), 1)
  const liquidity = status === 'open' ? volume * random.between(0.03, 0.15) : 0
  const openInterest = volume * random.between(0.2, 0.6)
  return {
    volume: roundTo(volume, 2),
    volume24h: roundTo(volume24h, 2),
    liquidity: roundTo(liquidity, 2),
    // Play money has no open interest, and neither has a market that was paid out.
    openInterest: venue.isRealMoney ? roundTo(status === 'open' || status === 'closed' ? openInterest : 0, 2) : null,
  }
}
