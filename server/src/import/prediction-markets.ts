import { PredictionMarketChange, PredictionMarketDetail } from '../model/prediction-markets.ts'
import { fieldNames, type Importable, writer } from './importable.ts'
import { fieldsOf, rowReader } from './row-reader.ts'

const names = fieldNames(Object.keys(PredictionMarketChange.properties), Object.keys(PredictionMarketDetail.properties))
const readRow = rowReader(PredictionMarketChange)

export const predictionMarkets: Importable = {
  noun: 'prediction markets',
  key: 'slug',
  about:
    'A row needs venue and venueMarketId, and a new market question and url. slug is by default the venue and its id. history is a list of {at, probabilities by outcome id}; its points are added to those that are known.',
  example: {
    venue: 'kalshi',
    venueMarketId: 'RATECUT-26DEC',
    question: 'Will the central bank cut rates in December?',
    url: 'https://kalshi.example/markets/ratecut',
    probability: 0.62,
    assetKeys: ['SPY'],
    closeAt: '2026-12-16T19:00:00Z',
  },
  batchRows: 200,
  fieldsOf: () => names,
  write: writer(readMarket, async (changes, options, { store, now }) => {
    const { unchanged, ...outcome } = await store.predictionMarkets.upsert(changes, now, options)
    return { ...outcome, known: unchanged }
  }),
}

function readMarket(row: unknown) {
  const { slug, ...change } = readRow(withPoints(row))
  return {
    ...change,
    slug: slug ?? `${change.venue}-${change.venueMarketId.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')}`,
  }
}

/** The API returns a history with its interval. */
function withPoints(row: unknown): unknown {
  const given = fieldsOf(row)
  const { history } = given
  const isDetail = typeof history === 'object' && history !== null && 'points' in history
  return isDetail ? { ...given, history: history.points } : given
}
