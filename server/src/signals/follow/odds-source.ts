import { setImmediate } from 'node:timers/promises'
import { DAY } from '../../model/time.ts'
import type { MarketOdds } from '../../store/prediction-markets/odds-feed.ts'
import type { Store } from '../../store/store.ts'
import type { OddsObservation } from '../detect/observation.ts'
import { PAGE_SIZE, type Source } from './source.ts'

/** Returns the source of prediction-market odds. `isAsset` returns whether the store has an asset. */
export function oddsSource(store: Store, isAsset: (assetKey: string) => boolean): Source {
  const { predictionMarkets } = store

  function observationOf({ market, odds }: MarketOdds): OddsObservation | undefined {
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
      const recorded = await predictionMarkets.listRecordedOdds(from, to, PAGE_SIZE)
      const reached = recorded.length < PAGE_SIZE ? to : (recorded.at(-1)?.place ?? to)
      const items = recorded.flatMap((one) => {
        const observation = observationOf(one)
        return observation === undefined
          ? []
          : [{ position: one.place, observation, assetKeys: observation.market.assetKeys }]
      })
      return { items, reached, isAll: reached >= to }
    },

    async recall(done, memory) {
      const until = await predictionMarkets.lastOddsAt(done)
      if (until === undefined) return
      for (let since = until - memory.lookback.oddsMs; since < until; since += DAY) {
        const odds = await predictionMarkets.listOddsBetween(since, Math.min(since + DAY, until), done)
        for (const one of odds) {
          const observation = observationOf(one)
          if (observation !== undefined) memory.remember(observation)
        }
        await setImmediate()
      }
    },
  }
}
