import { DAY, isoTime } from '../src/model/time.ts'
import { currentSignals, sampleSignals } from '../src/sample/signals.ts'
import type { SampleWorld } from '../src/sample/world/world.ts'
import { type BenchList, pathsOf } from './bench-list.ts'
import { byFrequency, insertCopies, mostCommon } from './copies.ts'

export function signalList(world: SampleWorld, now: number): BenchList {
  const ago = isoTime(now - 3 * DAY)
  const signals = currentSignals(sampleSignals(world, now))
  const asset = mostCommon(signals, ({ assetKey }) => assetKey)
  return {
    name: 'signals',
    hasPast: true,
    rows: {
      tables: ['signals'],
      fill: ({ store, count }) =>
        insertCopies(
          signals,
          { count, now, idOf: ({ id }) => id },
          (signal, copy) => ({
            ...signal,
            id: copy.id(signal.id),
            strength: copy.near(signal.strength, 4),
            confidence: copy.near(signal.confidence, 4),
            generatedAt: isoTime(copy.at),
            expiresAt: isoTime(copy.at + Date.parse(signal.expiresAt) - Date.parse(signal.generatedAt)),
          }),
          (batch) => store.signals.insert(batch, now),
        ),
    },
    queries: pathsOf('/signals', {
      page: '',
      'oldest first': 'sortBy=generatedAt:asc',
      'by strength': 'sortBy=strength:desc',
      'by confidence': 'sortBy=confidence:desc',
      'by updatedAt': 'sortBy=updatedAt:desc',
      'assetKey (common)': `assetKey=${asset}`,
      'assetKey (rare)': `assetKey=${byFrequency(signals.map(({ assetKey }) => assetKey)).at(-1)}`,
      'assetKeys, two': `assetKey=${asset},AAPL`,
      kind: 'kind=material_event',
      'status (common)': 'status=expired',
      'status (rare)': 'status=active',
      direction: 'direction=bullish',
      horizon: 'horizon=1mo',
      strengthMin: 'strengthMin=0.5',
      'strengthMin by strength': 'strengthMin=0.5&sortBy=strength:desc',
      generatedAfter: `generatedAfter=${ago}`,
      generatedBefore: `generatedBefore=${ago}`,
      'updatedAfter by updatedAt': `updatedAfter=${ago}&sortBy=updatedAt:asc`,
      'assetKey by strength': `assetKey=${asset}&sortBy=strength:desc`,
      'kind by strength': 'kind=insider_large_sale&sortBy=strength:desc',
      'generatedAfter by strength': `generatedAfter=${ago}&sortBy=strength:desc`,
      'assetKey and kind': `assetKey=${asset}&kind=material_event`,
      'search (common)': 'search=sentiment',
      'search (rare)': 'search=dogecoin',
      'search by strength': 'search=sentiment&sortBy=strength:desc',
    }),
  }
}

export function predictionMarketList(world: SampleWorld, now: number): BenchList {
  const ahead = isoTime(now + 3 * DAY)
  return {
    name: 'prediction-markets',
    rows: {
      tables: ['prediction_markets', 'prediction_assets', 'prediction_topics'],
      fill: ({ store, count }) =>
        insertCopies(
          world.predictionMarkets,
          { count, now, idOf: ({ id }) => id },
          (market, copy) => ({
            ...market,
            id: copy.id(market.id),
            slug: `${market.slug}-${copy.round}`,
            volume: copy.near(market.volume),
            probability: market.probability && copy.near(market.probability, 4),
            priceChange24h: market.priceChange24h && copy.near(market.priceChange24h, 4),
            openAt: isoTime(copy.at),
            // Open markets close as far in the future as others closed in the past.
            closeAt: isoTime(market.status === 'open' ? 2 * now - copy.at + DAY : copy.at),
            history: market.history.slice(-2),
          }),
          (batch) => store.predictionMarkets.insert(batch, now),
        ),
    },
    queries: pathsOf('/prediction-markets', {
      page: '',
      'least volume first': 'sortBy=volume:asc',
      'by closeAt': 'sortBy=closeAt:asc',
      'by probability': 'sortBy=probability:desc',
      'by priceChange24h': 'sortBy=priceChange24h:desc',
      'by createdAt': 'sortBy=createdAt:desc',
      assetKey: 'assetKey=BTC',
      'topicSlug (common)': 'topicSlug=earnings',
      'topicSlug (rare)': 'topicSlug=bank-of-england',
      'topicSlugs, two': 'topicSlug=earnings,bitcoin',
      category: 'category=crypto',
      venue: 'venue=manifold',
      'status (common)': 'status=open',
      'status (rare)': 'status=cancelled',
      type: 'type=scalar',
      probabilityMin: 'probabilityMin=0.5',
      'probabilityMax by probability': 'probabilityMax=0.1&sortBy=probability:desc',
      volumeMin: 'volumeMin=1000000',
      closeAfter: `closeAfter=${ahead}`,
      closeBefore: `closeBefore=${ahead}`,
      'closeAfter by closeAt': `closeAfter=${ahead}&sortBy=closeAt:asc`,
      'topicSlug by closeAt': 'topicSlug=earnings&sortBy=closeAt:asc',
      'venue by probability': 'venue=manifold&sortBy=probability:desc',
      'status by closeAt': 'status=open&sortBy=closeAt:asc',
      'search (common)': 'search=polymarket',
      'search (rare)': 'search=apple',
    }),
  }
}
