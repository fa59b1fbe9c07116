import { idOf } from '../../model/ids.ts'
import type {
  NewPredictionMarket,
  Odds,
  PredictionMarket,
  PredictionMarketChange,
} from '../../model/prediction-markets.ts'
import { Refused } from '../../model/refused.ts'

/** A stored market with its detail. */
export type StoredMarket = PredictionMarket & Pick<NewPredictionMarket, 'rules' | 'resolutionSource'>

/** Merges a change into the stored market, or creates a new one. The history has only the points of the change. */
export function changedMarket(change: PredictionMarketChange, before: StoredMarket | undefined): NewPredictionMarket {
  const history = (change.history ?? []).map(({ at, probabilities }): Odds => ({ at: Date.parse(at), probabilities }))
  const given = { ...change, history: history.sort((a, b) => a.at - b.at) }
  if (before !== undefined) {
    const { createdAt: _, updatedAt: __, ...kept } = before
    return { ...kept, ...given }
  }
  const { question, url, venue } = change
  if (question === undefined || url === undefined) throw new Refused('a new prediction market needs question and url')
  const isRealMoney = venue !== 'manifold'
  return {
    ...BLANK,
    id: idOf(`mintick:prediction-market:${change.slug}`),
    isRealMoney,
    currency: isRealMoney ? 'USD' : 'MANA',
    outcomes: yesAndNo(change.probability ?? null),
    ...given,
    question,
    url,
  }
}

const BLANK = {
  eventTitle: null,
  imageUrl: null,
  description: null,
  category: null,
  topicSlugs: [],
  assetKeys: [],
  type: 'binary',
  status: 'open',
  probability: null,
  volume: 0,
  volume24h: null,
  liquidity: null,
  openInterest: null,
  priceChange24h: null,
  priceChange7d: null,
  openAt: null,
  closeAt: null,
  resolvedAt: null,
  resolution: null,
  rules: null,
  resolutionSource: null,
} satisfies Partial<NewPredictionMarket>

/** The outcomes of a binary market of which only the probability is known. */
function yesAndNo(probability: number | null): PredictionMarket['outcomes'] {
  const outcome = (id: string, label: string, share: number | null) => ({
    id,
    label,
    probability: share,
    bestBid: null,
    bestAsk: null,
    lastPrice: share,
    priceChange24h: null,
    isWinner: null,
  })
  const no = probability === null ? null : Math.round((1 - probability) * 1e6) / 1e6
  return [outcome('yes', 'Yes', probability), outcome('no', 'No', no)]
}
