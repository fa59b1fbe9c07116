import type { Static } from 'typebox'
import { filtersOf } from '../../http/params.ts'
import type { Entry } from '../../model/entries.ts'
import { Json } from '../../model/json.ts'
import type { CursorPage } from '../../model/paging.ts'
import { PredictionMarket, PredictionMarketDetail } from '../../model/prediction-markets.ts'
import type { MarketDetail } from '../../store/prediction-markets/prediction-markets.ts'
import type { Store } from '../../store/store.ts'
import { idPath, orNotFound } from '../or-not-found.ts'
import { endpoint } from '../services.ts'
import { PredictionMarketDetailQuery, PredictionMarketQuery } from './schema.ts'

const RELATED_ENTRIES = 10

const ABOUT_PROBABILITY =
  'probability, its filters, its sort order and its changes are about the first outcome: yes in a yes-or-no market. A categorical market has several outcomes, each with a probability of its own in outcomes; the first one need not be the likeliest, and their sum may differ from 1.'

export const predictionMarketsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/prediction-markets',
    access: 'key',
    summary: 'List prediction markets, highest volume first',
    description: ABOUT_PROBABILITY,
    cost: { credits: 1 },
    query: PredictionMarketQuery,
    returns: 'page-list',
    data: PredictionMarket,
    handle: ({ query, page }, { store, clock }) =>
      store.predictionMarkets.page({ filters: filtersOf(query), sort: query.sortBy, ...page }, clock.now()),
  }),

  endpoint({
    method: 'GET',
    path: '/prediction-markets/:id',
    access: 'key',
    summary: 'Get a prediction market by id or slug, with its rules and history',
    description: ABOUT_PROBABILITY,
    cost: { credits: 2 },
    params: idPath('Id or slug of the prediction market'),
    query: PredictionMarketDetailQuery,
    returns: 'object',
    data: PredictionMarketDetail,
    async handle({ params, query }, { store, clock }) {
      const market = orNotFound(
        await store.predictionMarkets.find(params.id, clock.now(), query.interval),
        'prediction market',
        'id or slug',
      )
      const relatedEntryIds = await listRelatedEntryIds(store, market)
      const known = answers.get(market)
      if (known?.relatedEntryIds === relatedEntryIds) return known.answer
      const answer = Json.merge<Static<typeof PredictionMarketDetail>>(
        ...market.parts,
        JSON.stringify({ relatedEntryIds }),
      )
      answers.set(market, { relatedEntryIds, answer })
      return answer
    },
  }),
]

async function listRelatedEntryIds(
  store: Store,
  { assetKeys, topicSlugs }: Pick<PredictionMarket, 'assetKeys' | 'topicSlugs'>,
): Promise<string[]> {
  if (assetKeys.length + topicSlugs.length === 0) return NONE
  const filters = assetKeys.length > 0 ? { assetKey: assetKeys } : { topicSlug: topicSlugs }
  const page = await store.entries.page({ filters, sort: 'createdAt:desc', limit: RELATED_ENTRIES, from: undefined })
  const known = idsOfPages.get(page)
  if (known !== undefined) return known
  const ids = page.data.parse().map(({ id }) => id)
  idsOfPages.set(page, ids)
  return ids
}

const NONE: string[] = []

/** The store returns the same object for a market until it changes. */
const answers = new WeakMap<
  MarketDetail,
  { relatedEntryIds: string[]; answer: Json<Static<typeof PredictionMarketDetail>> }
>()

/** The store returns the same object for a page in its cache. */
const idsOfPages = new WeakMap<CursorPage<Entry>, string[]>()
