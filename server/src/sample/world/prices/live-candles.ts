import type { NewCandle } from '../../../model/markets.ts'
import { MINUTE } from '../../../model/time.ts'
import type { NewsItem } from '../news.ts'
import { createRandom } from '../random.ts'
import { walkMinutes } from './minute-walk.ts'
import { addImpulse, advance, type Impulse, impulsesOn, noReaction, type Reaction } from './news-reaction.ts'
import { type PriceModel, priceModelOf } from './price-model.ts'
import { tradingMinutes } from './trading-hours.ts'

/**
 * Returns the candles after the last known one, up to the minute of `until`; none while the market is closed.
 * `recentNews` is ordered by time; news has no effect after three days of trading.
 */
export function nextMinutes(
  assetKey: string,
  lastCandle: Pick<NewCandle, 'openedAt' | 'close'>,
  until: number,
  recentNews: readonly NewsItem[],
  seed: string | number,
): NewCandle[] {
  const model = priceModelOf(assetKey)
  const impulses = impulsesOn(model, recentNews)
  return walkMinutes({
    model,
    from: lastCandle.openedAt + MINUTE,
    until,
    price: lastCandle.close,
    reaction: reactionAfter(model, impulses, lastCandle.openedAt),
    impulses: impulses.filter((impulse) => impulse.at > lastCandle.openedAt),
    drift: 0,
    // A generator per minute: the result does not depend on how many minutes one call covers.
    randomAt: (openedAt) => createRandom(`${seed}:live:${assetKey}:${openedAt}`),
    factorAt: (openedAt) => createRandom(`${seed}:live:${model.factor}:${openedAt}`).normal(),
  })
}

/** Returns the reaction that is pending at the end of a minute from news published before it. */
function reactionAfter(model: PriceModel, impulses: readonly Impulse[], openedAt: number): Reaction {
  const reaction = noReaction()
  for (const impulse of impulses) {
    if (impulse.at > openedAt) continue
    const fresh = noReaction()
    addImpulse(fresh, impulse)
    const firstMinute = Math.ceil(impulse.at / MINUTE) * MINUTE
    advance(model, fresh, tradingMinutes(model.hours, firstMinute, openedAt + MINUTE))
    reaction.fast += fresh.fast
    reaction.slow += fresh.slow
    reaction.attention += fresh.attention
  }
  return reaction
}
