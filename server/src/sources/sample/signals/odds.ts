import type { NewPredictionMarket } from '../../../model/prediction-markets.ts'
import type { NewSignal } from '../../../model/signals.ts'
import { DAY } from '../../../model/time.ts'
import { deviation, type Finding, round, SIGNAL_SPAN, type SignalContext, saturate } from './signal.ts'

const WINDOW = DAY
const LEAST_MOVE = 0.08
const PAUSE = 2 * DAY

/** Odds that moved by eight points or more within a day, in a market about an asset. */
export function predictionMarketMoves(context: SignalContext): Finding[] {
  return context.predictionMarkets.flatMap((market) => movesOf(market, context.now - SIGNAL_SPAN, context.now))
}

function movesOf(market: NewPredictionMarket, from: number, to: number): Finding[] {
  const [assetKey] = market.assetKeys
  const outcome = market.outcomes[0]
  if (assetKey === undefined || outcome === undefined) return []
  const odds = market.history.flatMap(({ at, probabilities }) => {
    const probability = probabilities[outcome.id]
    return probability === undefined ? [] : [{ at, probability }]
  })
  const found: Finding[] = []
  let start = 0
  let quietUntil = from
  odds.forEach(({ at, probability }, index) => {
    while ((odds[start]?.at ?? at) < at - WINDOW) start++
    const before = odds[start]?.probability ?? probability
    // Where points are more than a day apart, the one before is what there is to compare with.
    const compared = start === index ? (odds[index - 1]?.probability ?? probability) : before
    if (at < quietUntil || at > to || Math.abs(probability - compared) < LEAST_MOVE) return
    const steps = odds.slice(Math.max(0, start - 60), start + 1).map((point) => point.probability)
    found.push(describe(market, outcome.label, assetKey, at, compared, probability, changesOf(steps)))
    quietUntil = at + PAUSE
  })
  return found
}

function changesOf(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - (values[index] ?? value))
}

function describe(
  market: NewPredictionMarket,
  label: string,
  assetKey: string,
  knownAt: number,
  before: number,
  after: number,
  earlierSteps: readonly number[],
): Finding {
  const scatter = earlierSteps.length < 5 ? 0 : deviation(earlierSteps)
  const percent = (share: number) => `${Math.round(share * 100)}%`
  return {
    kind: 'prediction_market_move',
    direction: directionOf(market, after > before),
    strength: saturate(Math.abs(after - before), 0.15),
    confidence: market.isRealMoney ? 0.6 : 0.45,
    horizon: '1d',
    assetKey,
    title: `Odds ${after > before ? 'rise' : 'fall'} to ${percent(after)}: ${market.question}`,
    summary: `The odds of “${label}” went from ${percent(before)} to ${percent(after)} within a day on ${market.venue}.`,
    metrics: {
      value: round(after, 4),
      baseline: round(before, 4),
      zScore: scatter === 0 ? null : round((after - before) / scatter, 2),
      window: '24h',
    },
    knownAt,
    predictionMarketIds: [market.id],
  }
}

const GOOD =
  /\b(above|exceed|over|reach|beats?|tops?|rises?|raises?|higher|gains?|rally|approved?|wins?|record|more than)\b/i
const BAD =
  /\b(below|under|fall|falls|drop|drops|miss|misses|cut|cuts|lower|less than|recall|lawsuit|delay|bankruptcy)\b/i

/** A question with yes and no says what would be good or bad for the asset; other questions do not. */
function directionOf({ type, question }: NewPredictionMarket, isUp: boolean): NewSignal['direction'] {
  const isGood = GOOD.test(question)
  if (type !== 'binary' || isGood === BAD.test(question)) return 'neutral'
  return isGood === isUp ? 'bullish' : 'bearish'
}
