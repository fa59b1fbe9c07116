import { SECOND } from '../../model/time.ts'
import { venueConnector } from '../venue-connector.ts'
import { MANIFOLD_URL, manifoldBetsUrl, manifoldMarketsUrl, manifoldMarketUrl } from './requests.ts'

export const manifoldConnector = venueConnector({
  kind: 'manifold',
  url: MANIFOLD_URL,
  gapMs: 0.3 * SECOND,
  pages: 5,
  pageUrl: manifoldMarketsUrl,
  marketUrl: (base, { venueMarketId }) => manifoldMarketUrl(base, venueMarketId),
  historyUrls: (base, { venueMarketId }) => [{ url: manifoldBetsUrl(base, venueMarketId, null), outcomeId: null }],
})
