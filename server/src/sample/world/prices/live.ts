import type { NewCandle } from '../../../model/markets.ts'
import { MINUTE } from '../../../model/time.ts'
import type { WorldNews } from '../news.ts'
import { createRandom } from '../random.ts'
import { tradingMinutes } from './hours.ts'
import { walkMinutes } from './minutes.ts'
import { feel, type Impulse, impulsesOn, noReaction, type Reaction, work } from './reaction.ts'
import { type Traits, traitsOf } from './traits.ts'

/**
 * The candles that follow the last known one, up to the minute in which `until` lies; none while the market is closed.
 * `recentNews` is in the order of time; after three days of trading there is nothing left of a story.
 */
export function nextMinutes(
  assetKey: string,
  lastCandle: Pick<NewCandle, 'openedAt' | 'close'>,
  until: number,
  recentNews: readonly WorldNews[],
  seed: string | number,
): NewCandle[] {
  const traits = traitsOf(assetKey)
  const impulses = impulsesOn(traits, recentNews)
  return walkMinutes({
    traits,
    from: lastCandle.openedAt + MINUTE,
    until,
    price: lastCandle.close,
    reaction: reactionAfter(traits, impulses, lastCandle.openedAt),
    impulses: impulses.filter((impulse) => impulse.at > lastCandle.openedAt),
    drift: 0,
    // A stream for each minute: what it brings does not depend on how many are asked for at once.
    randomAt: (openedAt) => createRandom(`${seed}:live:${assetKey}:${openedAt}`),
    factorAt: (openedAt) => createRandom(`${seed}:live:${traits.factor}:${openedAt}`).normal(),
  })
}

/** What is left at the end of a minute of the news that was out when it began. */
function reactionAfter(traits: Traits, impulses: readonly Impulse[], openedAt: number): Reaction {
  const reaction = noReaction()
  for (const impulse of impulses) {
    if (impulse.at > openedAt) continue
    const fresh = noReaction()
    feel(fresh, impulse)
    const firstMinute = Math.ceil(impulse.at / MINUTE) * MINUTE
    work(traits, fresh, tradingMinutes(traits.hours, firstMinute, openedAt + MINUTE))
    reaction.fast += fresh.fast
    reaction.slow += fresh.slow
    reaction.attention += fresh.attention
  }
  return reaction
}
