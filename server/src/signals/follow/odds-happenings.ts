import { setImmediate } from 'node:timers/promises'
import { DAY } from '../../model/time.ts'
import type { MarketOdds } from '../../store/prediction-markets/odds-feed.ts'
import type { Store } from '../../store/store.ts'
import type { OddsHappening } from '../detect/happening.ts'
import { type Followed, PORTION } from './followed.ts'

/** The odds of prediction markets, as they are recorded. `isAsset` tells which assets the store has. */
export function followOdds(store: Store, isAsset: (assetKey: string) => boolean): Followed {
  const { predictionMarkets } = store

  function happeningOf({ market, odds }: MarketOdds): OddsHappening | undefined {
    const { id, question, type, status, outcomes } = market
    const assetKeys = market.assetKeys.filter(isAsset)
    const probability = outcomes[0] && odds.probabilities[outcomes[0].id]
    if (probability === undefined) return undefined
    return { type: 'odds', at: odds.at, market: { id, question, type, status, assetKeys }, probability }
  }

  return {
    task: 'signals:odds',

    head: () => predictionMarkets.oddsHead(),

    ready: () => predictionMarkets.oddsHead(),

    async list(from, to) {
      const recorded = await predictionMarkets.listRecordedOdds(from, to, PORTION)
      const reached = recorded.length < PORTION ? to : (recorded.at(-1)?.place ?? to)
      const items = recorded.flatMap((one) => {
        const happening = happeningOf(one)
        return happening === undefined ? [] : [{ place: one.place, happening, assetKeys: happening.market.assetKeys }]
      })
      return { items, reached, isAll: reached >= to }
    },

    async recall(done, memory) {
      const until = await predictionMarkets.lastOddsAt(done)
      if (until === undefined) return
      for (let since = until - memory.remembers.oddsMs; since < until; since += DAY) {
        const odds = await predictionMarkets.listOddsBetween(since, Math.min(since + DAY, until), done)
        for (const one of odds) {
          const happening = happeningOf(one)
          if (happening !== undefined) memory.remember(happening)
        }
        await setImmediate()
      }
    },
  }
}
